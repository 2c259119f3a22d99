# `make repro` runs the pipeline, `make test` every check. Each sets up .venv first, from Python 3.11 or newer.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
PYTHON ?= python3
SCALE ?= small
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: repro transplants test bench lock

# The scale is written to params.yaml, so that it and the results agree; an unknown one is taken back
repro: .venv/installed
	@sed -i.old 's/^scale: *[^ ]*/scale: $(SCALE)/' params.yaml
	@python -c 'from stages import command, params; command.run(params.load)' || \
	{ mv params.yaml.old params.yaml; exit 1; }
	@rm params.yaml.old
	@python -m stages.train_ahead & trap "kill $$! 2>/dev/null || true" EXIT; dvc repro

# Tables of trained models in others; goes on where it stopped
transplants: .venv/installed
	dvc repro stages/transplants/dvc.yaml

test: .venv/installed
	ruff check
	ruff format --check
	mypy
	pytest

# Training speed beside a plain PyTorch loop and the machine's own ceiling
bench: .venv/installed
	python tests/benchmarks/bench_training.py

.venv/installed: pyproject.toml stages/requirements.lock
	test -x .venv/bin/python || $(PYTHON) -m venv .venv
	.venv/bin/python -m pip install -c stages/requirements.lock -e '.[dev]'
	touch $@

# The newest versions that pyproject.toml allows, as the new lock; every training cell then runs again
lock:
	new=$$(mktemp -d) && trap "rm -r $$new" EXIT && $(PYTHON) -m venv $$new && \
	$$new/bin/python -m pip install -e '.[dev]' && \
	{ grep '^#' stages/requirements.lock; \
	  $$new/bin/python -m pip freeze --all --exclude pip --exclude-editable | sed 's/+.*//'; } > $$new/lock && \
	cp $$new/lock stages/requirements.lock
