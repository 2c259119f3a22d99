# Targets with .venv/installed behind them set up .venv first, from Python 3.11.4 or newer. `make hashes` needs uv.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
PYTHON ?= python3
REMOTE ?= published
ARCHIVE ?= ../positional-encodings.zip
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# names of files alike in every locale: dvc.lock holds them
export PYTHONUTF8 := 1

.PHONY: help repro study expand claims replay publish pull archive verify test bench lock hashes

NEW_ENOUGH = import sys; sys.version_info >= (3, 11, 4) or sys.exit(f"error: $(PYTHON) is Python \
  {sys.version.split()[0]}, expected 3.11.4 or newer; name one: make PYTHON=python3.12")
# nothing that lies in the root under the name of a library is imported; -I leaves out PYTHONUTF8 too
CHECK = python -X utf8 -I stages/reviewing
RUN = python -m stages.pipeline.repro $(if $(SCALE),--scale '$(SCALE)') \
  $(if $(CLUSTER),--cluster '$(CLUSTER)') $(if $(JOBS),--jobs '$(JOBS)')

help: ## these lines
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

repro: .venv/installed ## sigma, probe, report, where out of date; SCALE=smoke in scales/smoke; STAGES="report", CLUSTER=slurm JOBS=20
	@$(RUN) $(STAGES)

study: .venv/installed ## one study of studies/ and the report: NAME=controls; SCALE, CLUSTER, JOBS as for repro
	@$(RUN) --study '$(or $(NAME),$(error NAME missing, expected a study: $(basename $(notdir $(wildcard studies/*.yaml)))))'

expand: .venv/installed ## studies/*/dvc.yaml and cells.yaml anew, from studies/*.yaml
	python -m stages.studies.expand

claims: .venv/installed ## do all claims follow from the scores in git? 40 seconds, without data
	@$(CHECK) claims

replay: .venv/installed ## reproducible here? STAGES="report", or all that repro runs
	@$(CHECK) replay $(STAGES)

pull: .venv/installed ## what was published, from the remote: PATHS="data/tasks/grid", or all
	@$(CHECK) pull $(PATHS)

publish: .venv/installed ## what is committed, to REMOTE: a remote's name, URL or folder; OF_PEOPLE=yes
	@# OF_PEOPLE: also frames of single people in recordings of your own
	@$(CHECK) publish '$(REMOTE)' $(if $(OF_PEOPLE),--of-people)

archive: .venv/installed ## what was published, in one file: ARCHIVE=path.zip; SMALL=yes: scores and tables alone
	@$(CHECK) archive '$(ARCHIVE)' $(if $(SMALL),--small)

verify: ## every published file that is here against its sum
	@$(PYTHON) -I -c '$(NEW_ENOUGH)'
	@$(PYTHON) -X utf8 -I stages/reviewing verify

test: .venv/installed ## linter, types, tests
	ruff check
	ruff format --check
	@# types beside tests; one process more than cores, as many tests wait for others
	mypy & types=$$!; \
	pytest --numprocesses $$(python -c 'from dask.system import cpu_count; print(cpu_count() + 1)') --dist loadfile --no-loadscope-reorder && wait $$types

bench: .venv/installed ## training speed beside a plain PyTorch loop and the machine's own ceiling
	python tests/benchmarks/bench_training.py

lock: ## the newest versions that pyproject.toml allows, as the new lock; every cell then trains again
	new=$$(mktemp -d) && trap "rm -r $$new" EXIT && $(PYTHON) -m venv $$new && \
	$$new/bin/python -m pip install -e '.[dev]' && \
	{ grep '^#' stages/requirements.lock; \
	  $$new/bin/python -m pip freeze --all --exclude pip --exclude-editable | sed 's/+.*//'; } > $$new/lock && \
	cp $$new/lock stages/requirements.lock

hashes: ## hashes of all wheels of the lock, for every platform
	{ grep '^#' requirements.lock; uv pip compile -q stages/requirements.lock --universal --no-deps \
	  --generate-hashes --no-annotate --no-header --python-version 3.11; } > requirements.new && \
	mv requirements.new requirements.lock

.venv/installed: pyproject.toml stages/requirements.lock
	@# anew where it has no pip, as after a venv that failed, or was made by an old Python
	@.venv/bin/python -I -c 'import pip; $(NEW_ENOUGH)' 2> /dev/null || { \
	rm -rf .venv && $(PYTHON) -I -c '$(NEW_ENOUGH)' && $(PYTHON) -I -m venv .venv; }
	.venv/bin/python -I -m pip install -c stages/requirements.lock -e '.[dev]'
	touch $@
