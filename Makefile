# A thin alias for the scripts; docs/development.md tells the rest.
PYTHON ?= python3
VENV = .venv/bin/python
SETUP = $(PYTHON) scripts/bootstrap.py

.DEFAULT_GOAL := help
.PHONY: help run test lint bench screenshots messages mutants lock audit clean

help: ## This list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 14

run: ## Set up if need be, and serve the demo league on http://localhost:8000 (PORT=...)
	@$(SETUP) prod && exec $(VENV) manage.py serve --demo

test: ## Set up if need be; linters, then every test on SQLite and on PostgreSQL with Redis
	@$(SETUP) dev && exec $(VENV) scripts/test.py

lint: ## The linters alone
	@$(SETUP) dev && exec $(VENV) scripts/test.py --lint

bench: ## The speed table
	@$(SETUP) dev bench && exec $(VENV) -m bench

screenshots: ## Pictures of every screen, phone and desk, light and dark, into var/screenshots
	@$(SETUP) dev && exec $(VENV) scripts/screenshots.py

messages: ## Collect the texts to translate into locale/
	@$(SETUP) dev && exec $(VENV) manage.py messages

mutants: ## How many small faults put into the engine its tests find
	@$(SETUP) dev && $(VENV) -m mutmut run && $(VENV) -m mutmut results

lock: ## Compile requirements/*.in to the hash-locked *.txt
	@$(SETUP) dev && exec $(VENV) scripts/lock.py

audit: ## Known vulnerabilities in what is locked
	@$(SETUP) dev && exec $(VENV) -m pip_audit --disable-pip --require-hashes -r requirements/prod.txt

clean: ## Remove everything that was made here, the demo's data too
	rm -rf .venv var .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis mutants htmlcov .coverage*
	find . -name __pycache__ -prune -exec rm -rf {} +
