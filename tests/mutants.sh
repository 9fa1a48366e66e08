#!/bin/sh
# Small wrong changes, one at a time, each of which the tests must see.
#
#	tests/mutants.sh [--all|--check] [TEXT]
#
# tries those of tests/mutants.txt whose line has the text, all without one; on two processors all take a
# quarter of an hour. --check only says, in seconds, which have no place in the sources any more, or name a test
# that is gone. Lines of mutants.txt, parted by single tabs:
#
#	FILE   NEAREST TESTS   WHAT STANDS THERE   WHAT IS PUT IN ITS PLACE   [WHY IT MAY LIVE]
#
# The tree is built once, without debugging information, and copied for each processor and once more, since some
# tests wait. In a copy a change is put in its place, its object is compiled, and what its tests need is linked.
#
# NEAREST TESTS are texts of "file: name", parted by blanks, which run one after another until a test fails;
# of "leak: TEXT ..." valgrind watches the unit tests. A row names first the quickest test that was seen to
# fail, then the files where others may: a row is tried in about two seconds. What they do not see lives:
# no others run, since all take minutes. With --all they do, for such a row alone, and the test that fails is
# printed, which is then the one to name; if there is none, one is missing, or a reason why the change may live.
#
# build/mutants/said has a line for each row, in the order of the list, the same from run to run;
# build/mutants/times has, in that order, the seconds that a row took, the test that failed, and the row.
# At the end each test that failed runs without a change: where it fails too, what it said is worth nothing.
set -eu
cd "$(dirname "$0")/.."
work=$PWD/build/mutants
programs=build/release/tests
limit=60 # seconds that a test may take
lanes=$(($(nproc 2> /dev/null || echo 2) + 1))
tab=$(printf '\t')
leaks="valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
	--suppressions=$PWD/tests/valgrind.supp"
# Warnings are no errors, since a change may leave a name unused; jobs are those of the lanes.
unset CI B MODE T MAKEFLAGS MFLAGS MAKELEVEL
export CFLAGS="${CFLAGS:+$CFLAGS }-g0"
# Another linker takes half of the time, where there is one.
! ${CC:-cc} -fuse-ld=gold -Wl,--version > /dev/null 2>&1 || export LDFLAGS="${LDFLAGS:+$LDFLAGS }-fuse-ld=gold"

# A tree that is never changed, so that what was built stands for its sources the next time too: a file that was
# written since they were copied last is as of now, since an object may have been made later of what it was.
build_tree() {
	mkdir -p "$work/tree"
	touch "$work/copying"
	(cd "$work/tree" && rm -rf src include assets tests man)
	cp -a Makefile README.md CONTRIBUTING.md CHANGELOG.md CITATION.cff LICENSE src include assets tests man "$work/tree/"
	[ ! -f "$work/copied" ] ||
		(cd "$work/tree" && find . -path ./build -prune -o -type f -newer "$work/copied" -exec touch {} +)
	mv "$work/copying" "$work/copied"
	make -s -C "$work/tree" -j"$lanes" all $programs/units $programs/layouts $programs/wholes > "$work/log" 2>&1 ||
		{ tail -20 "$work/log"; exit 1; }
}

# Prints the file $1 with $3 in the one place where $2 stands; fails when there is none, or another.
changed() {
	OLD=$2 NEW=$3 awk '
	{ text = text $0 "\n" }
	END {
		old = ENVIRON["OLD"]
		at = index(text, old)
		if (!at || index(substr(text, at + 1), old))
			exit 1
		printf "%s%s%s", substr(text, 1, at - 1), ENVIRON["NEW"], substr(text, at + length(old))
	}' "$1"
}

