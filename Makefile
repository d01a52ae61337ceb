# Two commands do all the set-up: `make lab` and `make test`. `make help` lists the rest.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PORT   ?= 8888

# The extra `gpu` comes along by itself where an NVIDIA driver is found (the last path is WSL's).
DRIVER := $(shell command -v nvidia-smi || ls /proc/driver/nvidia/version /usr/lib/wsl/lib/libcuda.so.1 2>/dev/null)
GPU    := $(if $(DRIVER),gpu)
comma  := ,

# One stamp for each set of extras: it is remade when the dependencies change or a driver appears.
LAB_READY  := $(VENV)/ready-lab$(GPU)
TEST_READY := $(VENV)/ready-test$(GPU)

PYTEST   := $(BIN)/python -m pytest -rfEs
TWO_WORK := -n 2 --dist loadfile

# nbgrader runs `alembic` from PATH when it makes a gradebook. Caches of bytecode and figures need no home.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help lab test test-fast exercises gradebook reset tidy bench gpu-test clean

help:  ## list these commands
	@sed -n 's/^\([a-z-]*\): .*## /\1|/p' Makefile | while IFS='|' read -r name text; do printf '  make %-10s %s\n' "$$name" "$$text"; done

lab: $(LAB_READY)  ## set up what is missing and open JupyterLab on the start page (PORT=8888)
	@$(BIN)/python utils/setup_check.py
	@$(BIN)/jupyter lab --config=jupyter_lab_config.py --port=$(PORT) $(ARGS)

test: $(TEST_READY)  ## set up what is missing and run every test: library, lessons, assignments, browser
	@$(PYTEST) $(TWO_WORK) --nbval-lax --nbval-current-env tests course $(ARGS)

test-fast: $(TEST_READY)  ## the tests to run while you work: under three minutes
	@$(PYTEST) $(TWO_WORK) -m "not gpu and not slow and not browser" tests $(ARGS)

exercises: $(LAB_READY)  ## generate exercises/ from solutions/; a learner's notebook is never overwritten
	@$(BIN)/python -m utils.grading.release

gradebook: $(LAB_READY)  ## for instructors: record the assignments in nbgrader's gradebook, before the first autograde
	@$(BIN)/python -m utils.grading.release --register

reset: $(LAB_READY)  ## save your notebooks of one assignment and bring back blank ones (NAME=02_first_kernels)
	@$(BIN)/python -m utils.grading.release --reset "$(NAME)"

tidy: $(TEST_READY)  ## write notebooks in their canonical form and let ruff repair what it can
	@$(BIN)/python -m utils.grading.canonical --fix
	@$(BIN)/ruff check --fix .

bench: $(TEST_READY)  ## time the simulated GPU beside Numba's own simulator
	@$(BIN)/python -m tests.bench $(ARGS)

gpu-test:  ## compare real launches with simulated ones, with the Python at hand (PYTHON=...); installs nothing
	@$(PYTHON) -m pytest -rfEs -m gpu tests/gpu $(ARGS)

clean:  ## remove the environment and what the lab and the tests leave behind; your notebooks stay
	rm -rf $(VENV) .desk .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed. If you have one: make lab PYTHON=python3.11")'
	@echo "Making $(VENV) (once; it takes a few minutes)"
	@$(PYTHON) -m venv $(VENV) || { echo "No venv here. On Debian and Ubuntu: apt-get install python3-venv"; rm -rf $(VENV); exit 1; }

$(LAB_READY): pyproject.toml constraints.txt | $(VENV)/bin/python
	@$(BIN)/python -m pip install -qq -c constraints.txt -e ".$(if $(GPU),[$(GPU)])"
	@touch $@

$(TEST_READY): pyproject.toml constraints.txt | $(VENV)/bin/python
	@$(BIN)/python -m pip install -qq -c constraints.txt -e ".[dev$(if $(GPU),$(comma)$(GPU))]"
	@touch $@ $(LAB_READY)
