# `make repro` runs the pipeline, `make test` every check. Each sets up .venv first, from Python 3.11 or newer;
# `make verify` needs nothing but Python.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
PYTHON ?= python3
SCALE ?= small
REMOTE ?= published
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: repro variations transplants replay publish pull verify test bench lock

# The scale is written to params.yaml, so that it and the results agree; an unknown one is taken back
repro: .venv/installed
	@sed -i.old 's/^scale: *[^ ]*/scale: $(SCALE)/' params.yaml
	@python -c 'from stages import command, params; command.run(params.load)' || \
	{ mv params.yaml.old params.yaml; exit 1; }
	@rm params.yaml.old
	@python -m stages.mend
	@python -m stages.train_ahead & trap "kill $$! 2>/dev/null || true" EXIT; dvc repro

# Tables of trained models in others; goes on where it stopped. One by one, because dvc has no order of its own
transplants: .venv/installed
	@python -m stages.mend
	stages=$$(dvc stage list --name-only stages/transplants/dvc.yaml) && for stage in $$stages; do dvc repro $$stage; done

# What is compared under other settings, at the scale in params.yaml; likewise
variations: .venv/installed
	@python -m stages.mend
	stages=$$(dvc stage list --name-only stages/variations/dvc.yaml) && for stage in $$stages; do dvc repro $$stage; done

# Reproducible on this machine? STAGES: names in dvc.yaml, all if empty; SET: e.g. device=cpu, for it alone
replay: .venv/installed
	python -m stages.replay $(STAGES) $(addprefix --set ,$(SET))

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
	python -m stages.publish '$(REMOTE)'

# What was published: every pipeline that had run. A bare `dvc pull` fails over those that had not
pull: .venv/installed
	dvc pull dvc.yaml $(patsubst %.lock,%.yaml,$(wildcard stages/*/dvc.lock))

# Every published file against its sum
verify:
	@$(PYTHON) -m stages.verify

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
