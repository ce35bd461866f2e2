# The short way in: `make quickstart` on a bare Debian 12 installs, builds, trains and reports.

BUILD := build/release
LIST  := $(shell sed -e 's/\#.*//' .ci/packages)

.PHONY: quickstart test build programs configure deps bench versus format check-format clean

quickstart: programs
	$(BUILD)/ablate run experiments/quickstart.json --results results/quickstart
	$(BUILD)/ablate report results/quickstart

test: build
	cd $(BUILD) && ctest --output-on-failure

build: configure
	cmake --build --preset release

# The two programs alone, without the tests: the quick way to a first run.
programs: configure
	cmake --build --preset release --target ablate ablate-worker

configure: deps
	cmake --preset release $(CMAKE_FLAGS)

# Installs the Debian packages of .ci/packages that are missing; asks for nothing where none is.
deps:
	@.ci/install-packages $(LIST)

bench: build
	$(BUILD)/ablate_bench $(BENCH_FLAGS)

# Beside an eager PyTorch trainer of the same model (Debian: python3-torch).
versus: build
	tests/bench/versus/versus --build $(BUILD) $(VERSUS_FLAGS)

format:
	clang-format -i $$(git ls-files '*.h' '*.cpp')

check-format:
	clang-format --dry-run --Werror $$(git ls-files '*.h' '*.cpp')

clean:
	rm -rf build
