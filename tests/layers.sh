#!/bin/sh
# The order of the folders of src, as the table under "Layers" of CONTRIBUTING.md has it, checked against the #include
# lines and, where objects are given, against what they link: a folder knows those that it stands on, and those that
# these stand on, and no others. A foreign library is known in one folder only.
#
#	tests/layers.sh [OBJECT...]      objects of src/FOLDER, as BUILD/src/FOLDER/FILE.o
set -eu
cd "$(dirname "$0")/.."

# "folder below below ..." of each row of the table.
table() {
	awk -F '|' '
	/^## / { within = $0 == "## Layers" }
	within && /^\| `/ {
		gsub(/[`,]/, " ", $2)
		gsub(/[`,–]/, " ", $3)
		print $2, $3
	}' CONTRIBUTING.md
}

# "folder where what-is-known place" of each include and each symbol; place is where it is said.
includes() {
	awk '
	/^[ \t]*#[ \t]*include/ {
		split(FILENAME, part, "/")
		here = part[1] == "include" ? part[3] : part[2]
		what = $0
		sub(/^[^<"]*[<"]/, "", what)
		sub(/[>"].*/, "", what)
		n = split(what, to, "/")
		if (to[1] == "posviz" && n == 3)
			print "folder", here, to[2], FILENAME ":" FNR
		else if ($0 ~ /include[ \t]*"/ && n == 2)
			print "folder", here, to[1], FILENAME ":" FNR
		else if ($0 ~ /include[ \t]*</)
			print "library", here, what, FILENAME ":" FNR
	}' src/*/*.[ch] include/posviz/*/*.h
}

links() {
	[ $# -eq 0 ] || nm -A "$@" | awk '
	{
		object = $1
		sub(/:[^:]*$/, "", object)
		path = object
		sub(/^.*\/src\//, "", path)
		split(path, part, "/")
		folder = part[1]
	}
	$2 == "U" { wants[folder, $3] = path; next }
	$2 ~ /^[TDBRC]$/ { defines[$3] = folder }
	END {
		for (want in wants) {
			split(want, part, SUBSEP)
			if (part[2] in defines)
				print "folder", part[1], defines[part[2]], wants[want] " (" part[2] ")"
		}
	}' | sort
}

{
	table | sed 's/^/table /'
	ls -d src/*/ include/posviz/*/ | sed 's/^\(.*\)\/\([^/]*\)\/$/exists \2 \1/'
	includes
	links "$@"
} | awk '
function complain(text) {
	print text
	bad = 1
}
# All that a folder stands on, itself too.
function reach(from, folder,    i) {
	if ((from, folder) in may)
		return
	may[from, folder] = 1
	for (i = 1; i <= below[folder]; i++)
		reach(from, below[folder, i])
}
function foreign(pattern, folder) {
	library[++libraries] = pattern
	owner[libraries] = folder
}
BEGIN {
	foreign("^utf8proc\\.h$", "base")
	foreign("^(cblas|lapacke)\\.h$", "math")
	foreign("^(jansson|zip)\\.h$", "format")
	foreign("^pcre2\\.h$", "token")
	foreign("^(graphviz/cgraph|expat)\\.h$", "input")
	foreign("^(png|zlib)\\.h$", "export")
	foreign("^(cairo|pango|fontconfig|hb|ft2build|glib)", "plot")
	foreign("^(n?curses|term)\\.h$", "tui")
	foreign("^getopt\\.h$", "cli")
}
$1 == "table" {
	row[$2] = 1
	for (i = 3; i <= NF; i++)
		below[$2, ++below[$2]] = $i
	next
}
!reached++ {
	for (folder in row)
		reach(folder, folder)
}
$1 == "exists" {
	there[$2] = 1
	if (!($2 in row))
		complain($3 "/" $2 ": CONTRIBUTING.md has no row for this folder")
}
$1 == "folder" && !(($2, $3) in may) { complain($4 ": " $2 " must not know " $3) }
$1 == "library" {
	for (i = 1; i <= libraries; i++)
		if ($3 ~ library[i] && $2 != owner[i])
			complain($4 ": " $3 " is for " owner[i] " only")
}
END {
	for (folder in row)
		if (!(folder in there))
			complain("CONTRIBUTING.md: there is no folder src/" folder)
	exit bad
}'
