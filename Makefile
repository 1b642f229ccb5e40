# Everything from a fresh clone; each target installs the Debian packages it needs and no others.

BUILD := build/release
JOBS := $(shell nproc)
SOURCES = $(shell git ls-files --cached --others --exclude-standard '*.cc' '*.h')
CHECK_FORMAT = printf '%s\n' $(SOURCES) | xargs -P$(JOBS) -n32 clang-format-14 --dry-run --Werror

.PHONY: build demo check test wheels reproducible unit-asan asan tsan fuzz bench peers docs lint analyze format clean

# The command alone, at build/release/slm. Needs no test library.
build:
	@tools/bootstrap build
	@tools/configure release 'SLM_TESTS?=OFF'
	@cmake --build --preset release --target slm_cli

demo: build
	@tools/demo $(BUILD)/slm

# Before a commit: format, includes, clang-tidy on what differs from origin/main, and the C++ unit tests.
check:
	@tools/bootstrap build unit lint
	@tools/check-includes
	@$(CHECK_FORMAT)
	@tools/configure lint SLM_TESTS=ON
	@tools/lint --changed --jobs $(JOBS)
	@tools/configure release SLM_TESTS=ON
	@cmake --build --preset release --target unit-tests
	@tools/run-tests release $(JOBS) unit

test:
	@tools/bootstrap build unit test
	@tools/configure release SLM_TESTS=ON
	@tools/test-python & cmake --build --preset release && wait $$!
	@tools/build-wheel $(BUILD)
	@tools/run-tests release $(JOBS)

# The wheels for other machines, in build/wheels, each tried in new environments of the Pythons of this machine.
wheels: build
	@tools/build-wheels $(BUILD)
	@tests/install/python $(CURDIR)

# Two builds in two places: the same bytes.
reproducible:
	@tools/bootstrap build test
	@tools/test-python
	@tests/install/reproducible .

# The C++ unit tests with the address and undefined-behaviour sanitizers.
unit-asan:
	@tools/bootstrap build unit
	@tools/configure asan SLM_TESTS=ON
	@cmake --build --preset asan --target unit-tests
	@tools/run-tests asan $(JOBS) unit

# All tests with the same sanitizers, and with the thread sanitizer.
asan tsan:
	@tools/bootstrap build unit test
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
	@tools/bootstrap build unit lint
	@tools/check-includes
	@$(CHECK_FORMAT)
	@tools/configure lint SLM_TESTS=ON
	@tools/lint --jobs $(JOBS)

# Clang's static analyzer on what is shipped, and the readers' fuzz corpora under valgrind.
analyze:
	@tools/bootstrap build unit lint analyze
	@tools/configure lint SLM_TESTS=ON
	@tools/lint --analyzer --jobs $(JOBS)
	@tools/configure release SLM_TESTS=ON
	@cmake --build --preset release --target fuzz_test
	@tools/valgrind-readers $(BUILD)

format:
	@tools/bootstrap lint
	@clang-format-14 -i $(SOURCES)

clean:
	rm -rf build
