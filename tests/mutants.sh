#!/bin/sh
# Whether the tests mean something: small wrong changes, one at a time, each of which they must see.
#
#	tests/mutants.sh [TEXT]      those of tests/mutants.txt whose line has the text; all without one
#
# Each is made in a copy of the tree and one object is compiled; the nearest tests run first, then all, until
# one fails. The tree is built once and copied twice, so that two are tried at once. Lines of mutants.txt, parted by tabs:
#
#	FILE   NEAREST TESTS   WHAT STANDS THERE   WHAT IS PUT IN ITS PLACE   [WHY IT MAY LIVE]
#
# NEAREST TESTS are texts of "file: name", parted by blanks; of "leak: TEXT ..." valgrind watches the unit
# tests. With a reason to live, and of leaks, no others run. What every change came to is kept in
# build/mutants/said.
set -eu
cd "$(dirname "$0")/.."
work=$PWD/build/mutants
made="all build/release/tests/units build/release/tests/wholes"
tab=$(printf '\t')
leaks="valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
	--suppressions=$PWD/tests/valgrind.supp"

# A tree that is never changed, so that what was built stands for its sources the next time too.
build_tree() {
	mkdir -p "$work/tree"
	(cd "$work/tree" && rm -rf src include assets tests man)
	cp -a Makefile README.md CONTRIBUTING.md CHANGELOG.md CITATION.cff LICENSE src include assets tests man "$work/tree/"
	make -s -C "$work/tree" -j2 $made > "$work/log" 2>&1 || { tail -20 "$work/log"; exit 1; }
}

# In the file $1 puts $3 in the one place where $2 stands.
replace() {
	OLD=$2 NEW=$3 awk '
	{ text = text $0 "\n" }
	END {
		old = ENVIRON["OLD"]
		at = index(text, old)
		if (!at || index(substr(text, at + 1), old))
			exit 1
		printf "%s%s%s", substr(text, 1, at - 1), ENVIRON["NEW"], substr(text, at + length(old))
	}' "$1" > "$1.mutant" && cat "$1.mutant" > "$1"
}

# In the present folder: whether a test of the program $1, run by $2, fails, of those that are named or all.
fails() {
	run="$2 build/release/tests/$1"
	shift 2
	code=0
	env -u LINES -u COLUMNS -u NO_COLOR -u COLORTERM -u TMUX -u STY POSVIZ="$PWD/build/release/posviz" \
		LC_ALL=C.UTF-8 XDG_CONFIG_HOME=/dev/null XDG_STATE_HOME=/dev/null \
		TEST_LIMIT=60 $run -x -j1 "$@" > log 2>&1 || code=$?
	[ $code -ne 0 ] && [ $code -ne 2 ] # 2: no test has that name
}

# What becomes of the change of $3 into $4 in $1; $2: nearest tests, parted by blanks; $5: why it may live.
verdict() {
	replace "$1" "$3" "$4" || { echo "not there once"; return; }
	make -s $made > log 2>&1 || { echo "does not compile"; return; }
	# Nearest tests are words.
	case $2 in
	leak:*) fails units "$leaks" ${2#leak:} && echo killed || echo lives; return ;;
	esac
	fails units "" $2 || fails wholes "" $2 || {
		[ -z "$5" ] && { fails units "" || fails wholes ""; }
	} && echo killed || echo lives
}

# Every second line of the list, from $1 on.
try_all() {
	rm -rf "$work/$1"
	cp -a "$work/tree" "$work/$1"
	cd "$work/$1"
	awk -v part="$1" 'NR % 2 == part' "$work/list" | while IFS=$tab read -r file near old new why; do
		cp -p "$file" kept
		begun=$(date +%s)
		said=$(verdict "$file" "$near" "$old" "$new" "$why" < /dev/null)
		cp -p kept "$file"
		touch "$file"
		printf '%s\t%s s\t%s: %s -> %s\t%s\n' "$said" $(($(date +%s) - begun)) "$file" "$old" "$new" "$why"
	done
}

mkdir -p "$work"
grep -v -e '^#' -e '^$' tests/mutants.txt | grep -F -e "${1-}" > "$work/list" || {
	echo "no line of tests/mutants.txt has the text \"$1\"" >&2
	exit 2
}
build_tree
try_all 0 > "$work/said.0" &
try_all 1 > "$work/said.1"
wait
sort "$work/said.0" "$work/said.1" > "$work/said"
awk -F "$tab" '
$1 == "killed" { killed++; next }
{ print $1 ": " $3 ($4 ? " (" $4 ")" : "") }
!($1 == "lives" && $4) { bad++ }
END { printf "%d of %d killed\n", killed, NR; exit bad > 0 }' "$work/said"
