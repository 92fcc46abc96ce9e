# make run     set up once, then start the program and open its page   (make run ARGS="--camera 1")
# make test    set up once, then run all tests                         (make test ARGS="tests/vision -k gate")
# make lint    style and strict types
# make bench   measure recognition on labelled photographs             (make bench ARGS="FOLDER...")
# make robustness    recognition turned, scaled, compressed, in other light   (make robustness ARGS="FOLDER...")
# make fuzz          damaged records, layouts, journals and pictures   (make fuzz ARGS="--seconds 600 record layout journal images")
# make fuzz-images   damaged picture files against the intake   (make fuzz-images ARGS="--count 1000000")
# make fuzz-api      generated requests against the page   (make fuzz-api ARGS="--count 20000")
# make bench-engine  measure how fast the rules of the games are
# make bench-following   measure how well real games are followed   (make bench-following ARGS="--only lld-hard --jobs 2")
# make bench-hints   measure how fast the playouts behind the hints are
# make bench-page  how heavy the page is, how soon it is there, how soon an action reaches eight browsers
# make screenshots follow the demo and take the pictures that the README shows
# make tournament    what following the hints is worth; goes on where it stopped   (make tournament ARGS="--game sbros")
# make playouts      play thousands of random deals of every game    (make playouts ARGS="sbros --deals 1000")
# make mutants       test the tests of the rules by small faults     (make mutants ARGS="laugh_mistakes --sample 50")
# make data, train, export, score   the networks from nothing; see models/DATA.md (NPM=FOLDER PHOTOS="FOLDER..." ARGS="FOLDER...")
# make chaos         kill the program 500 times in the middle of a followed demo   (make chaos ARGS="--kills 20")
# make soak          five hours of play at four times their speed, with twenty pages open   (make soak ARGS="--hours 1")
# make texts   gather what people read into the catalogues of the languages   (make texts ARGS="--new it")
# make licences      the licences of all that the program runs with
# make audit         known weaknesses of the locked versions; DB names a stored database where there is no network
# make wheel   build dist/mournival-*.whl
# make lock    renew requirements-ci.txt, the exact versions that CI uses
#
# VENV is where the environment lives. With LOCK=requirements-ci.txt it is made of exactly those versions.

PYTHON ?= python3
VENV   ?= .venv
LOCK   ?=
ARGS   ?=
NPM    ?=
PHOTOS ?=
DB     ?=

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: run test lint data train export score bench bench-engine bench-following bench-hints bench-page screenshots tournament playouts mutants robustness fuzz fuzz-images fuzz-api chaos soak texts licences audit wheel lock clean

run: $(VENV)/.ready
	$(BIN)/mournival run $(ARGS)

test: $(VENV)/.ready-test
	$(BIN)/python -m pytest $(ARGS)

lint: $(VENV)/.ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.ready
	$(BIN)/python -m vision.benchmark $(ARGS)

robustness: $(VENV)/.ready
	$(BIN)/python -m vision.robustness --out models/robustness.md $(ARGS)

fuzz: $(VENV)/.ready-test
	$(BIN)/python -m tests.fuzzing $(ARGS)

fuzz-images: $(VENV)/.ready
	$(BIN)/python -m tests.vision.fuzz_images $(ARGS)

fuzz-api: $(VENV)/.ready-test
	$(BIN)/python -m tests.web.fuzz_api $(ARGS)

bench-engine: $(VENV)/.ready
	$(BIN)/python -m tests.engine_benchmark $(ARGS)

bench-following: $(VENV)/.ready
	$(BIN)/python -m tests.following_benchmark $(ARGS)

bench-hints: $(VENV)/.ready
	$(BIN)/python -m tests.hint_figures speed $(ARGS)

bench-page: $(VENV)/.ready-test
	$(BIN)/python -m tests.page_benchmark $(ARGS)

screenshots: $(VENV)/.ready-test
	$(BIN)/python -m tests.page_screenshots $(ARGS)

