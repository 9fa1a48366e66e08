# posviz: build, test, install. `make help` lists what there is.

PREFIX  ?= /usr/local
DESTDIR ?=
MODE    ?= release
B       ?= build/$(MODE)
FUZZ_SECONDS ?= 20

# Debian 12. PACKAGES: to build, run and test; CHECK_PACKAGES: for the other checks.
PACKAGES = build-essential pkg-config libncurses-dev ncurses-term libopenblas-dev libpng-dev \
	libcairo2-dev libpango1.0-dev libfontconfig-dev libutf8proc-dev libjansson-dev \
	libgraphviz-dev libvterm-dev libcmocka-dev fonts-dejavu-core fonts-inter fonts-noto-cjk
CHECK_PACKAGES = valgrind clang libclang-rt-14-dev clang-format cppcheck lcov mandoc groff
CROSS_PACKAGES = gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user musl-tools

PKGS    = cairo pangocairo pangoft2 fontconfig libpng jansson libcgraph libutf8proc openblas ncursesw
WARN    = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wvla -Wpointer-arith -Wcast-qual -Wwrite-strings -Wundef \
	-Wformat=2 -Wno-format-nonliteral -Wno-missing-field-initializers
ifdef CI
WARN   += -Werror
endif
# The same bytes wherever it is built.
CFLAGS_release  = -O2 -g -ffile-prefix-map=$(CURDIR)=.
CFLAGS_portable = -O2 -g -DPOSVIZ_PORTABLE
CFLAGS_debug    = -Og -g
CFLAGS_asan     = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer
CFLAGS_tsan     = -O1 -g -fsanitize=thread
CFLAGS_coverage = -O0 -g --coverage
CFLAGS_fuzz     = -O1 -g -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=undefined
LDFLAGS_asan    = -fsanitize=address,undefined
LDFLAGS_tsan    = -fsanitize=thread
LDFLAGS_coverage = --coverage
LDFLAGS_fuzz    = -fsanitize=address,undefined

# The second is raised when programs made with the library before must be made anew.
VERSION    = 0.1.0
SO_VERSION = 0
PKG_CONFIG ?= pkg-config
RANLIB     ?= ranlib
INSTALL    ?= install
# POSIX and what the BSDs have; more only in src/base/portable.c.
ALL_CPPFLAGS = -DPOSVIZ_VERSION=\"$(VERSION)\" -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -DNCURSES_WIDECHAR=1 \
	-Iinclude -Isrc $(CPPFLAGS)
# Asked once, when the first file is compiled: `make deps all` installs pkg-config itself.
PKG_CFLAGS = $(eval PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PKGS) | \
	sed 's/-I/-isystem /g;s/-D_XOPEN_SOURCE[^ ]*//'))$(PKG_CFLAGS)
PKG_LIBS   = $(eval PKG_LIBS := $(shell $(PKG_CONFIG) --libs $(PKGS)))$(PKG_LIBS)
ALL_CFLAGS = -std=c17 $(WARN) $(CFLAGS_$(MODE)) -fno-math-errno -fPIC -fvisibility=hidden -pthread $(CFLAGS)
ALL_LIBS   = $(PKG_LIBS) -lm -pthread

