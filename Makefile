# The two commands: `make play` and `make test`. Everything they need goes into .venv, made here.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
KERNELS := $(shell find src/sapper/kernels -name '*.py')
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Every process starts quicker from compiled bytecode, so it is kept even where the environment says otherwise.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play test check lint test-fast docs checked oracle sanitize bench strength browser wheel map pictures screenshots reproduce format clean

help: ## List what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

play: $(VENV)/.play ## Set everything up and start
	$(BIN)/sapper play

test: $(VENV)/.dev browser ## Set everything up and run every check and test
	$(MAKE) --no-print-directory -j 2 lint docs checked
	$(BIN)/python -m pytest -n auto
	$(MAKE) --no-print-directory oracle
	@$(BIN)/python scripts/browser.py --remind

check: $(VENV)/.dev ## The quick round: style, types, layers, fast tests
	$(MAKE) --no-print-directory lint test-fast

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test-fast: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto -m "not slow and not browser"

docs: $(VENV)/.dev ## Build the site of the documentation in build/docs; every warning is an error
	$(BIN)/python -m sphinx -q -W --keep-going -n -E -b html docs build/docs

checked: $(VENV)/.checked

oracle: checked ## The tests of the kernels again, uncompiled and with checked indices
	SAPPER_KERNELS=python $(BIN)/python -m pytest -n auto -m oracle tests
	SAPPER_KERNELS=checked $(BIN)/python -m pytest -n auto -m oracle tests

sanitize: $(VENV)/.dev ## The tests of the kernels under gcc's AddressSanitizer and UndefinedBehaviorSanitizer
	@SAPPER_BUILD=sanitized $(BIN)/python setup.py --quiet build_ext --inplace --build-lib build/sanitized
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
		SAPPER_KERNELS=sanitized $(BIN)/python -m pytest -n auto -m oracle tests

# Where no browser can be installed, `make test` leaves the tests of the page out and says so, first and last.
browser: $(VENV)/.dev
	@$(BIN)/python scripts/browser.py

wheel: $(VENV)/.dev ## Build the distributions in dist/, install the wheel where nothing else is, and try it out
	@$(INSTALL) --editable '.[release]'
	$(BIN)/python scripts/wheel.py

bench: $(VENV)/.dev ## Measure the engine beside ms_toollib, and how it starts and grows
	$(BIN)/python benchmarks/positions.py
	$(BIN)/python benchmarks/engine.py

GAMES ?= 2000
strength: $(VENV)/.dev ## Measure how often the players win; GAMES=, BOARDS=folder
	$(BIN)/python benchmarks/strength.py --games $(GAMES) $(if $(BOARDS),--boards $(BOARDS)) --write

reproduce: $(VENV)/.dev ## Play every experiment of the reports again and write sapper-report.html
	$(BIN)/sapper reproduce

map: $(VENV)/.dev ## Draw the architecture from the code and print how large it is
	$(BIN)/python scripts/map.py

pictures: $(VENV)/.dev ## Draw the pictures of the README again
	$(BIN)/python scripts/pictures.py

screenshots: export SAPPER_NEEDS_BROWSER := 1
screenshots: $(VENV)/.dev browser ## Take the pictures of the page that the documents show
	$(BIN)/python scripts/screenshots.py

format: $(VENV)/.dev ## Put the code into the agreed form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## Remove what the commands above made
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build src/*.egg-info
	rm -f src/sapper/kernels/*.so src/sapper/kernels/*.pyd

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Sapper needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12"; exit 1; }
	@echo "Setting up $(VENV) (once; a minute or so)"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "The venv module is missing: install python3-venv."; exit 1; }

# An import says so, in one sentence, if the kernels could not be compiled.
$(VENV)/.play: $(VENV)/pyvenv.cfg pyproject.toml constraints.txt setup.py $(KERNELS)
	@echo "Installing Sapper and building its engine (once; under a minute)"
	@$(INSTALL) --editable .
	@$(BIN)/python -c "import sapper.kernels"
	@touch $@

$(VENV)/.dev: $(VENV)/pyvenv.cfg pyproject.toml constraints.txt setup.py $(KERNELS)
	@echo "Installing Sapper with everything for tests and building its engine"
	@$(INSTALL) --editable '.[dev]'
	@$(BIN)/python -c "import sapper.kernels"
	@touch $@ $(VENV)/.play

$(VENV)/.checked: $(VENV)/.dev setup.py $(KERNELS)
	@echo "Building the engine that checks every index"
	@SAPPER_BUILD=checked $(BIN)/python setup.py --quiet build_ext --inplace --build-lib build/checked
	@touch $@