# In the present folder: runs tests of the program $1 by the command $2, with what else is given; log has
# what they say. 0: all pass; 2: none has such a name.
run_tests() {
	run="$2 $programs/$1"
	shift 2
	env -u LINES -u COLUMNS -u NO_COLOR -u COLORTERM -u TMUX -u STY POSVIZ="$PWD/build/release/posviz" \
		LC_ALL=C.UTF-8 XDG_CONFIG_HOME=/dev/null XDG_STATE_HOME=/dev/null \
		TEST_LIMIT=$limit TEST_PATIENCE=0.34 $run "$@" > log 2>&1
}

# Compiles what was changed, links the program $1, and says whether a test of it fails; the rest as above.
fails() {
	make -s build/release/posviz $programs/"$1" > log 2>&1 || { echo "does not compile"; exit; } # out of verdict()
	run_tests "$@" && return 1
	[ $? -ne 2 ] || return 1
	! grep -q '^more than .* s: ' log || { echo "takes too long"; exit; } # which a busy machine may do as well
}

# The verdict on the row that is read.
verdict() {
	changed "$file" "$old" "$new" > mutant 2> log || { echo "not there once"; return; }
	cat mutant > "$file"
	case $near in
	leak:*)
		for program in units layouts; do
			fails $program "$leaks" -x -j1 ${near#leak:} && { echo killed; return; }
		done
		echo lives
		return ;;
	esac
	for text in $near; do
		grep -q -F -e "$text" "$work/units" "$work/layouts" "$work/wholes" || { echo "no test $text"; return; }
		for program in units layouts wholes; do
			grep -q -F -e "$text" "$work/$program" && fails $program "" -x -j1 "$text" &&
				{ echo killed; return; }
		done
	done
	[ -n "$all" ] && { fails units "" -x || fails layouts "" -x || fails wholes "" -x; } && echo "killed by $(failed)" || echo lives
}

# The first test that failed, of those that log tells of.
failed() {
	sed -n '/^FAILED/ { s/^FAILED //; p; q; }' log 2> /dev/null
}

# Puts back the changed file: of a source with its objects, and what was linked with them goes; all that is
# made of another file is made anew.
put_back() {
	[ -f kept/file ] || return 0
	cp -p kept/file "$file"
	rm -f build/release/libposviz.a build/release/posviz
	case $file in
	src/*.c) cp -p kept/*.o "build/release/${file%/*}/" ;;
	*) touch "$file" ;;
	esac
}

# In the copy $1 of the tree: the rows that no other lane has begun.
try_rows() {
	rm -rf "$work/$1"
	cp -a "$work/tree" "$work/$1"
	cd "$work/$1"
	row=0
	while IFS=$parting read -r file near old new why <&3; do
		row=$((row + 1))
		mkdir "$work/rows/$row" 2> /dev/null || continue
		rm -rf kept log
		mkdir kept
		cp -p "$file" kept/file 2> /dev/null || :
		case $file in src/*.c) cp -p build/release/"${file%.c}"*.o kept/ 2> /dev/null || : ;; esac
		begun=$(date +%s%N)
		said=$(verdict < /dev/null)
		spent=$((($(date +%s%N) - begun) / 100000000))
		put_back
		change="$file: $old -> $new"
		printf '%s\t%s\t%s\n' "$said" "$change" "$why" > "$work/rows/$row/said"
		printf '%d.%d\t%s\t%s\n' $((spent / 10)) $((spent % 10)) \
			"$(failed)" "$change" > "$work/rows/$row/times"
		[ "$said" = killed ] || cp log "$work/rows/$row/log" 2> /dev/null || :
	done 3< "$work/list"
}

# Says which of the tests that failed, and of those that valgrind watched, fail in the tree that nobody changed.
fail_unchanged() {
	limit=300 # the machine may be busy
	cd "$work/tree"
	set --
	while read -r name; do
		set -- "$@" "$name"
	done < "$work/failed"
	for program in units layouts wholes; do
		[ $# -eq 0 ] || run_tests $program "" "$@" || sed -n 's/^FAILED/fails without a change:/p' log
	done
	near=$(cut -d "$parting" -f2 "$work/list" | sed -n 's/^leak://p')
	[ -z "$near" ] || { run_tests units "$leaks" $near && run_tests layouts "$leaks" $near; } ||
		sed -n 's/^FAILED/leaks without a change:/p' log
}

# Says which rows have no place in the sources, or name a test that they have not.
check_rows() {
	{
		awk 'match($0, /^TEST[A-Z_]*\([a-z_0-9]+/) {
			file = FILENAME
			gsub(/.*\/(test_)?|\..*/, "", file)
			name = substr($0, 1, RLENGTH)
			sub(/.*\(/, "", name)
			print file ": " name
		}' tests/unit/*.c tests/layout/*.c tests/whole/*.c
		for file in tests/fuzz/fuzz_*.c; do
			name=${file##*/fuzz_}
			echo "fuzz_${name%.c}: replay_${name%.c}"
		done
	} > "$work/names"
	awk -F "$parting" '
	# The text of a file, which is read once.
	function text_of(file,    line) {
		if (!(file in text)) {
			text[file] = ""
			while ((getline line < file) > 0)
				text[file] = text[file] line "\n"
			close(file)
		}
		return text[file]
	}
	function complain(why) {
		print why ": " $1 ": " $3 " -> " $4
		bad = 1
	}
	function is_named(part,    name) {
		for (name in names)
			if (index(name, part))
				return 1
		return 0
	}
	FILENAME == ARGV[1] { names[$0]; next }
	{
		all = text_of($1)
		at = index(all, $3)
		if (!at || index(substr(all, at + 1), $3))
			complain("not there once")
		sub(/^leak:/, "", $2)
		n = split($2, near, " ")
		for (i = 1; i <= n; i++) {
			if (!(near[i] in known))
				known[near[i]] = is_named(near[i])
			if (!known[near[i]])
				complain("no test " near[i])
		}
	}
	END { exit bad }' "$work/names" "$work/list"
}

