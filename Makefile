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
# pip compiles no library, which takes longer than all else: Python keeps what it compiles as it first imports it
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help repro study claims replay publish pull archive verify test bench lock hashes

NEW_ENOUGH = import sys; sys.version_info >= (3, 11, 4) or sys.exit(f"error: $(PYTHON) is Python \
  {sys.version.split()[0]}, expected 3.11.4 or newer; name one: make PYTHON=python3.12")
# nothing that lies in the root under the name of a library is imported; -I leaves out PYTHONUTF8 too
CHECK = python -X utf8 -I stages/reviewing
# where steps run: the checkout, or its copy at another scale
HERE = $(if $(SCALE),python -m stages scale '$(SCALE)' && cd 'scales/$(SCALE)' && )
export CLUSTER JOBS

help: ## these lines
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

repro: .venv/installed ## `dvc repro`: sigma, probe and the report; SCALE=smoke in scales/smoke; CLUSTER=slurm JOBS=20
	@$(HERE)dvc repro $(STAGES)

study: .venv/installed ## one study of studies/ and the report: NAME=controls; SCALE, CLUSTER, JOBS as for repro
	@$(HERE)python -m stages add '$(or $(NAME),$(error NAME missing, expected a study: $(filter-out dvc,$(basename $(notdir $(wildcard studies/*.yaml))))))'
	@$(if $(SCALE),cd 'scales/$(SCALE)' && )dvc repro $(if $(filter sigma probe,$(NAME)),conclude@$(NAME),studies/dvc.yaml:conclude@$(NAME)) && \
	if [ -f reports/maps.npz ]; then dvc repro --single-item --force report; \
	else echo 'report: `make repro` makes the first one'; fi   # which then shows every study that ran

claims: .venv/installed ## do all claims follow from the scores in git? in seconds, without data
	@$(CHECK) claims

replay: .venv/installed ## reproducible here? `dvc repro` in a clone; STAGES="score@sigma" alone
	@$(CHECK) replay $(STAGES)

pull: .venv/installed ## what was published, from the remote: PATHS="data/tasks/grid", or all
	@$(CHECK) pull $(PATHS)

publish: .venv/installed ## what is committed, to REMOTE: a remote's name, URL or folder; OF_PEOPLE=yes
	@# OF_PEOPLE: also frames of single people in recordings of your own
	@$(CHECK) publish '$(REMOTE)' $(OF_PEOPLE)

archive: .venv/installed ## what was published, in one file: ARCHIVE=path.zip
	@$(CHECK) archive '$(ARCHIVE)'

verify: ## every published file that is here against its sum
	@$(PYTHON) -I -c '$(NEW_ENOUGH)'
	@$(PYTHON) -X utf8 -I stages/reviewing verify

test: .venv/installed ## linter, types, tests
	ruff check
	ruff format --check
	@# types beside tests; one process more than cores, as many tests wait for others
	mypy & types=$$!; \
	pytest --numprocesses $$(python -c 'from joblib import cpu_count; print(cpu_count() + 1)') --dist loadfile --no-loadscope-reorder && wait $$types

bench: .venv/installed ## training speed beside a plain PyTorch loop and the machine's own ceiling
	PYTHONPATH=.:tests python tests/benchmarks/bench_training.py

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

# in a copied or moved folder .venv runs programs and `posenc` of the folder that it was made in
INSTALLED := $(shell cat .venv/installed 2> /dev/null)
ifneq ($(INSTALLED),$(CURDIR))
.PHONY: .venv/installed
endif
.venv/installed: pyproject.toml stages/requirements.lock
	@# anew where it has no pip, as after a venv that failed, or was made by an old Python
	@[ -z '$(filter-out $(CURDIR),$(INSTALLED))' ] && .venv/bin/python -I -c 'import pip; $(NEW_ENOUGH)' 2> /dev/null || { \
	rm -rf .venv && $(PYTHON) -I -c '$(NEW_ENOUGH)' && $(PYTHON) -I -m venv .venv; }
	.venv/bin/python -I -m pip install --no-compile -c stages/requirements.lock -e '.[dev]'
	echo '$(CURDIR)' > $@
