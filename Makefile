# Everything a user or CI runs. Each target does its own set-up: a machine needs only Rust, Python 3 and a C++ compiler. The viewer's page is
# already built in web/dist; building it again needs Node.js, and its tests need Chromium too.

# Without a world of your own: the racecar on open ground, along a figure of eight.
TRACK ?= $(if $(WORLD),,config/figure_eight.yaml)
WORLD ?=
ARGS ?=
SPEED ?= 1
STEER ?=
TURN ?=
SIDEWAYS ?=
VEHICLE ?=
# Duration of `make soak` in minutes, the seed of its inputs (a number, or random), and the build that it attacks: dev checks for overflow. `make test` runs it for one minute, and its ROS calls for 20 s beside other tests.
MINUTES ?= 60
SEED ?= random
PROFILE ?= release
SOAK_MINUTE := SKIDPAD_SOAK_SECONDS=60

# Provides ROS (ros/prepare), and meanwhile runs what does not need it: a command that comes again afterwards. -S: packages that Python loads at its start cost time.
prepare_ros = command -v python3 > /dev/null || { printf 'PATH: no python3 found\n  accepted: CPython 3.10 to 3.14\n  hint: on Debian and Ubuntu: apt install python3 python3-venv\n' >&2; exit 1; }; \
	SIMULATION_INTERFACES="$(SIMULATION_INTERFACES)" python3 -S ros/prepare $(if $(1),--meanwhile $(1))