SRC     := $(sort $(wildcard src/*/*.c))
MAIN_SRC := src/cli/main.c src/cli/early.c
LIB_SRC := $(filter-out $(MAIN_SRC) src/math/vexp.c,$(SRC))
OBJ     := $(LIB_SRC:%.c=$(B)/%.o) $(B)/gen/assets.o
# exp and softmax for the levels of x86-64, of which the fitting one is chosen when the program starts;
# elsewhere, and where the compiler does not know them, one that is plain.
X86     := $(if $(filter portable,$(MODE)),,$(shell for m in x86-64-v3 x86-64-v4; do \
	$(CC) -march=$$m -fsyntax-only -x c /dev/null 2>/dev/null || exit; done; echo yes))
VEXP    := $(foreach v,base $(if $(X86),avx2 avx512),$(B)/src/math/vexp_$(v).o)
LIB     := $(B)/libposviz.a
# Tests make themselves known (tests/help/test.h). unit: what also runs under the sanitizers, and what
# fuzzers found; whole: the program, terminals, pages, and what goes through all schemes.
tests_in = $(patsubst %.c,$(B)/%.o,$(sort $(wildcard $(1))))
HELPERS := $(call tests_in,tests/help/*.c)
TESTS    = $(B)/tests/units $(B)/tests/wholes
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
ASSETS  := $(sort $(shell find assets -type f 2>/dev/null))
C_FILES := $(SRC) $(wildcard src/*/*.h include/posviz/*.h tests/*.c tests/*/*.[ch])

# Fuzzers learn the constants that bytes are compared with; not from files that only compute, where it
# took half of the time.
READ_TEXT := src/math/calc.c src/model/leaf_tensor.c $(addprefix src/scheme/,define.c expr.c \
	expr_members.c formula.c given.c param.c registry.c results.c value.c)
COMPUTE   := $(filter-out $(READ_TEXT),$(wildcard src/math/*.c src/model/*.c src/scheme/*.c))
$(COMPUTE:%.c=$(B)/%.o): CFLAGS_fuzz += -fno-sanitize-coverage=trace-cmp

# `make deps test` installs before it compiles, with -j too.
FIRST := $(filter deps check-deps,$(MAKECMDGOALS))
# The same rules under other flags, each in a directory of its own.
mode = +$(MAKE) --no-print-directory MODE=$(1) B=$(if $(filter command line,$(origin B)),$(B)-$(1),build/$(1))
# `make V=1` shows the commands.
SAY = $(if $(V),,@echo "  $(1)" &&)
.DELETE_ON_ERROR:
.SUFFIXES:
# What pattern rules make on the way is kept.
.SECONDARY:

.PHONY: all run test test-unit test-long mutants screens check-asan check-tsan check-valgrind bench fuzz lint format coverage man \
	install uninstall clean help deps check-deps pages fuzz-run coverage-report readme

all: $(B)/posviz ## build the program (the default)

run: all ## build and start it
	@$(B)/posviz

$(B)/posviz: $(MAIN_SRC:%.c=$(B)/%.o) $(LIB)
	$(call SAY,LD $@)$(CC) $(LDFLAGS_$(MODE)) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

$(LIB): $(OBJ) $(VEXP)
	@rm -f $@
	@$(AR) rcD $@ $^
	@$(RANLIB) $@

$(B)/tests/%.o: ALL_CPPFLAGS += -D_GNU_SOURCE
$(B)/%.o: %.c | $(FIRST)
	@mkdir -p $(@D)
	$(call SAY,CC $<)$(CC) $(ALL_CPPFLAGS) $(PKG_CFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/src/math/vexp_base.o: MARCH = $(if $(X86),-march=x86-64)
$(B)/src/math/vexp_avx2.o: MARCH = -march=x86-64-v3
$(B)/src/math/vexp_avx512.o: MARCH = -march=x86-64-v4 -mprefer-vector-width=512
$(B)/src/math/vexp_%.o: src/math/vexp.c | $(FIRST)
	@mkdir -p $(@D)
	$(call SAY,CC $< ($*))$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -O3 -fopenmp-simd $(MARCH) -DVEXP=vexp_$* -MMD -MP -c -o $@ $<

$(B)/src/math/softmax.o: ALL_CPPFLAGS += $(if $(X86),-DVEXP_X86)

# Everything under assets/ is part of the binary, found by its path.
$(B)/gen/assets.c: $(ASSETS) Makefile
	@mkdir -p $(@D)
	@{ echo '#include "posviz/asset.h"'; i=0; \
	for f in $(ASSETS); do i=$$((i+1)); echo "static const unsigned char asset_$$i[] = {"; \
	od -An -v -tu1 $$f | sed 's/[0-9][0-9]*/&,/g'; echo '0};'; done; \
	echo '#define ROW(path, at) {path, (const char *)at, (const char *)at + sizeof at - 1},'; \
	echo 'const struct asset assets[] = {'; i=0; \
	for f in $(ASSETS); do i=$$((i+1)); echo "ROW(\"$${f#assets/}\", asset_$$i)"; done; \
	echo '{0}};'; } > $@
$(B)/gen/assets.o: $(B)/gen/assets.c | $(FIRST)
	$(call SAY,CC $<)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(B)/tests/%.o: CPPFLAGS += -Itests/help
$(B)/tests/units: $(call tests_in,tests/unit/*.c tests/fuzz/*.c) $(HELPERS) $(LIB)
$(B)/tests/wholes: $(call tests_in,tests/whole/*.c) $(HELPERS) $(LIB)
$(TESTS):
	$(call SAY,LD $@)$(CC) $(LDFLAGS_$(MODE)) $(LDFLAGS) -o $@ $^ $(ALL_LIBS) -lcmocka -lvterm
$(B)/tests/bench: $(B)/tests/bench.o $(LIB)
	$(call SAY,LD $@)$(CC) $(LDFLAGS_$(MODE)) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

-include $(shell find $(B) -name '*.d' 2>/dev/null)

# ---- tests

# Tests pin the kernels and one BLAS thread; results are compared with tolerances all the same. Nobody
# finds a configuration or a last scene.
TEST_ENV = env -u LINES -u COLUMNS -u NO_COLOR -u COLORTERM -u TMUX -u STY \
	POSVIZ=$(abspath $(B)/posviz) LC_ALL=C.UTF-8 OPENBLAS_NUM_THREADS=1 \
	XDG_CONFIG_HOME=/dev/null XDG_STATE_HOME=/dev/null
test: all $(TESTS) pages ## run all tests (T=TEXT: those whose "file: name" has it)
	@tests/layers.sh
	@$(TEST_ENV) $(RUN) $(B)/tests/units $(T)
	@$(TEST_ENV) $(RUN) $(B)/tests/wholes $(T)

test-unit: all $(B)/tests/units ## the quick half: no terminals, not all schemes times all choices
	@$(TEST_ENV) $(RUN) $(B)/tests/units $(T)

# What the screens look like is kept in tests/screens; git shows what changed.
screens: all $(B)/tests/wholes ## write the kept screens anew
	@rm -f tests/screens/*.txt
	@SCREENS_WRITE=1 $(TEST_ENV) $(B)/tests/wholes screens:

# The manual and the README's list of schemes are printed by the program; the committed ones must be
# what it prints.
pages: all
	@$(B)/posviz man | cmp -s - man/posviz.1 || { echo "man/posviz.1 is not current: make man"; exit 1; }
	@$(call schemes) | cmp -s - README.md || { echo "README.md's list is not current: make man"; exit 1; }
schemes = $(B)/posviz list schemes --format markdown | \
	sed -e '/<!-- schemes -->/r /dev/stdin' -e '/<!-- schemes -->/,/<!-- end -->/{/<!-- /!d}' README.md
man: all ## write the manual and the README's list of schemes anew
	@$(B)/posviz man > man/posviz.1
	@$(call schemes) > $(B)/README.md && cat $(B)/README.md > README.md

SAN_ENV = ASAN_OPTIONS=detect_stack_use_after_return=1 TEST_LIMIT=3000 \
	LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0 \
	UBSAN_OPTIONS=print_stacktrace=1 \
	TSAN_OPTIONS=suppressions=$(CURDIR)/tests/tsan.supp
check-asan: ## the quick half under AddressSanitizer and UndefinedBehaviorSanitizer
	$(call mode,asan) RUN='env $(SAN_ENV)' test-unit

check-tsan: ## all tests under ThreadSanitizer (slow)
	$(call mode,tsan) RUN='env $(SAN_ENV)' test

check-valgrind: ## the quick half under valgrind (slow)
	+$(MAKE) --no-print-directory test-unit RUN='env TEST_LIMIT=3000 valgrind -q --trace-children=no \
	--error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
	--suppressions=$(CURDIR)/tests/valgrind.supp'

# An hour of fuzzing shared out to the fuzzers.
test-long: ## for a release: what takes hours
	+$(MAKE) --no-print-directory test T=--lasting
	$(call mode,asan) RUN='env $(SAN_ENV)' test
	+$(MAKE) --no-print-directory check-tsan check-valgrind
	+$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=190
	+$(MAKE) --no-print-directory mutants
	@echo "the long tests passed"

mutants: ## small wrong changes that the tests must see (minutes)
	@CC="$(CC)" tests/mutants.sh

bench: all $(B)/tests/bench ## measure speed
	@POSVIZ=$(abspath $(B)/posviz) $(B)/tests/bench

# Weighing inputs by how rare their features are took half the time of short runs: -entropic=0.
fuzz: ## every fuzzer for FUZZ_SECONDS (20), from what it found before and the samples
	$(call mode,fuzz) CC=clang fuzz-run
fuzz-run: $(FUZZERS:%=$(B)/tests/fuzz/%)
	@for f in $^; do n=$${f##*/fuzz_}; mkdir -p $$f.corpus; echo "$$f, $(FUZZ_SECONDS) s"; \
	env $(SAN_ENV) G_DEBUG=fatal-warnings $$f -max_total_time=$(FUZZ_SECONDS) -entropic=0 \
	-timeout=10 -rss_limit_mb=2048 \
	-artifact_prefix=$$f. -verbosity=0 -print_final_stats=1 $$f.corpus tests/fuzz/corpus/$$n assets/samples 2>$$f.log || \
	{ tail -40 $$f.log; exit 1; }; grep number_of_executed $$f.log; done
$(B)/tests/fuzz/%: CPPFLAGS += $(if $(filter fuzz,$(MODE)),-DFUZZING)
$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(LIB)
	$(call SAY,LD $@)$(CC) -fsanitize=fuzzer $(LDFLAGS_$(MODE)) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

lint: pages ## form, layers, static checks
	@clang-format --dry-run -Werror $(C_FILES)
	@tests/layers.sh
	@mandoc -T lint -W error man/posviz.1
	@cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,portability \
	--suppressions-list=tests/cppcheck.supp -Iinclude -Isrc \
	-DPOSVIZ_VERSION='"$(VERSION)"' -j2 src

format: ## bring every C file into form
	@clang-format -i $(C_FILES)

coverage: ## which lines the tests run: build/coverage/html
	@find build/coverage -name '*.gcda' -delete 2>/dev/null; true
	$(call mode,coverage) coverage-report
# A test of a full disk cuts the counters short, and gcov then speaks up in later tests: what fails here
# is no verdict, `make test` is.
coverage-report: all $(TESTS)
	@for t in $(TESTS); do $(TEST_ENV) $$t >$(B)/tests.log 2>&1 || echo "  (failed while counting: $$t)"; done
	@lcov --quiet --capture --directory $(B) --no-external --base-directory $(CURDIR) --output-file $(B)/lines.info
	@lcov --quiet --remove $(B)/lines.info '*/tests/*' '*/gen/*' --output-file $(B)/lines.info
	@genhtml --quiet --output-directory $(B)/html $(B)/lines.info
	@lcov --summary $(B)/lines.info

# ---- machine

# $(1): packages. Says what is missing, installs only that.
define install_packages
@missing=; for p in $(1); do \
dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
if [ -z "$$missing" ]; then echo "nothing to install"; exit 0; fi; \
echo "installing:$$missing"; \
as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
$$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update && \
$$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $$missing
endef
deps: ## install what building, running and testing needs (Debian 12)
	$(call install_packages,$(PACKAGES))
check-deps: ## install what the other checks need
	$(call install_packages,$(CHECK_PACKAGES))

# Where the shells look for completion.
BASH_COMPLETION = $(PREFIX)/share/bash-completion/completions/posviz
ZSH_COMPLETION  = $(PREFIX)/share/zsh/site-functions/_posviz
install: all ## install under PREFIX (/usr/local), below DESTDIR
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/doc/posviz
	install -m 755 $(B)/posviz $(DESTDIR)$(PREFIX)/bin/posviz
	install -m 644 man/posviz.1 $(DESTDIR)$(PREFIX)/share/man/man1/posviz.1
	install -m 644 LICENSE assets/LICENSES.md $(DESTDIR)$(PREFIX)/share/doc/posviz/
	install -d $(DESTDIR)$(dir $(BASH_COMPLETION)) $(DESTDIR)$(dir $(ZSH_COMPLETION))
	$(B)/posviz completion bash > $(B)/completion.bash
	$(B)/posviz completion zsh > $(B)/completion.zsh
	install -m 644 $(B)/completion.bash $(DESTDIR)$(BASH_COMPLETION)
	install -m 644 $(B)/completion.zsh $(DESTDIR)$(ZSH_COMPLETION)

uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(PREFIX)/bin/posviz $(DESTDIR)$(PREFIX)/share/man/man1/posviz.1
	rm -f $(DESTDIR)$(BASH_COMPLETION) $(DESTDIR)$(ZSH_COMPLETION)
	rm -rf $(DESTDIR)$(PREFIX)/share/doc/posviz

clean: ## remove what was built
	rm -rf build $(filter-out build/%,$(B))

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | \
	while IFS="$$(printf '\t')" read -r name text; do printf '  %-16s%s\n' "$$name" "$$text"; done
