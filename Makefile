# The commands for contributors. Warnings are errors here, but not for users of the package.
export REQRUN_STRICT := 1

PREFIX ?= /usr/local
# As many tests at once as there are processors, since some measure time; older toolchains can't be told.
PROCESSORS = $(shell getconf _NPROCESSORS_ONLN)
WIDTH := --experimental-maximum-parallelization-width
PARALLEL = $(shell swift test --help-hidden | grep -q -e $(WIDTH) && echo $(WIDTH) $(PROCESSORS) || echo --no-parallel)
RELEASE := .build-release
RELEASE_FILES ?= $(RELEASE)/release
LINK := $(RELEASE)/link
BUILD = swift build -c release --scratch-path $(RELEASE) -debug-info-format none
ifeq ($(shell uname),Darwin)
# Formulas that are not linked into Homebrew's prefix; without theirs, SwiftPM would take the system's libraries.
BREW := $(shell brew --prefix)
KEGS := $(foreach keg,curl openssl@3 libxml2 zlib icu4c libarchive,$(BREW)/opt/$(keg)/lib/pkgconfig)
empty :=
export PKG_CONFIG_PATH := $(subst $(empty) $(empty),:,$(KEGS)):$(PKG_CONFIG_PATH)
endif
ifeq ($(shell uname),Linux)
STRIP := -s
# Nothing is exported, functions that nobody calls are left out, equal ones are linked once, relative relocations are
# packed, and tables for unwinding, which only exceptions of C++ need, are left out.
STATIC = --static-swift-stdlib -Xswiftc -L$(CURDIR)/$(LINK) -Xswiftc -use-ld=lld -Xlinker $(STRIP) \
  -Xlinker --no-export-dynamic -Xlinker --gc-sections -Xlinker --icf=all -Xlinker -z -Xlinker pack-relative-relocs \
  -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker $(CURDIR)/Scripts/without-unwinding.ld \
  -Xswiftc -Xfrontend -Xswiftc -function-sections \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# Functions that usual runs need are side by side, if this system can count them.
ORDER := $(RELEASE)/order
ORDERED = -Xlinker --symbol-ordering-file=$(CURDIR)/$(ORDER) -Xlinker --no-warn-symbol-ordering
$(ORDER): $(LINK)
	@Scripts/setup
	$(BUILD) $(patsubst $(STRIP),--strip-debug,$(STATIC))
	Scripts/order-functions $(RELEASE)/release/reqrun > $@.new && mv $@.new $@
release: $(LINK) $(ORDER)
endif
release $(ORDER): export REQRUN_RELEASE := 1

.PHONY: help setup run test test-release fuzz release bench bench-growth guard format lint docs install install-files dist vsix clean

help: ## List these commands
	@grep -E '^[a-z-]+:.*##' Makefile | awk -F ':.*## ' '{ printf "%-14s%s\n", $$1, $$2 }'

setup: ## Install the system libraries (apt or brew)
	@Scripts/setup

run: ## Build, and run the examples against the demo server
	@Scripts/setup
	swift build --product reqrun
	$$(swift build --show-bin-path)/reqrun Examples/*.yaml

test: ## Build, and run the tests
	@Scripts/setup --tests
	Scripts/test $(PARALLEL)

test-release: release ## Run the end-to-end tests with the release
	REQRUN_PRODUCTS=$(CURDIR)/$(RELEASE)/release Scripts/test $(PARALLEL) --filter EndToEndTests

fuzz: release ## Feed the release broken inputs, SECONDS=… long (or until Ctrl-C), with SEED=…
	Scripts/fuzz $(RELEASE)/release/reqrun

release: ## Build the release into a scratch path of its own
	@Scripts/setup
	$(BUILD) $(STATIC) $(ORDERED)

# The needed part of the C++ library, which the Swift runtime uses, is linked statically.
$(LINK): Makefile
	rm -rf $@ && mkdir -p $@
	ln -sf "$$(gcc -print-file-name=libstdc++.a)" $@/libstdc++.a

bench: release ## Compare with curl in the same run
	Scripts/bench $(RELEASE)/release/reqrun

bench-growth: release ## Fail if a cost grows faster than its input
	Scripts/bench-growth $(RELEASE)/release/reqrun

guard: ## Fail if fixed work costs more instructions, system calls or memory than recorded; RECORD=--record
	@# Linked once with the names of functions.
	$(MAKE) release STRIP=--strip-debug
	cp $(RELEASE)/release/reqrun $(RELEASE)/reqrun-named
	$(MAKE) release
	Scripts/guard $(RELEASE)/reqrun-named $(RECORD)

format: ## Format the sources in place
	swift format --in-place --parallel --recursive Package.swift Sources Tests Examples/swift-testing

lint: ## Check the format, the wording, and known compiler traps
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Examples/swift-testing
	Scripts/lint-closures
	Scripts/lint-excerpts
	Scripts/lint-words
	Scripts/lint-patterns
	Scripts/lint-packaging

docs: ## Build the documentation into docs-output
	Scripts/docs

install: release install-files ## Install below PREFIX (default /usr/local)

install-files:
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man5
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	install -d $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 755 $(RELEASE_FILES)/reqrun $(DESTDIR)$(PREFIX)/bin/reqrun
	install -d $(DESTDIR)$(PREFIX)/libexec/reqrun
	install -m 755 $(RELEASE_FILES)/reqrun-convert $(DESTDIR)$(PREFIX)/libexec/reqrun/
	if [ -e $(RELEASE_FILES)/reqrun-urlsession ]; then \
	  install -m 755 $(RELEASE_FILES)/reqrun-urlsession $(DESTDIR)$(PREFIX)/libexec/reqrun/; fi
	$(RELEASE_FILES)/reqrun man > $(DESTDIR)$(PREFIX)/share/man/man1/reqrun.1
	$(RELEASE_FILES)/reqrun man format > $(DESTDIR)$(PREFIX)/share/man/man5/reqrun-format.5
	$(RELEASE_FILES)/reqrun completions bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/reqrun
	$(RELEASE_FILES)/reqrun completions zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_reqrun
	$(RELEASE_FILES)/reqrun completions fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/reqrun.fish

dist: release ## Pack the release into dist: a tarball, a Debian package, an SBOM, the formula
	Scripts/dist $(RELEASE_FILES)

vsix: ## Pack the extension for VS Code into dist
	Scripts/make-vsix

clean: ## Remove build products
	rm -rf .build $(RELEASE) docs-output dist
