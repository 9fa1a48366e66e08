#!/bin/sh
# What is installed below the folder $1 is enough to make programs: those of tests/examples are made with
# its header and library alone, run, and what they print is looked at.
set -eu
cd "$(dirname "$0")/.."
root=$1/package lib=$1/package/usr/lib posviz=$1/package/usr/bin/posviz
alone=$1/alone told=$1/told
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
export LD_LIBRARY_PATH="$lib" XDG_CONFIG_HOME=/dev/null XDG_STATE_HOME=/dev/null
fail() {
	echo "check-install: $*" >&2
	exit 1
}

# Below DESTDIR the system is not told of a library. Where it is, and refuses, all is installed all the same.
install() {
	${MAKE:-make} install LDCONFIG="sh -c 'echo >> $told; exit 1'" "$@" > "$made/log" 2>&1 ||
		fail "make install $*: $(cat "$made/log")"
}
mkdir -p "$1"
install DESTDIR="$root" PREFIX=/usr
[ ! -e "$told" ] || fail "ldconfig is run below DESTDIR"
install PREFIX="$alone"
[ -e "$told" ] || fail "ldconfig is not run"
grep -qx "prefix=$alone" "$alone/lib/pkgconfig/posviz.pc" || fail "posviz.pc is of another PREFIX"

# A folder's name may have any letters; who uninstalls there loses nothing else.
odd="$1/it's my * \"stuff\""
mkdir -p "$1/it's" "$1/it's my"
touch "$1/it's/kept" "$1/it's my/kept"
install DESTDIR="$odd" PREFIX=/usr
install PREFIX="$odd"
[ "$("$odd/bin/posviz" --version)" = "$("$odd/usr/bin/posviz" --version)" ] || fail "a folder with blanks: no program"
grep -qxF "prefix=$odd" "$odd/lib/pkgconfig/posviz.pc" || fail "posviz.pc is of another PREFIX than $odd"
${MAKE:-make} uninstall DESTDIR="$odd" PREFIX=/usr > "$made/log"
${MAKE:-make} uninstall PREFIX="$odd" > "$made/log"
[ -z "$(find "$odd" ! -type d)" ] || fail "uninstall leaves $(find "$odd" ! -type d)"
[ -e "$1/it's/kept" ] && [ -e "$1/it's my/kept" ] || fail "uninstall takes what is not its own"
! ${MAKE:-make} -n clean B='a folder' > "$made/log" 2>&1 || fail "B may have blanks"

others=$(nm -D --defined-only "$lib/libposviz.so" | awk '$3 !~ /^posviz_/ { print $3 }')
[ -z "$others" ] || fail "the library shows more than posviz_…: $others"
awk '/POSVIZ_API/ && match($0, /posviz_[a-z_]+\(/) { print substr($0, RSTART, RLENGTH - 1) }' \
	"$root/usr/include/posviz.h" | sort > "$made/declared"
nm -D --defined-only "$lib/libposviz.so" | awk '{ print $3 }' | sort | cmp -s - "$made/declared" ||
	fail "the library does not show what posviz.h declares"

flags=$(PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$lib/pkgconfig ${PKG_CONFIG:-pkg-config} --cflags --libs posviz)
for example in alibi order; do
	# shellcheck disable=SC2086
	${CC:-cc} -std=c17 -Wall -Wextra -Wpedantic -Werror -o "$made/$example" "tests/examples/$example.c" $flags -lm
done

"$made/alibi" 'the cat sat' > "$made/bias.csv"
# The example prints six digits, the program all, of which the last hang on the machine.
"$posviz" dump alibi -s 'the cat sat' --heads 2 --matrix bias --format csv -o - |
	awk 'BEGIN { FS = OFS = "," } NR > 1 { for (i = 2; i <= NF; i++) $i = sprintf("%g", $i) } { print }' |
	cmp - "$made/bias.csv" ||
	fail "the library and the program have different numbers"
"$made/order" none sinusoidal > "$made/order.txt"
awk 'NR == 1 && $2 == 0 || NR == 2 && $2 > 0.1 { n++ } END { exit n != 2 }' "$made/order.txt" ||
	fail "order: $(cat "$made/order.txt")"
! "$made/order" rop 2> "$made/error" || fail "a scheme that is not there is no error"
grep -q 'did you mean "rope"' "$made/error" || fail "no suggestion: $(cat "$made/error")"
"$posviz" --version | grep -q . || fail "the program does not start"
echo "check-install: passed"
