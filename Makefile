# `make repro` runs the pipeline, `make test` every check. Each sets up .venv first, from Python 3.11 or newer;
# `make verify` needs nothing but Python.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
PYTHON ?= python3
REMOTE ?= published
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: repro variations transplants replay publish pull verify test bench lock

# At the scale in params.yaml; a SCALE given is written there first
repro: .venv/installed
	@python -m stages.running.prepare $(if $(SCALE),--scale '$(SCALE)')
	@python -m stages.pipeline.train_ahead & trap "kill $$! 2>/dev/null || true" EXIT; \
	dvc repro dvc.yaml $(wildcard stages/tasks/*/dvc.yaml)

# Tables of trained models in others; goes on where it stopped. One by one, because dvc has no order of its own
transplants: .venv/installed
	@python -m stages.running.prepare
	stages=$$(dvc stage list --name-only stages/transplants/dvc.yaml) && for stage in $$stages; do dvc repro $$stage; done

# What is compared under other settings, at the scale in params.yaml; likewise
variations: .venv/installed
	@python -m stages.running.prepare
	stages=$$(dvc stage list --name-only stages/variations/dvc.yaml) && for stage in $$stages; do dvc repro $$stage; done

# Reproducible on this machine? STAGES: e.g. render or grid:train, all if empty; SET: e.g. device=cpu, for it alone
replay: .venv/installed
	python -m stages.reviewing.replay $(STAGES) $(addprefix --set ,$(SET))

test: .venv/installed
	ruff check
	ruff format --check
	mypy
	pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

# Training speed beside a plain PyTorch loop and the machine's own ceiling
bench: .venv/installed
	python tests/benchmarks/bench_training.py

# Sums and provenance of what is committed, to reports/; its bytes to REMOTE, a remote's name, a URL or a folder
publish: .venv/installed
	python -m stages.reviewing.publish '$(REMOTE)'

# What was published
pull: .venv/installed
	@python -m stages.reviewing.pull

# Every published file against its sum
verify:
	@$(PYTHON) -m stages.reviewing.verify

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
