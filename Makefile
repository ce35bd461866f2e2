# The short way in: `make quickstart` on a bare Debian 12 installs, builds, trains and reports.

BUILD := build/release
LIST  := $(shell sed -e 's/\#.*//' .ci/packages)

.PHONY: quickstart test build programs configure deps bench versus format check check-format tidy \
        sanitize check-deps clean

quickstart: programs
	$(BUILD)/ablate run experiments/quickstart.json --results results/quickstart
	$(BUILD)/ablate report results/quickstart

test: build
	cd $(BUILD) && ctest --output-on-failure --parallel $$(nproc)

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

# What a change must pass beside the tests.
check: check-format tidy sanitize

check-format: check-deps
	clang-format --dry-run --Werror $$(git ls-files '*.h' '*.cpp')

# Names, and what is often wrong. It reads sources one by one, without precompiled headers.
tidy: deps check-deps
	cmake -G Ninja -S . -B build/tidy -DABLATE_TORCH=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON > /dev/null
	git ls-files 'objectives/*.cpp' 'harness/base/*.cpp' 'reports/*.cpp' | \
	  xargs -P $$(nproc) -n 3 clang-tidy --quiet -p build/tidy

# The tests that need no LibTorch, under AddressSanitizer and UndefinedBehaviorSanitizer.
sanitize: deps
	cmake --preset asan > /dev/null
	cmake --build --preset asan --target ablate_tests
	seq 0 $$(($$(nproc) - 1)) | GTEST_TOTAL_SHARDS=$$(nproc) xargs -P $$(nproc) -I {} \
	  env GTEST_SHARD_INDEX={} build/asan/ablate_tests --gtest_brief=1

check-deps:
	@.ci/install-packages $$(sed -e 's/\#.*//' .ci/check-packages)

clean:
	rm -rf build
