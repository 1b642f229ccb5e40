# Everything from a fresh clone; each target installs the Debian packages it needs and no others.

BUILD := build/release
JOBS := $(shell nproc)
SOURCES = $(shell git ls-files --cached --others --exclude-standard '*.cc' '*.h')

.PHONY: build demo test asan tsan fuzz bench peers docs lint format clean

# The command alone, at build/release/slm. Needs no test library.
build:
	@tools/bootstrap build
	@tools/configure release 'SLM_TESTS?=OFF'
	@cmake --build --preset release --target slm_cli

demo: build
	@tools/demo $(BUILD)/slm

test:
	@tools/bootstrap build test
	@tools/test-python
	@tools/configure release SLM_TESTS=ON
	@cmake --build --preset release
	@tools/build-wheel $(BUILD)
	@tools/run-tests release $(JOBS)

# The same tests with the address and undefined-behaviour sanitizers, and with the thread sanitizer.
asan tsan:
	@tools/bootstrap build test
	@tools/configure $@ SLM_TESTS=ON
	@cmake --build --preset $@
	@tools/run-tests $@ $(JOBS)

# Half an hour of processor time for each kind of input; FUZZ="--seconds 60 csv npy" for less.
fuzz:
	@tools/fuzz $(FUZZ)

bench:
	@tools/bootstrap build bench
	@tools/configure release SLM_BENCH=ON 'SLM_TESTS?=OFF'
	@cmake --build --preset release
	@bench/run $(BUILD)

# The methods beside the packages that users have for them. Needs SLM_DATA_DIR, and up to an hour.
peers: build
	@tools/bootstrap peers
	@bench/peers.py --slm $(BUILD)/slm

# The documentation as a site that needs no network: build/site/index.html.
docs:
	@tools/bootstrap docs
	@tools/test-python
	@NO_MKDOCS_2_WARNING=1 build/python/bin/mkdocs build --strict --quiet
	@echo build/site/index.html

lint:
	@tools/bootstrap build test lint
	@tools/configure release SLM_TESTS=ON
	@tools/check-includes
	@clang-format-14 --dry-run --Werror $(SOURCES)
	@printf '%s\n' $(filter-out examples/% bench/% python/% tests/fuzz/fuzzer.cc,$(filter %.cc,$(SOURCES))) | \
	  xargs -P$(JOBS) -n1 clang-tidy-14 -p $(BUILD) --quiet --warnings-as-errors='*' \
	    --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-sign-conversion 2>/dev/null

format:
	@tools/bootstrap lint
	@clang-format-14 -i $(SOURCES)

clean:
	rm -rf build