tournament: $(VENV)/.ready
	$(BIN)/python -m tests.hint_figures strength $(ARGS)

playouts: $(VENV)/.ready
	$(BIN)/python -m tests.playouts $(ARGS)

mutants: $(VENV)/.ready-test
	$(BIN)/python -m tests.mutation $(ARGS)

chaos: $(VENV)/.ready
	$(BIN)/python -m tests.chaos $(ARGS)

soak: $(VENV)/.ready
	$(BIN)/python -m tests.soak $(ARGS)

# All of these go on where they were broken off.

data: $(VENV)/.ready-training
	$(BIN)/python -m vision.training.art $(if $(NPM),--npm $(NPM)) --drawn 110
	$(BIN)/python -m vision.training.make_scenes --count 14000 --seed 1669
	$(BIN)/python -m vision.training.make_scenes --holdout --out training-data/holdout --count 200 --seed 77
	$(BIN)/python -m vision.training.make_scenes --holdout --out training-data/holdout-deal --count 50 --seed 78 \
		--size 1400 --layout deal
	$(BIN)/python -m vision.training.make_scenes --holdout --out training-data/holdout-rows --count 50 --seed 79 \
		--size 1400 --layout rows
	$(if $(PHOTOS),$(BIN)/python -m vision.training.label_photos $(PHOTOS))

train: $(VENV)/.ready-training
	$(BIN)/python -m vision.training.train_detector
	$(BIN)/python -m vision.training.train_namers index
	$(BIN)/python -m vision.training.train_namers card

export: $(VENV)/.ready-training
	$(BIN)/python -m vision.training.train_detector --export-only
	$(BIN)/python -m vision.training.train_namers index --export-only
	$(BIN)/python -m vision.training.train_namers card --export-only

score: $(VENV)/.ready-training
	for scenes in holdout holdout-deal holdout-rows; do \
		$(BIN)/python -m vision.training.evaluate --scenes training-data/$$scenes || exit 1; done
	$(BIN)/python -m vision.benchmark $(ARGS)

texts: $(VENV)/.ready
	$(BIN)/python -m tests.gather_texts $(ARGS)

licences: $(VENV)/.ready-test
	$(BIN)/python -m tests.licences

audit: $(VENV)/.ready-test
	$(if $(DB),,$(PIP) install 'pip-audit>=2.7,<3')
	$(BIN)/python -m tests.audit $(DB)

wheel: $(VENV)/.ready-build
	$(PIP) wheel . --no-deps $(if $(LOCK),--no-build-isolation) --wheel-dir dist
	@ls dist/*.whl

lock: $(VENV)/.ready-build
	$(PIP) install 'uv>=0.5,<1'
	$(BIN)/uv pip compile pyproject.toml --extra test --extra build --universal --python-version 3.11 --upgrade \
		--generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "make lock" \
		--quiet --output-file requirements-ci.txt

# The environment is made once and renewed only when the project's requirements change.

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or later is needed; name it: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { echo "$(PYTHON) can't make an environment; on Debian or Ubuntu: apt install python3-venv" >&2; exit 1; }

$(VENV)/.ready: pyproject.toml | $(VENV)/bin/python
	@echo "Setting up $(VENV); this takes a few minutes, once." >&2
	$(if $(LOCK),$(PIP) install --require-hashes -r $(LOCK))
	$(PIP) install $(if $(LOCK),--no-deps --no-build-isolation) -e .
	@touch $@

$(VENV)/.ready-test: $(VENV)/.ready
	@echo "Setting up what the tests need, once." >&2
	$(if $(LOCK),,$(PIP) install -e '.[test]')
	@touch $@

$(VENV)/.ready-training: $(VENV)/.ready
	$(PIP) install -e '.[training]'
	@touch $@

$(VENV)/.ready-build: $(VENV)/.ready
	$(if $(LOCK),,$(PIP) install -e '.[build]')
	@touch $@

clean:
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
