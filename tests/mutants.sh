#!/bin/sh
# Whether the tests mean something: small wrong changes, one at a time, each of which they must see.
#
#	tests/mutants.sh [TEXT]      those of tests/mutants.txt whose line has the text; all without one
#
# Each is made in a copy of the tree and one object is compiled; the nearest tests run first, then all, until
# one fails. Two copies, so that two are tried at once. Lines of mutants.txt, parted by tabs:
#
#	FILE   NEAREST TESTS   WHAT STANDS THERE   WHAT IS PUT IN ITS PLACE   [WHY IT MAY LIVE]
set -eu
cd "$(dirname "$0")/.."
work=$PWD/build/mutants
made="all build/release/tests/units build/release/tests/wholes"
tab=$(printf '\t')

# $1: copy of the tree, built.
copy_tree() {
	mkdir -p "$1"
	cp -a Makefile README.md LICENSE src include assets tests man "$1/"
	make -s -C "$1" -j2 $made > "$1/log" 2>&1 || { tail -20 "$1/log"; exit 1; }
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

# In the present folder: whether a test of the program $1 fails, of those that are named or all.
fails() {
	program=build/release/tests/$1
	shift
	code=0
	env -u LINES -u COLUMNS -u NO_COLOR -u COLORTERM -u TMUX -u STY POSVIZ="$PWD/build/release/posviz" \
		LC_ALL=C.UTF-8 OPENBLAS_NUM_THREADS=1 XDG_CONFIG_HOME=/dev/null XDG_STATE_HOME=/dev/null \
		TEST_LIMIT=60 $program -x -j1 "$@" > log 2>&1 || code=$?
	[ $code -ne 0 ] && [ $code -ne 2 ] # 2: no test has that name
}

# What becomes of the change of $3 into $4 in $1; $2: nearest tests, parted by blanks.
verdict() {
	replace "$1" "$3" "$4" || { echo "not there once"; return; }
	make -s $made > log 2>&1 || { echo "does not compile"; return; }
	for near in "$2" ""; do
		for program in units wholes; do
			# The names are words.
			if fails $program $near; then
				echo killed
				return
			fi
		done
	done
	echo lives
}

# Every second line of the list, from $1 on.
try_all() {
	cd "$work/$1"
	awk -v part="$1" 'NR % 2 == part' "$work/list" | while IFS=$tab read -r file near old new why; do
		cp -p "$file" kept
		begun=$(date +%s)
		said=$(verdict "$file" "$near" "$old" "$new" < /dev/null)
		cp -p kept "$file"
		touch "$file"
		echo "$said ($(($(date +%s) - begun)) s): $file: $old -> $new${why:+ ($why)}"
	done
}

mkdir -p "$work"
grep -v -e '^#' -e '^$' tests/mutants.txt | grep -F -e "${1-}" > "$work/list"
copy_tree "$work/0"
rm -rf "$work/1"
cp -a "$work/0" "$work/1"
try_all 0 > "$work/said.0" &
try_all 1 > "$work/said.1"
wait
sort "$work/said.0" "$work/said.1"
awk '{ n++ } /^killed/ { k++ } !/^killed/ && !/\)$/ { bad++ } END { printf "%d of %d killed\n", k, n; exit bad > 0 }' \
	"$work/said.0" "$work/said.1"
