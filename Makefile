# The short way in: `make quickstart` on a bare Debian 12 installs, builds, trains and reports.

# PRESET=cuda builds against another LibTorch, in a folder of its own.
PRESET := release
BUILD  := build/$(PRESET)
LIST  := $(shell sed -e 's/\#.*//' .ci/packages)

.PHONY: quickstart test pages papers build programs configure deps bench nights versus faults kills slurm recipes simulate stress \
        format check check-format check-subjects tidy each-source sanitize tsan fuzz check-deps clean

quickstart: programs
	$(BUILD)/ablate run experiments/quickstart.json --results results/quickstart
	$(BUILD)/ablate report results/quickstart

# Twice as many at once as there are cores: half of their time they wait for processes and disks.
test: build
	cd $(BUILD) && ctest --output-on-failure --parallel $$((2 * $$(nproc))) || \
	  { grep '^\[  FAILED  \].*ms)$$' Testing/Temporary/LastTest.log; exit 1; }

# Pages in a headless Chromium. `make test` does the same where Chromium and axe-core are there.
pages: configure
	@.ci/install-packages chromium
	npm ci --prefix tests/web --ignore-scripts --no-audit --no-fund
	cmake --build --preset $(PRESET) --target ablate_pages
	tests/web/check_pages.py --programs $(BUILD)

# Papers through pdflatex. `make test` does the same where TeX and its tools are there.
papers: configure
	@.ci/install-packages texlive-latex-recommended texlive-pictures lmodern chktex poppler-utils
	cmake --build --preset $(PRESET) --target ablate_papers
	tests/papers/compile_papers.py --programs $(BUILD)

build: configure
	cmake --build --preset $(PRESET)

# The two programs alone, without the tests: the quick way to a first run.
programs: configure
	cmake --build --preset $(PRESET) --target ablate ablate-worker

configure: deps
	cmake --preset $(PRESET) $(CMAKE_FLAGS)

# Installs the Debian packages of .ci/packages that are missing; asks for nothing where none is.
deps:
	@.ci/install-packages $(LIST)

bench: build
	$(BUILD)/ablate_bench $(BENCH_FLAGS)

# Real nights of the gate, one after another: none may raise an alarm. NIGHTS_FLAGS="--slower 10"
# plants a slowdown, which each must find.
nights: build
	tests/nights/nights.py --build $(BUILD) $(NIGHTS_FLAGS)

# Beside PyTorch trainers of the same model (Debian: python3-torch). VERSUS_FLAGS="--rounds 3"
versus: build
	tests/bench/versus/versus --build $(BUILD) $(VERSUS_FLAGS)

# Every file-system call of the programs fails once; 200 kills at random moments. Each takes its
# time: FAULTS_FLAGS="--command run --every 5", KILLS_FLAGS="--kills 20".
faults: build
	tests/faults/faults.py --build $(BUILD) $(FAULTS_FLAGS)

kills: build
	tests/faults/kills.py --build $(BUILD) $(KILLS_FLAGS)

# Shards on a real Slurm of this machine, preempted, killed and stopped at a time limit; needs root and Debian's packages.
slurm: build
	tests/slurm/check --build $(BUILD) $(SLURM_CASES)

# Recipes for other engines: those that Debian has run, the others are checked. `make test` does what the machine has programs for.
recipes: build
	@.ci/install-packages parallel snakemake python3-yaml
	npm ci --prefix tests/recipes --ignore-scripts --no-audit --no-fund
	tests/recipes/check --build $(BUILD) $(RECIPES_CASES)

# A thousand machines in one folder, some of which die or stand still.
simulate: build
	ABLATE_NODES=1000 $(BUILD)/ablate_tests --gtest_filter='ManyNodes.*'

# The tests that start processes or wait, ten times beside four busy processes a core: tests/README.md
# lists them. STRESS_FLAGS="--rounds 1 --all" runs the whole suite.
stress: build
	tests/stress/run_busy --build $(BUILD) $(STRESS_FLAGS)

format:
	clang-format -i $$(git ls-files '*.h' '*.cpp' '*.cu' '*.cuh')

# What a change must pass beside the tests.
check: check-format check-subjects tidy sanitize tsan

check-format: check-deps
	clang-format --dry-run --Werror $$(git ls-files '*.h' '*.cpp' '*.cu' '*.cuh')

# The subjects of the commits that are new.
check-subjects:
	.ci/check-subjects

# Names, and what is often wrong, in all that is built without LibTorch but tests. It cannot read
# precompiled headers. What passed is not read again before it changes.
tidy: deps check-deps
	cmake -G Ninja -S . -B build/tidy -DABLATE_TORCH=OFF -DCMAKE_UNITY_BUILD=OFF \
	  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON > /dev/null
	.ci/tidy.py build/tidy --leave-out '$(CURDIR)/tests/'

# Every source and header alone, without precompiled headers: each includes what it uses. An hour of
# two cores the first time; after that, what changed.
each-source: deps
	cmake -G Ninja -S . -B build/each-source -DCMAKE_UNITY_BUILD=OFF \
	  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON > /dev/null
	.ci/each_source.py build/each-source

# The tests that need no LibTorch, under AddressSanitizer and UndefinedBehaviorSanitizer, but for
# simulations of a thousand experiments and for those of the sources' text. The preset leaves out the
# checks of every pointer: AddressSanitizer finds most of what they would find. Where memory was
# allocated is kept for two frames: a whole trace of each allocation takes more time than the tests.
UNSANITIZED := SequentialAAgainstA.*:SelfTest.*:Namespaces.*:FloorPlan.*

sanitize: deps
	cmake --preset asan > /dev/null
	cmake --build --preset asan --target ablate_tests
	seq 0 $$(($$(nproc) - 1)) | GTEST_TOTAL_SHARDS=$$(nproc) xargs -P $$(nproc) -I {} \
	  env GTEST_SHARD_INDEX={} ASAN_OPTIONS=malloc_context_size=2:quarantine_size_mb=32 \
	  build/asan/ablate_tests --gtest_brief=1 --gtest_filter='-$(UNSANITIZED)'

# What several threads may call at once, under ThreadSanitizer.
tsan: deps check-deps
	cmake --preset tsan > /dev/null
	cmake --build --preset tsan --target ablate_thread_tests
	build/tsan/ablate_thread_tests --gtest_brief=1

# Mutated inputs for everything that reads one, each target for FUZZ_SECONDS, as many at once as
# there are cores. The same FUZZ_SEED gives the same inputs in the same order. An input that fails is
# written to build/asan/. The last line adds the inputs up.
FUZZ_SECONDS := 600
FUZZ_SEED    := 1
FUZZED       := $(patsubst tests/fuzz/%_fuzz.cpp,%,$(wildcard tests/fuzz/*_fuzz.cpp))

fuzz: deps
	cmake --preset asan > /dev/null
	cmake --build --preset asan --target fuzz
	cd build/asan && printf '%s\n' $(FUZZED) | xargs -P $$(nproc) -I {} \
	  env ./fuzz_{} --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED) > fuzzed; status=$$?; cat fuzzed; \
	  awk '{ runs += $$2 } END { print runs " inputs" }' fuzzed; exit $$status

check-deps:
	@.ci/install-packages $$(sed -e 's/\#.*//' .ci/check-packages)

clean:
	rm -rf build