all='' check=''
case ${1-} in
--all) all=yes; shift ;;
--check) check=yes; shift ;;
esac
parting=$(printf '\037') # a blank one, as a tab is, would be taken together with its neighbours
mkdir -p "$work"
grep -v -e '^#' -e '^$' tests/mutants.txt | grep -F -e "${1-}" | tr "$tab" "$parting" > "$work/list"
[ -s "$work/list" ] || {
	echo "no line of tests/mutants.txt has the text \"$1\"" >&2
	exit 2
}
wrong=$(awk -F "$parting" 'NF < 4 || NF > 5 { print NF " parts, 4 or 5 would be right: " $0 }' "$work/list")
[ -z "$wrong" ] || {
	echo "tests/mutants.txt: $wrong" | tr "$parting" "$tab" >&2
	exit 2
}
if [ "$check" ]; then
	check_rows
	exit
fi
build_tree
for program in units layouts wholes; do
	(cd "$work/tree" && $programs/$program -l > "$work/$program")
done
rm -rf "$work/rows"
mkdir "$work/rows"
trap 'kill 0' INT # the lanes, which are in the background, do not hear of it
lane=0
while [ $((lane += 1)) -le "$lanes" ]; do
	try_rows "$lane" &
done
wait
for kind in said times; do
	row=0
	while [ $((row += 1)) -le "$(wc -l < "$work/list")" ]; do
		cat "$work/rows/$row/$kind"
	done > "$work/$kind"
done
cut -f2 "$work/times" | sed 's/ (signal.*//; s| [0-9]*/[0-9]*$||; /^$/d' | sort -u > "$work/failed"
fail_unchanged > "$work/unchanged"
cat "$work/unchanged"
awk -F "$tab" '
$1 == "killed" { killed++; next }
{ print $1 ": " $2 ($3 ? " (" $3 ")" : "") }
!($1 == "lives" && $3) { bad++ }
END { printf "%d of %d killed\n", killed, NR; exit bad > 0 }' "$work/said"
[ ! -s "$work/unchanged" ]
