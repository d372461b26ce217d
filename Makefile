# Short names for the scripts; docs/development.md explains them.
PYTHON ?= python3
VENV = .venv/bin/python
SETUP = $(PYTHON) scripts/bootstrap.py

.DEFAULT_GOAL := help
.PHONY: help run test test-quick test-rest test-full test-long faults faults-long lint bench bench-long scale screenshots scripts messages mutants lock audit release clean

help: ## This list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

run: ## Set up if need be, and serve the demo league on http://localhost:8000 (PORT=...)
	@$(SETUP) prod && exec $(VENV) manage.py serve --demo

test: ## Set up if need be; linters, then the tests on SQLite, and those that need it on PostgreSQL and Redis
	@$(SETUP) dev && exec $(VENV) scripts/test.py

test-quick: ## Linters, and the tests of the engine and of the services on SQLite
	@$(SETUP) dev && exec $(VENV) scripts/test.py --quick

test-rest: ## What `make test` leaves out: the browser, attacks, real servers, full sizes
	@$(SETUP) dev && exec $(VENV) scripts/test.py --rest

test-full: ## `make test`, then `make test-rest`
	@$(SETUP) dev && exec $(VENV) scripts/test.py --full

test-long: ## A tournament of 203 people and 8 rounds, 10,000 event streams: some minutes
	@$(SETUP) dev && exec $(VENV) scripts/test.py --long

faults: ## Break everything, and report which promise holds: six minutes, at most 15
	@$(SETUP) dev && exec $(VENV) scripts/faults.py

faults-long: ## The same at the sizes of a night: four hours
	@$(SETUP) dev && exec $(VENV) scripts/faults.py --long

lint: ## The linters alone
	@$(SETUP) dev && exec $(VENV) scripts/test.py --lint

bench: ## The speed table
	@$(SETUP) dev bench && exec $(VENV) -m bench

bench-long: ## The speed table with all rows that need a million hands, or krcg: two hours, and 20 GB of disk
	@$(SETUP) dev bench && exec $(VENV) -m bench --long

scale: ## A server of CLUBS=100 and HANDS=1000000 on DATABASE_URL, measured, and dropped (docs/scale.md)
	@$(SETUP) dev bench && exec $(VENV) -m bench.scale $(or $(CLUBS),1) $(or $(HANDS),10000) --measure --drop

screenshots: ## Pictures of every screen, phone and desktop, light and dark, into var/screenshots
	@$(SETUP) dev && exec $(VENV) scripts/screenshots.py

scripts: ## Make one file of scripts for each screen from static/js, after a change of a script (needs npm)
	@$(PYTHON) scripts/bundles.py

messages: ## Collect the texts to translate into locale/
	@$(SETUP) dev && exec $(VENV) manage.py messages

mutants: ## Mutation tests: small faults in the engine, and how many of them its tests find
	@$(SETUP) dev && $(VENV) -m mutmut run && $(VENV) -m mutmut results

lock: ## Compile requirements/*.in to the hash-locked *.txt
	@$(SETUP) dev && exec $(VENV) scripts/lock.py

audit: ## Known vulnerabilities of the locked packages
	@$(SETUP) dev && exec $(VENV) -m pip_audit --strict --disable-pip --require-hashes -r requirements/prod.txt

release: ## Release VERSION=0.2.0: changelog, wheel, list of packages, commit and tag; sends nothing
	@$(SETUP) dev && exec $(VENV) scripts/release.py $(VERSION)

clean: ## Remove everything that these commands created, the demo's data too
	rm -rf .venv requirements/node_modules var dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis mutants htmlcov .coverage*
	find . -name __pycache__ -prune -exec rm -rf {} +
