# Everything a user or CI runs. Each target does its own set-up: Rust and Python 3 are all a machine must bring, plus a C++ compiler.

# Without a world of your own: the racecar on open ground, along a figure of eight.
TRACK ?= $(if $(WORLD),,config/figure_eight.yaml)
WORLD ?=
ARGS ?=
SPEED ?= 1
STEER ?=
TURN ?=
VEHICLE ?=

# Recipes that need ROS begin with this: the sourced ROS, or the private one of .ros/.
IN_ROS := . ros/env.sh &&
# Nothing that a test publishes leaves the machine, and two runs do not hear each other. Humble has its own switch for the former.
TEST_ROS := if [ "$$ROS_DISTRO" = humble ]; then export ROS_LOCALHOST_ONLY=1; else unset ROS_LOCALHOST_ONLY; fi; export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST ROS_DOMAIN_ID=$$(( $$$$ % 100 + 1 )) SKIDPAD_BIN="$(CURDIR)/target/debug/skidpad" &&
PYTHON_FILES := $(wildcard launch/*.py ros/prepare/*.py ros/*.py tests/*.py tests/reference/*.py tests/ros/*.py)
SHELL_FILES := ros/env.sh .ci/run $(wildcard tests/*.sh)

# What tests/reference compares with.
REFERENCE := target/reference

.DEFAULT_GOAL := help
.PHONY: help run drive build test test-rust test-reference test-ros lint bench matrix plots ros rust clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /make \1|/p' Makefile | awk -F'|' '{ printf "%-12s %s\n", $$1, $$2 }'

run: build ## the racecar along a figure of eight; or another world: make run WORLD=worlds/x.world.xml ARGS='--headless'
	@$(IN_ROS) exec target/release/skidpad run "$(or $(WORLD),worlds/tracking.world.xml)" $(if $(WORLD),,--set lidar=1) $(if $(TRACK),--track "$(TRACK)") $(ARGS)

drive: ros ## drive the vehicle of a running world: make drive SPEED=1 STEER=0.2, or TURN=0.3, THROTTLE=0.5, BRAKE=1, VEHICLE=r1
	@$(IN_ROS) exec python3 ros/drive.py --speed=$(SPEED) $(if $(STEER),--steer=$(STEER)) $(if $(TURN),--turn=$(TURN)) $(if $(THROTTLE),--throttle=$(THROTTLE)) $(if $(BRAKE),--brake=$(BRAKE)) --vehicle=$(VEHICLE)

build: rust ros ## the release executables with the ROS node in them
	@$(IN_ROS) cargo build --locked --release --features ros

test: test-rust test-reference test-ros ## all tests: without ROS, against other simulators, with ROS, as a colcon package

test-rust: rust
	cargo check --locked --quiet
	cargo test --locked --quiet

test-reference: rust $(REFERENCE)/installed ## models against published ones and other integrators
	cargo build --locked --quiet
	SKIDPAD_BIN="$(CURDIR)/target/debug/skidpad" $(REFERENCE)/bin/python -m pytest -q -p no:cacheprovider tests/reference

$(REFERENCE)/installed: tests/reference/requirements.txt
	python3 -m venv --clear $(REFERENCE)
	$(REFERENCE)/bin/python -m pip install --quiet --disable-pip-version-check -r tests/reference/requirements.txt
	touch $@

test-ros: rust ros
	python3 ros/test_prepare.py
	@$(IN_ROS) set -x && cargo test --locked --quiet --features ros --lib --bins -- ros::
	@$(IN_ROS) set -x && cargo build --locked --quiet --features ros
	sh tests/colcon.sh
	@if [ -d tests/ros ]; then $(IN_ROS) $(TEST_ROS) set -x && python3 -m pytest -q -p no:cacheprovider -W ignore::DeprecationWarning tests/ros; fi

lint: rust ros ## formatting, clippy, documentation, syntax of the scripts
	cargo fmt --check
	cargo clippy --locked --quiet --all-targets -- -D warnings
	@$(IN_ROS) set -x && cargo clippy --locked --quiet --all-targets --features ros -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --quiet --no-deps
	@$(IN_ROS) set -x && RUSTDOCFLAGS="-D warnings" cargo doc --locked --quiet --no-deps --features ros
	python3 -c 'import ast, sys; [ast.parse(open(name).read(), name) for name in sys.argv[1:]]' $(PYTHON_FILES)
	for file in $(SHELL_FILES); do bash -n $$file || exit 1; done

bench: build ## how fast it is: criterion benchmarks, then whole worlds
	cargo bench --locked
	@$(IN_ROS) target/release/skidpad bench

matrix: rust ## plants x tyres x trajectories: the table of the README, and a page of plots in target/matrix
	cargo build --locked --quiet --release
	target/release/skidpad experiment --matrix --out target/matrix

plots: rust ## draw the pictures of docs/ anew, with the commands below them
	cargo build --locked --quiet --release
	@sed -n 's/^`skidpad \(plot .*\)`$$/\1/p' docs/*.md | while read -r plot; do echo "skidpad $$plot"; target/release/skidpad $$plot || exit 1; done

ros: ## make ROS 2 usable: check the sourced one, or put a private one into .ros/ (SIMULATION_INTERFACES=2: with version 2 of these)
	@command -v python3 > /dev/null || { printf 'PATH: no python3 found\n  accepted: CPython 3.10 to 3.14\n  hint: on Debian and Ubuntu: apt install python3 python3-venv\n' >&2; exit 1; }
	@SIMULATION_INTERFACES="$(SIMULATION_INTERFACES)" python3 ros/prepare

rust:
	@command -v cargo > /dev/null || { printf 'PATH: no cargo found\n  accepted: Rust 1.89 or later\n  hint: install it as rustup.rs says, then open a new shell\n' >&2; exit 1; }

clean: ## remove everything that was built or downloaded
	rm -rf target .ros build install log