CLIPPY_WITHOUT_ROS := cargo clippy --locked --workspace --exclude skidpad-ros --exclude skidpad-node --all-targets --features gpu -- -D warnings
# What needs neither ROS nor a graphics processor nor Python.
ALONE := --workspace --exclude skidpad-ros --exclude skidpad-node --exclude skidpad-gpu --exclude skidpad-python
# All tests and benchmarks, and the tools that measure.
TESTS_AND_TOOLS := cargo test --locked --no-run $(ALONE) --lib --bins --examples --tests --benches --test soak --test web_limits
# The programs: that of the ROS node (skidpad-ros and skidpad-node), and skidpad with all other commands.
NODE := -p skidpad-node
PROGRAMS := -p skidpad $(NODE)
# make build GPU=1
WITH_GPU := $(if $(filter 1,$(GPU)),--features skidpad/gpu --features skidpad-node/gpu)
# Recipes that need ROS begin with this: the sourced ROS, or the private one of .ros/.
IN_ROS := . ros/env.sh &&
# Messages of tests stay on the machine, and two test runs do not receive each other's. Humble has its own switch for the former.
TEST_ROS := if [ "$$ROS_DISTRO" = humble ]; then export ROS_LOCALHOST_ONLY=1; else unset ROS_LOCALHOST_ONLY; fi; export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST ROS_DOMAIN_ID=$$(( $$$$ % 100 + 1 )) SKIDPAD_BIN="$(CURDIR)/target/debug/skidpad" &&
PYTHON_FILES := $(wildcard launch/*.py ros/prepare/*.py ros/*.py ros/cli/*.py ros/cli/ros2 tests/*.py tests/nav2/*.py tests/reference/*.py tests/ros/*.py tests/support/*.py tests/browser/*.py docs/*.py xtask/*.py worlds/maps/*.py worlds/models/make/*.py python/*.py python/skidpad/*.py python/skidpad/*/*.py python/tests/*.py python/tests/*/*.py)
SHELL_FILES := ros/env.sh ros/bin/skidpad .ci/run .ci/rustc $(wildcard tests/*.sh web/*.sh)

# Python environments (with pip's --no-compile where few of the modules are ever imported) with the programs that tests/reference compares with, with the driver of the browser, of the manual, and of the Python package.
REFERENCE := target/reference
BROWSER := target/browser
MANUAL := target/manual
# Where the Python package is built, and where its wheel is tested: an environment of its own.
WHEEL_TOOLS := target/wheel-tools
WHEELS := target/wheels
TEST_WHEEL := target/test-wheel
PYTHON_TESTS := target/python-tests
# The linter and the type checker of Python, and those of spelling and of the libraries that Rust takes.
LINT_TOOLS := target/lint-tools
CARGO_DENY := $(LINT_TOOLS)/bin/cargo-deny --workspace --locked
# An exception that nothing needs is an error too.
DENY := -D unmatched-skip -D unnecessary-skip -D unmatched-skip-root
MYPY := $(LINT_TOOLS)/bin/mypy --no-error-summary
# Folders of scripts that find each other by name; tests may take for granted that there is what they look for.
PYTHON_FOLDERS := docs xtask launch ros ros/cli ros/prepare tests/support worlds/maps worlds/models/make
PYTHON_TEST_FOLDERS := tests/browser tests/nav2 tests/ros tests/reference python/tests python/tests/envs python/tests/remote python/tests/sweep python/tests/testing python/tests/tune
PYTHON_PATH := tests/support:tests/ros:ros/prepare:ros/cli:python/tests:python
MYPY_OF_TESTS := --no-warn-unused-ignores $(addprefix --disable-error-code=,arg-type assignment call-overload comparison-overlap dict-item index list-item no-redef operator str-bytes-safe type-var union-attr)
# mdBook, and where it is put.
MDBOOK_VERSION := 0.5.4
MDBOOK := target/tools/mdbook-$(MDBOOK_VERSION)
# Targets of the page, of the browser, of Vulkan and of valgrind are skipped with a message if the tools are missing; with CI=true that is an error.
with_tools = @sh web/tools.sh $(1); case $$? in 0) $(MAKE) --no-print-directory $(2);; 1) ;; *) exit 1;; esac
PYTEST := timeout -k 30 1800 python3 -m pytest -q -p no:cacheprovider -W ignore::DeprecationWarning
PYTHON_PYTEST := timeout -k 30 1200 $(CURDIR)/$(PYTHON_TESTS)/bin/python -m pytest -q -p no:cacheprovider
# $(call build_wheel,FOLDER,OPTIONS OF MATURIN,OPTIONS OF THE CHECK): the wheel of the Python package, alone in its folder.
build_wheel = rm -f $(1)/*.whl && PATH="$(CURDIR)/$(WHEEL_TOOLS)/bin:$$PATH" maturin build --quiet $(2) --locked --out $(1) && \
	$(WHEEL_TOOLS)/bin/python python/check_wheel.py $(3) $(1)/*.whl
# Commands in quotes, at the same time.
BESIDE := python3 $(CURDIR)/xtask/beside.py
# $(call timed,TARGET): makes it and tells how long that took.
timed = sh tests/timed.sh $(1) $(MAKE) --no-print-directory $(1)
# $(call in_parts,N,FOLDER,ENVIRONMENT,COMMANDS): a folder's tests in N parts at the same time, beside the commands, because they mostly wait. Each part takes the
# next test that no other has taken. The tests that need the machine to themselves follow.
in_parts = rm -rf target/taken && mkdir -p target/taken && $(BESIDE) $(4) \
	$(foreach part,$(shell seq $(1) -1 1),'$(3) $(PYTEST) --part $(part)/$(1) --shared target/taken $(2)') --then '$(3) $(PYTEST) --part alone $(2)'

.DEFAULT_GOAL := help
.PHONY: help run drive node build page wheel test test-wheel test-fast test-rust test-gpu test-reference test-ros test-page test-browser test-python soak lint audit package release-check build-times bench counts matrix plots pictures frames paste docs ros rust clean \
	page-static page-tests browser-tests gpu-tests counts-compared counts-if-changed lint-scripts lint-rust clippy-and-rustdoc test-tools python-environment python-tests

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /make \1|/p' Makefile | awk -F'|' '{ printf "%-12s %s\n", $$1, $$2 }'

run: node ## run the racecar on a figure of eight, or another world: make run WORLD=worlds/x.world.xml ARGS='--headless'
	@exec target/release/skidpad-ros run "$(or $(WORLD),worlds/tracking.world.xml)" $(if $(WORLD),,--set lidar=1) $(if $(TRACK),--track "$(TRACK)") $(ARGS)

drive: ros ## drive the vehicle of a running world: make drive SPEED=1 STEER=0.2, or TURN=0.3, SIDEWAYS=0.3, THROTTLE=0.5, BRAKE=1, VEHICLE=r1
	@$(IN_ROS) exec python3 ros/drive.py --speed=$(SPEED) $(if $(STEER),--steer=$(STEER)) $(if $(TURN),--turn=$(TURN)) $(if $(SIDEWAYS),--sideways=$(SIDEWAYS)) $(if $(THROTTLE),--throttle=$(THROTTLE)) $(if $(BRAKE),--brake=$(BRAKE)) --vehicle=$(VEHICLE)

node: rust ## build the program of the ROS node, target/release/skidpad-ros, alone
	@$(call prepare_ros,cargo build --locked --release $(NODE) --keep-going)
	@$(IN_ROS) cargo build --locked --release $(NODE)

build: rust ## build all programs: skidpad, and that of the ROS node; with GPU=1 a graphics processor can cast the rays of sensors
	@$(call prepare_ros,cargo build --locked --release $(PROGRAMS) $(WITH_GPU) --keep-going)
	@$(IN_ROS) cargo build --locked --release $(PROGRAMS) $(WITH_GPU)

page: web/node_modules/.package-lock.json ## build the viewer's page into web/dist (needs Node.js)
	cd web && npx --no-install vite build

# npm writes this file when everything is there.
web/node_modules/.package-lock.json: web/package-lock.json
	@sh web/tools.sh "the page" node || exit 1
	cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

wheel: rust $(WHEEL_TOOLS)/installed ## build the Python package as a wheel into target/wheels; for another processor: make wheel TARGET=aarch64-unknown-linux-gnu
	@$(call build_wheel,$(WHEELS),--release $(if $(TARGET),--target $(TARGET)))

# As `wheel` builds it, but not optimised for speed and size: with the libraries of the other tests, in seconds.
test-wheel: rust $(WHEEL_TOOLS)/installed
	@$(call build_wheel,$(TEST_WHEEL),--profile dev,--any-size)

$(WHEEL_TOOLS)/installed: python/requirements-build.txt
	python3 -m venv --clear $(WHEEL_TOOLS)
	$(WHEEL_TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check -r python/requirements-build.txt
	touch $@

# In this order, each with the time that it took. Beside the Rust tests, what needs no cargo; beside those with ROS, which mostly wait, what compiles, at the lowest
# priority: the instruction counts, the simulation's own packages and the environment of the Python tests.
test: ## run all tests: of the page, without ROS, with rays on a graphics processor, against other simulators, with ROS, as a colcon package, instruction counts, the simulation from its own packages, in a browser, of the Python package
	@rm -f target/times.txt && mkdir -p target
	@$(BESIDE) '$(call timed,test-page) && $(call timed,test-tools)' '$(call timed,test-rust)'
	@$(call timed,test-gpu) && $(call timed,test-reference)
	@BESIDE_ROS='$(call timed,counts-if-changed) && $(call timed,package) && $(call timed,python-environment)' $(call timed,test-ros)
	@$(call timed,test-browser) && $(call timed,python-tests)
	@echo "make test:" && cat target/times.txt

# Environments that later parts need.
test-tools: $(REFERENCE)/installed $(WHEEL_TOOLS)/installed

test-fast: rust ## before each commit, in at most three minutes: formatting, unit tests without those of identification, physics, worlds, runs, conventions, the manual
	cargo fmt --all --check
	cargo test --locked --quiet $(ALONE) --exclude skidpad-identify --exclude identification-coverage --lib --test conventions --test docs --test physics --test worlds --test runs

test-rust: rust
	cargo test --locked --quiet --no-run
	cargo test --locked --quiet --no-run --test web_limits
	@# The tests of web_limits mostly wait, so the others run meanwhile.
	@$(BESIDE) 'cargo test --locked --quiet --test web_limits' 'cargo test --locked --quiet'

test-gpu: rust ## compare rays that a graphics processor casts with those of the processor (needs Vulkan; Mesa's software driver will do)
	$(call with_tools,"rays on a graphics processor" vulkan,gpu-tests)

gpu-tests:
	cargo test --locked --quiet --features gpu --test gpu

test-reference: rust $(REFERENCE)/installed ## compare the models with published ones and other integrators
	@# The executable that test-rust has built.
	cargo test --locked --quiet --no-run --test program --test soak
	@# A minute of random input at the same time.
	@$(BESIDE) '$(SOAK_MINUTE) nice cargo test --locked --quiet --test soak -- --test-threads 3' \
	'SKIDPAD_BIN="$(CURDIR)/target/debug/skidpad" $(REFERENCE)/bin/python -m pytest -q -p no:cacheprovider tests/reference'

$(REFERENCE)/installed: tests/reference/requirements.txt
	python3 -m venv --clear $(REFERENCE)
	$(REFERENCE)/bin/python -m pip install --no-compile --quiet --disable-pip-version-check -r tests/reference/requirements.txt
	touch $@

# colcon builds meanwhile, because these tests mostly wait, and so does what BESIDE_ROS names, outside of ROS's shell; all of it ends before the tests that
# need the machine to themselves.
test-ros: rust ros
	python3 ros/test_prepare.py
	@$(IN_ROS) set -x && cargo test --locked --quiet -p skidpad-ros -p skidpad-node --lib --bins
	@$(IN_ROS) set -x && cargo build --locked --quiet $(PROGRAMS)
	@$(IN_ROS) sh tests/built_at_once.sh "$(PROGRAMS)" "$(NODE)"
	@$(call in_parts,3,tests/ros,$(IN_ROS) $(TEST_ROS),'nice -n 19 sh -c "$(or $(BESIDE_ROS),:)"' '$(IN_ROS) nice sh tests/colcon.sh')

test-python: python-environment python-tests ## test the Python package: its wheel, not optimised, installed into an environment of its own

# The wheel in a bare environment.
python-environment: test-wheel
	python3 -m venv --clear $(PYTHON_TESTS)
	$(PYTHON_TESTS)/bin/python -m pip install --quiet --disable-pip-version-check "$$(echo $(TEST_WHEEL)/*.whl)[all]" -r python/tests/requirements.txt

TUTORIALS_WITH_PACKAGE = $(addprefix tutorials::,$(basename $(notdir $(shell grep -l "import skidpad" docs/tutorials/*.md))))

# The tests are in a folder without the package's sources. Those that mostly wait run beside the others.
python-tests: rust ros
	@# Also without the features that the libraries of tests enable.
	cargo build --locked --quiet
	@# test-rust follows all tutorials, these without their programs that need the package.
	SKIDPAD_PYTHON="$(CURDIR)/$(PYTHON_TESTS)/bin/python" cargo test --locked --quiet --test program -- $(TUTORIALS_WITH_PACKAGE)
	@cd python/tests && export SKIDPAD_BIN="$(CURDIR)/target/debug/skidpad" && $(BESIDE) '$(PYTHON_PYTEST) remote sweep' '$(PYTHON_PYTEST) --ignore remote --ignore sweep .'

soak: rust ros ## attack with random worlds, recordings, ROS calls and viewer messages, and property tests of other seeds, all at once: make soak MINUTES=60 SEED=7 PROFILE=dev; failing inputs are kept in target/soak
	@$(IN_ROS) set -x && cargo build --locked --quiet --profile $(PROFILE) $(PROGRAMS) && cargo test --locked --quiet --profile $(PROFILE) --no-run --test soak
	@$(IN_ROS) $(TEST_ROS) export SKIDPAD_BIN="$(CURDIR)/target/$(if $(filter dev,$(PROFILE)),debug,$(PROFILE))/skidpad" SKIDPAD_SOAK_SECONDS=$$(( 60 * $(MINUTES) )) SKIDPAD_SOAK_SEED=$(SEED) && $(BESIDE) \
	'cargo test --locked --quiet --profile $(PROFILE) --test soak -- --nocapture --test-threads 3' 'python3 xtask/soak_properties.py $$(( 60 * $(MINUTES) )) $(SEED)' \
	'timeout -k 30 $$(( 60 * $(MINUTES) + 900 )) python3 -m pytest -q -s -p no:cacheprovider -W ignore::DeprecationWarning tests/ros/test_soak.py'

test-page: ## test the page, and that web/dist is up to date (needs Node.js)
	$(call with_tools,"the page's tests" node,page-tests)

page-tests: web/node_modules/.package-lock.json
	cd web && npx --no-install vitest run --reporter=dot --testTimeout 60000
	sh web/compare.sh

test-browser: rust ros ## test the page of a running node in a browser (needs Chromium)
	$(call with_tools,"the tests in a browser" node chromium,browser-tests)

browser-tests: $(BROWSER)/installed
	@$(IN_ROS) set -x && cargo build --locked --quiet $(PROGRAMS)
	@$(call in_parts,2,tests/browser,$(IN_ROS) $(TEST_ROS) export PYTHONPATH="$$(echo $(CURDIR)/$(BROWSER)/lib/python3*/site-packages):$$PYTHONPATH" &&)

