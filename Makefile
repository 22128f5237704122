# make run   install what is missing, build the page, serve both on http://127.0.0.1:8000
# make test  every check and test
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
DATA ?= ../shared/data
STAMPS := .make

.PHONY: help run dev test check bench schema install clean

help: ## show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(STAMPS)/venv: requirements.txt pyproject.toml
	@mkdir -p $(STAMPS)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(STAMPS)/dev: $(STAMPS)/venv requirements-dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

$(STAMPS)/node: frontend/package.json frontend/package-lock.json
	@mkdir -p $(STAMPS)
	cd frontend && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

FRONT := $(shell find frontend/src frontend/public frontend/index.html frontend/vite.config.ts -type f 2>/dev/null)

frontend/dist/index.html: $(STAMPS)/node $(FRONT)
	cd frontend && npm run --silent build
	@touch $@

install: $(STAMPS)/venv frontend/dist/index.html ## install and build, without serving

run: install ## serve API and page on http://127.0.0.1:8000
	$(BIN)/docmind serve

dev: $(STAMPS)/venv $(STAMPS)/node ## serve with reload: API on 8000, page on 5173
	$(BIN)/docmind serve & cd frontend && npm run dev

check: $(STAMPS)/dev $(STAMPS)/node ## format, lint, types, import direction, schema
	$(BIN)/ruff format --check backend
	$(BIN)/ruff check backend
	$(BIN)/mypy
	$(BIN)/lint-imports
	cd frontend && npm run --silent check

test: check frontend/dist/index.html ## check, then every test
	$(BIN)/pytest
	cd frontend && npm run --silent test

schema: $(STAMPS)/venv $(STAMPS)/node ## regenerate the page's API types
	$(BIN)/docmind openapi > frontend/openapi.json
	cd frontend && npm run --silent schema

bench: $(STAMPS)/dev ## measure speed, memory and search; DATA=folder of documents
	$(BIN)/python backend/bench/run.py --data $(DATA)

clean: ## remove what was installed and built, never data
	rm -rf .venv $(STAMPS) frontend/node_modules frontend/dist
