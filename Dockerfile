# The project with every wheel of requirements.lock by its hash. From a clone without results of its own:
#   docker build -t positional-encodings . && docker run --rm -it positional-encodings make repro SCALE=smoke
# The base is Docker's official image of Python by its digest, as docker-library/repo-info lists it.
FROM python:3.11.16-slim-bookworm@sha256:0bee7276f83efd4a1ee05bbbf4281d95ed28e079220a9457f25a93e3f1e3c31b

RUN apt-get update \
    && apt-get install --yes --no-install-recommends git make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /project
COPY requirements.lock .
RUN python -m venv .venv \
    && .venv/bin/python -m pip install --no-cache-dir --require-hashes --no-deps -r requirements.lock
COPY . .
RUN .venv/bin/python -m pip install --no-build-isolation --no-deps -e . && touch .venv/installed
CMD ["make", "repro"]