# A folder of its own, for the Python that has ROS; the browser is the machine's.
$(BROWSER)/installed: tests/browser/requirements.txt tests/browser/package-lock.json
	@$(IN_ROS) python3 -m venv --clear $(BROWSER)
	$(BROWSER)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r tests/browser/requirements.txt
	cp tests/browser/package.json tests/browser/package-lock.json $(BROWSER)/ && cd $(BROWSER) && npm ci --no-audit --no-fund --loglevel=error
	touch $@

pictures: build $(BROWSER)/installed ## take the pictures of README and manual again, the moving one too (needs Chromium)
	@sh web/tools.sh "pictures" chromium || exit 1
	@$(IN_ROS) $(TEST_ROS) export SKIDPAD_BIN="$(CURDIR)/target/release/skidpad" PYTHONPATH="$$(echo $(CURDIR)/$(BROWSER)/lib/python3*/site-packages):$$PYTHONPATH" && set -x && python3 tests/browser/pictures.py

frames: build $(BROWSER)/installed ## count the frames of the page where software draws: make frames WORLDS=office AGAINST=../before/web/dist (needs Chromium)
	@sh web/tools.sh "frames" chromium || exit 1
	@$(IN_ROS) $(TEST_ROS) export SKIDPAD_BIN="$(CURDIR)/target/release/skidpad" PYTHONPATH="$$(echo $(CURDIR)/$(BROWSER)/lib/python3*/site-packages):$$PYTHONPATH" && python3 tests/browser/frames.py $(if $(AGAINST),--against $(AGAINST)) $(WORLDS)

