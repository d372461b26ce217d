# The image of Chratzete: web, worker, clock and event stream are the same image with another command (compose.yaml).
FROM python:3.12.12-slim-trixie AS build
WORKDIR /srv/chratzete
# The packages first: a change of the program alone does not install them again.
COPY requirements/ requirements/
COPY scripts/bootstrap.py scripts/
RUN python3 scripts/bootstrap.py prod
COPY . .
RUN DATA_DIR=/tmp/build .venv/bin/python manage.py messages --compile \
    && .venv/bin/python -m compileall -q engine draw readers league games \
    && .venv/bin/python -m pip uninstall --quiet --yes pip \
    && rm -rf /tmp/build

FROM python:3.12.12-slim-trixie
# pg_dump and pg_restore for backups; they are as new as the server in compose.yaml.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client-17 \
    && rm -rf /var/lib/apt/lists/* \
    && python3 -m pip uninstall --quiet --yes pip \
    && useradd --system --uid 10001 --home-dir /srv/chratzete --shell /usr/sbin/nologin chratzete \
    && mkdir -p /var/lib/chratzete \
    && chown chratzete: /var/lib/chratzete
# The program belongs to root: the service cannot change it.
COPY --from=build --chown=root:root /srv/chratzete /srv/chratzete
WORKDIR /srv/chratzete
ENV DATA_DIR=/var/lib/chratzete HOST=0.0.0.0 PATH=/srv/chratzete/.venv/bin:$PATH PYTHONDONTWRITEBYTECODE=1
USER 10001
VOLUME /var/lib/chratzete
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz', timeout=8)"]
CMD ["python", "-m", "gunicorn", "-c", "league/config/gunicorn_conf.py", "league.config.wsgi"]
