# `make repro` runs the pipeline, `make test` every check. Each sets up .venv first, from Python 3.11 or newer;
# `make verify` needs nothing but Python.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
PYTHON ?= python3
REMOTE ?= published
ARCHIVE ?= ../positional-encodings.zip
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: repro variations transplants controls people published replay fingerprint publish pull archive verify test bench lock hashes

# On this machine, or on CLUSTER with up to JOBS jobs; goes on where it stopped
RUN = python -m stages.pipeline.repro $(if $(CLUSTER),--cluster '$(CLUSTER)') $(if $(JOBS),--jobs '$(JOBS)')

# At the scale in params.yaml; a SCALE given is written there first. STAGES: all of the pipeline if empty
repro: .venv/installed
	@$(RUN) $(if $(SCALE),--scale '$(SCALE)') $(STAGES)

# Tables of trained models in others
transplants: .venv/installed
	@$(RUN) stages/transplants/dvc.yaml

# What is compared under other settings, at the scale in params.yaml
variations: .venv/installed
	@$(RUN) stages/variations/dvc.yaml

# Tables that are aligned, exchanged, random or learned, at every initial size
controls: .venv/installed
	@$(RUN) stages/controls/dvc.yaml

# Tables learned on some people in models of others
people: .venv/installed
	@$(RUN) stages/people/dvc.yaml

# The published experiment at its published size
published: .venv/installed
	@$(RUN) stages/published/dvc.yaml

# Reproducible on this machine? STAGES: e.g. render or grid:train, all if empty; SET: e.g. device=cpu, for it alone;
# SIGN: an ssh key that signs the record
replay: .venv/installed
	python -m stages.reviewing.replay $(STAGES) $(addprefix --set ,$(SET)) $(if $(SIGN),--sign '$(SIGN)')

# The same bytes on any processor? Sums of the pipeline at scale smoke, beside those of other processors
fingerprint: .venv/installed
	python -m stages.reviewing.fingerprint

test: .venv/installed
	ruff check
	ruff format --check
	mypy
	@# one process more than cores, as many tests wait for others
	pytest --numprocesses $$(($$(nproc) + 1)) --dist loadfile --no-loadscope-reorder

# Training speed beside a plain PyTorch loop and the machine's own ceiling
bench: .venv/installed
	python tests/benchmarks/bench_training.py

# Sums and provenance of what is committed, to reports/; its bytes to REMOTE, a remote's name, a URL or a folder;
# SIGN: an ssh key that signs the sums; OF_PEOPLE=yes: also frames of single people in recordings of your own
publish: .venv/installed
	python -m stages.reviewing.publish '$(REMOTE)' $(if $(SIGN),--sign '$(SIGN)') $(if $(OF_PEOPLE),--of-people)

# What was published: from the remote, or FROM an archive, as a file, URL or DOI
pull: .venv/installed
	@python -m stages.reviewing.pull $(if $(FROM),--from '$(FROM)')

# What was published, in one file
archive: .venv/installed
	python -m stages.reviewing.archive '$(ARCHIVE)' $(if $(SIGN),--sign '$(SIGN)')

# Every published file against its sum, or those in an archive FROM; signatures against SIGNERS
verify:
	@$(PYTHON) -m stages.reviewing.verify $(if $(FROM),--archive '$(FROM)') $(if $(SIGNERS),--signers '$(SIGNERS)')

.venv/installed: pyproject.toml stages/requirements.lock
	test -x .venv/bin/python || $(PYTHON) -m venv .venv
	.venv/bin/python -m pip install -c stages/requirements.lock -e '.[dev]'
	touch $@

# Hashes of all wheels of the lock, for every platform
hashes:
	{ grep '^#' requirements.lock; uv pip compile -q stages/requirements.lock --universal --no-deps \
	  --generate-hashes --no-annotate --no-header --python-version 3.11; } > requirements.new && \
	mv requirements.new requirements.lock

# The newest versions that pyproject.toml allows, as the new lock; every training cell then runs again
lock:
	new=$$(mktemp -d) && trap "rm -r $$new" EXIT && $(PYTHON) -m venv $$new && \
	$$new/bin/python -m pip install -e '.[dev]' && \
	{ grep '^#' stages/requirements.lock; \
	  $$new/bin/python -m pip freeze --all --exclude pip --exclude-editable | sed 's/+.*//'; } > $$new/lock && \
	cp $$new/lock stages/requirements.lock