# What needs no cargo takes one core: beside what cargo does.
lint: rust ## check spelling, dependencies, formatting, clippy, documentation, the page's types and style, names and types in Python, syntax of the scripts
	@mkdir -p target
	@$(BESIDE) '$(MAKE) --no-print-directory lint-scripts' '$(MAKE) --no-print-directory lint-rust'

lint-scripts: $(LINT_TOOLS)/installed
	python3 xtask/bits_explained.py
	python3 xtask/prose.py --check
	$(LINT_TOOLS)/bin/typos --hidden
	$(CARGO_DENY) check $(DENY) bans licenses sources
	@$(LINT_TOOLS)/bin/ruff check --quiet $(PYTHON_FILES)
	$(MYPY) python/skidpad
	@for folder in $(PYTHON_FOLDERS); do echo "mypy $$folder"; MYPYPATH=$$folder:$(PYTHON_PATH) $(MYPY) $$folder/*.py || exit 1; done
	@for folder in $(PYTHON_TEST_FOLDERS); do echo "mypy $$folder"; MYPYPATH=$$folder:$(PYTHON_PATH) $(MYPY) $(MYPY_OF_TESTS) $$folder/*.py || exit 1; done
	$(call with_tools,"the page's types and style" node,page-static)
	for file in $(SHELL_FILES); do bash -n $$file || exit 1; done

# In CI the build of the tests lints: .ci/rustc.
lint-rust: rust
	cargo fmt --all --check
	@$(if $(RUSTC_WORKSPACE_WRAPPER),$(call prepare_ros,$(TESTS_AND_TOOLS)),$(call prepare_ros,$(CLIPPY_WITHOUT_ROS)))
	$(if $(RUSTC_WORKSPACE_WRAPPER),$(TESTS_AND_TOOLS),$(MAKE) --no-print-directory clippy-and-rustdoc)

clippy-and-rustdoc:
	$(CLIPPY_WITHOUT_ROS)
	@# Only these two depend on ROS.
	@$(IN_ROS) set -x && cargo clippy --locked --quiet -p skidpad-ros -p skidpad-node --lib --bins --profile test --features skidpad-node/gpu -- -D warnings
	@$(IN_ROS) set -x && RUSTDOC="$(CURDIR)/tests/doc_links.py" cargo doc --locked --quiet --no-deps --workspace --exclude count-instructions --exclude skidpad-python --features gpu

$(LINT_TOOLS)/installed: tests/requirements-lint.txt
	python3 -m venv --clear $(LINT_TOOLS)
	$(LINT_TOOLS)/bin/python -m pip install --no-compile --quiet --disable-pip-version-check -r tests/requirements-lint.txt
	touch $@

release-check: rust ## before a release: one version everywhere, dated in the changelog, nothing uncommitted, and the packages for Python and colcon build
	cargo test --locked --quiet --test conventions release::
	@heading=$$(grep -m 1 '^## ' CHANGELOG.md); echo "$$heading" | grep -q '^## [0-9.]* ([0-9]\{4\}-[0-9][0-9]-[0-9][0-9])$$' || { printf 'CHANGELOG.md: found "%s"\n  accepted: ## VERSION (YYYY-MM-DD)\n' "$$heading" >&2; exit 1; }
	@test -z "$$(git status --porcelain)" || { git status --short >&2; printf 'working tree: found the changes above\n  hint: commit them first, so that the tag is what was checked\n' >&2; exit 1; }
	$(MAKE) --no-print-directory counts package wheel ros
	@$(IN_ROS) python3 xtask/write_build.py --check
	@$(IN_ROS) cargo build --locked --quiet $(PROGRAMS)
	@$(IN_ROS) sh tests/colcon.sh
	@version=$$(sed -n 's/^## \([0-9.]*\) .*/\1/p' CHANGELOG.md | head -n 1) && printf 'ready: git tag -a v%s -m "skidpad %s" && git push origin v%s\n' "$$version" "$$version" "$$version"

