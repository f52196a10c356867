# The two commands: `make play` and `make test`. Everything they need goes into .venv, made here.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
KERNELS := $(shell find src/sapper/kernels -name '*.py')
# Only what is imported is compiled to bytecode, when it is: that is a third of all that pip would compile.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt

# Every process starts quicker from compiled bytecode, so it is kept even where the environment says otherwise.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play test pytest quick beside test-all check lint page docs checked oracle oracle-python oracle-checked sanitize figures strength ready packages engine system-browser browser wheel models pictures screenshots reproduce mutants format clean

help: ## List what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

play: $(VENV)/.play ## Set everything up and start
	$(BIN)/sapper play

check: $(VENV)/.dev ## The quick round before every commit: style, types, layers, the page's scripts, fast tests
	$(MAKE) --no-print-directory -j 2 quick beside BESIDE="lint page"
	@echo 'Left out too: the code in documents and docstrings, the site, the kernels of other builds; `make test` runs them.'

test: ready ## Set everything up and run every check and test; minutes
	$(MAKE) --no-print-directory -j 2 pytest beside
	@$(BIN)/python scripts/browser.py --remind
	@$(if $(SAPPER_TESTS),,echo 'Left out too: repetitions, sanitizers, a wheel, `verifiers`; `make test-all` runs them.')

PYTEST = $(BIN)/python -m pytest -n auto --dist worksteal
pytest: $(VENV)/.dev
	$(PYTEST)

quick: $(VENV)/.dev
	$(PYTEST) -m "not slow and not browser" tests

# Together with pytest, which often waits, this keeps all cores busy; what it prints stays in one piece.
BESIDE = lint page docs oracle
beside: $(VENV)/.dev
	@mkdir -p build
	@$(MAKE) --no-print-directory -j 1 $(BESIDE) > build/beside.log 2>&1; status=$$?; cat build/beside.log; exit $$status

test-all: export SAPPER_TESTS := all
test-all: ## The same with the long tests, many more repetitions, sanitizers and a wheel; an hour
	$(MAKE) --no-print-directory test
	$(MAKE) --no-print-directory sanitize wheel models
	@echo 'Left out: benchmarks and mutants; `make figures MEASURE=1` and `make mutants` run them.'

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

page: $(VENV)/.dev ## Check the page's scripts: form, types, and tests that need no browser
	$(BIN)/python scripts/page.py

# Anew from the first page whenever something has changed: pages that are kept are not told of names that are gone.
DOCUMENTS = $(wildcard *.md) $(shell find docs src/sapper -path '*/static' -prune -o -name '*.pyc' -o -name '*.so' -o -type f -print; find docs/ -type d)
docs: build/docs/.built ## Build the site of the documentation in build/docs; every warning is an error
build/docs/.built: $(VENV)/.dev $(DOCUMENTS)
	$(BIN)/python -m sphinx -q -W --keep-going -n -E -b html docs build/docs
	@touch $@

checked: $(VENV)/.checked

# Only the files that have such tests are read: reading all takes longer than some of the tests.
ORACLE = $(BIN)/python -m pytest -m oracle $(shell grep -rl mark.oracle tests --include='*.py')
oracle: oracle-python oracle-checked ## The tests of the kernels again, uncompiled and with checked indices

oracle-python: $(VENV)/.dev
	SAPPER_KERNELS=python $(ORACLE)

oracle-checked: checked
	SAPPER_KERNELS=checked $(ORACLE)

sanitize: $(VENV)/.dev ## The tests of the kernels under gcc's AddressSanitizer and UndefinedBehaviorSanitizer
	@SAPPER_BUILD=sanitized $(BIN)/python setup.py --quiet build_ext --inplace --build-lib build/sanitized
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
		SAPPER_KERNELS=sanitized $(ORACLE) -n auto

# The system's package manager can bring the browser while pip brings the rest and the engine is compiled.
ready: $(VENV)/pyvenv.cfg
	@$(MAKE) --no-print-directory -j 3 $(VENV)/.dev system-browser
	@$(MAKE) --no-print-directory browser

system-browser: $(VENV)/pyvenv.cfg
	@$(BIN)/python scripts/browser.py --system

# Where no browser can be installed, `make test` leaves the tests of the page out and says so, first and last.
browser: $(VENV)/.dev
	@$(BIN)/python scripts/browser.py

wheel: $(VENV)/.dev ## Build the distributions in dist/, install the wheel where nothing else is, and try it out
	@$(INSTALL) --editable '.[release]'
	$(BIN)/python scripts/wheel.py

# 60 packages and 370 MB that nothing else needs, so `make test` leaves them out.
models: $(VENV)/.dev ## Install verifiers and test the environment for language models with it
	@SAPPER_BUILD=none $(INSTALL) --no-build-isolation --editable '.[verifiers]'
	$(BIN)/python -m pytest tests/env/test_verifiers.py

# MEASURE=1 runs all benchmarks whose results are older than the code; MEASURE="env load" runs these.
figures: $(VENV)/.dev ## Write docs/figures.md from the results of the benchmarks; MEASURE=1 to measure again
	$(BIN)/python -m benchmarks.figures $(if $(MEASURE),--measure $(filter-out 1,$(MEASURE)))

GAMES ?= 2000
strength: $(VENV)/.dev ## Measure how often the players win; GAMES=, BOARDS=folder
	$(BIN)/python -m benchmarks.strength --games $(GAMES) $(if $(BOARDS),--boards $(BOARDS)) --write

reproduce: $(VENV)/.dev ## Play every experiment of the reports again and write sapper-report.html
	$(BIN)/sapper reproduce

mutants: $(VENV)/.dev ## Measure how many small changes to the source the tests notice; half an hour
	@mkdir -p build
	$(BIN)/python scripts/mutants.py --fast --jobs 2 --output build/mutants.json

pictures: $(VENV)/.dev ## Draw the pictures of the README again
	$(BIN)/python scripts/pictures.py

screenshots: export SAPPER_NEEDS_BROWSER := 1
screenshots: $(VENV)/.dev browser ## Take the pictures of the page that the documents show
	$(BIN)/python scripts/screenshots.py

format: $(VENV)/.dev ## Put the code into the agreed form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## Remove what the commands above made
	rm -rf $(VENV) node_modules .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build src/*.egg-info
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

# The engine is compiled while pip brings everything else, by the same packages that tests use.
$(VENV)/.dev: $(VENV)/pyvenv.cfg pyproject.toml constraints.txt setup.py $(KERNELS)
	@echo "Installing Sapper with everything for tests and building its engine"
	@$(INSTALL) setuptools cython
	@$(MAKE) --no-print-directory packages engine
	@$(BIN)/python -c "import sapper.kernels"
	@touch $@ $(VENV)/.play

packages:
	@SAPPER_BUILD=none $(INSTALL) --no-build-isolation --editable '.[dev]'

engine:
	@$(BIN)/python setup.py --quiet build_ext --inplace --build-lib build/lib

$(VENV)/.checked: $(VENV)/.dev setup.py $(KERNELS)
	@echo "Building the engine that checks every index"
	@SAPPER_BUILD=checked $(BIN)/python setup.py --quiet build_ext --inplace --build-lib build/checked
	@touch $@
