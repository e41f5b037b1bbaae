# Everything a contributor or a curious visitor needs; each target sets up what it uses.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2

.PHONY: help demo test clients conformance fuzz lint format fixtures bench build bundle clean

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 13

$(VENV)/.app: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.app
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev --editable plugins/gatherum-example
	touch $@

demo: $(VENV)/.app  ## Gather the demo library and ask it three questions
	$(BIN)/gatherum index fixtures/library
	@for question in \
		"Are pets and animals allowed at the observatory?" \
		"DOME_SYNC_TIMEOUT" \
		"Que faire quand un enfant est perdu ?"; do \
		printf '\n\033[1m> gatherum search "%s"\033[0m\n' "$$question"; \
		$(BIN)/gatherum search "$$question" fixtures/library --limit 2 || exit 1; \
	done

test: $(VENV)/.dev  ## Run all tests
	$(BIN)/python -m pytest -n $(JOBS)

clients: $(VENV)/.dev  ## Fetch the clients of others that the tests run (from npm and PyPI)
	$(BIN)/python tests/clients/prepare.py

conformance: clients  ## Prove the server against the protocol's suite and the clients of others
	GATHERUM_CLIENTS=required $(BIN)/python -m pytest -n $(JOBS) tests/clients

fuzz: $(VENV)/.dev  ## Read 10,000 spoilt documents of every format
	GATHERUM_FUZZ=$${GATHERUM_FUZZ:-10000} $(BIN)/python -m pytest -n $(JOBS) tests/fuzz

lint: $(VENV)/.dev  ## Check style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests/typing/api.py
	$(BIN)/lint-imports

fixtures: $(VENV)/.app  ## Make the sources of binary formats that the tests read
	$(BIN)/python fixtures/make.py

format: $(VENV)/.dev  ## Put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev  ## Measure what must be fast
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/query.py
	$(BIN)/python benchmarks/isolation.py
	$(BIN)/python benchmarks/serve.py
	$(BIN)/python benchmarks/hook.py

build: $(VENV)/.dev  ## Build the wheel and the source archive into dist/
	$(BIN)/python -m build --outdir dist .

bundle:  ## Build the bundle for Claude Desktop into dist/
	$(PYTHON) core/packaging/build_bundle.py dist

clean:  ## Remove what the other targets made
	rm -rf $(VENV) dist fixtures/library/.gatherum tests/clients/.cache tests/clients/node_modules