build-times: rust ros ## measure what each crate of a release build costs: the table of docs/development.md, and the figures that release-check compares
	@$(IN_ROS) python3 xtask/write_build.py

package: rust ## compile the simulation from its own packages, as `cargo add skidpad-sim` would get it
	sh tests/package.sh

# Needs the network, and is no part of lint: what was found yesterday fails no build of today.
audit: rust $(LINT_TOOLS)/installed ## look for known vulnerabilities and withdrawn versions of libraries, in RustSec's database
	$(CARGO_DENY) check advisories

page-static: web/node_modules/.package-lock.json
	cd web && npx --no-install tsc --noEmit && npx --no-install biome check .

bench: build ## measure the speed: criterion benchmarks, then whole worlds, whose table is written into README.md and docs/performance.md
	cargo bench --locked
	python3 xtask/write_speed.py target/release/skidpad

# The counts are those of one architecture.
counts: rust ## count the instructions of steps and compare them with the committed figures (needs valgrind): SKIDPAD_UPDATE=1 makes them the new figures
	$(call with_tools,"the instruction counts" valgrind,counts-compared)

# CI's compiler of the workspace lints, and optimises less.
counts-compared:
	env -u RUSTC_WORKSPACE_WRAPPER cargo build --locked --quiet --profile counted -p count-instructions
	target/counted/count-instructions
	@[ "$(SKIDPAD_UPDATE)" != 1 ] || python3 xtask/counted_sources.py --write

# Nothing is built where the sources are those of the last figures.
counts-if-changed:
	@if python3 xtask/counted_sources.py; then echo "make counts: nothing has changed since the figures were written"; else $(MAKE) --no-print-directory counts; fi

matrix: rust ## compute the table of docs/experiments.md (plants x tyres x trajectories), and a page of plots in target/matrix
	cargo build --locked --quiet --release
	target/release/skidpad experiment --matrix --out target/matrix

real-cars: rust ## identify real cars from folders of measurements, and write their classes and tables: make real-cars DATA=FOLDER
	cargo build --locked --quiet --release
	python3 xtask/write_real_cars.py target/release/skidpad "$(DATA)"

plots: rust ## draw the figures of docs/ again, with the commands below them, and write the tables of its matrices
	cargo build --locked --quiet --release
	@sed -n 's/^`skidpad \(plot .*\|experiment .* --curves .*\)`$$/\1/p' docs/*.md | while read -r plot; do echo "skidpad $$plot"; target/release/skidpad $$plot || exit 1; done
	python3 xtask/write_practice.py target/release/skidpad
	python3 xtask/write_matrices.py target/release/skidpad

paste: rust ## paste the commands of the manual, page after page, each with a fresh folder
	cargo build --locked --quiet --release
	python3 xtask/paste.py

docs: $(MDBOOK)/bin/mdbook $(MANUAL)/installed ## build the manual as a book with search, in target/book
	@PATH="$(CURDIR)/$(MANUAL)/bin:$$PATH" $(MDBOOK)/bin/mdbook build docs

# About four minutes of processor time, once.
$(MDBOOK)/bin/mdbook:
	cargo install --locked --quiet --root $(MDBOOK) --target-dir $(MDBOOK)/build --no-default-features --features search mdbook@$(MDBOOK_VERSION)
	rm -rf $(MDBOOK)/build

$(MANUAL)/installed: docs/requirements.txt
	python3 -m venv --clear $(MANUAL)
	$(MANUAL)/bin/python -m pip install --quiet --disable-pip-version-check -r docs/requirements.txt
	touch $@

ros: ## provide ROS 2: check the sourced one, or install a private one in .ros/ (SIMULATION_INTERFACES=2: with version 2 of that package)
	@$(call prepare_ros)

rust:
	@command -v cargo > /dev/null || { printf 'PATH: no cargo found\n  accepted: Rust 1.89 or later\n  hint: install it as rustup.rs says, then open a new shell\n' >&2; exit 1; }

clean: ## remove everything that was built or downloaded
	rm -rf target .ros build install log web/node_modules
