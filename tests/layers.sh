#!/bin/sh
# The order of the folders, checked against the #include lines: a folder includes only folders to its
# left, and a foreign library is known in one folder only. A header of include/posviz belongs to the
# folder where the source file of the same name lives, or where the table below says.
set -eu
cd "$(dirname "$0")/.."

awk '
function left(folder, list,    n, i, word) {
	n = split(list, word, " ")
	for (i = 1; i <= n; i++)
		may[folder, word[i]] = 1
}
function foreign(header, folders,    n, i, word) {
	known[header] = 1
	n = split(folders, word, " ")
	for (i = 1; i <= n; i++)
		only[header, word[i]] = 1
}
function complain(text) {
	printf "%s:%d: %s\n", FILENAME, FNR, text
	bad = 1
}
BEGIN {
	row = "base math format input model scheme scene analysis learn"
	n = split(row, folder, " ")
	before = ""
	for (i = 1; i <= n; i++) {
		before = before " " folder[i]
		left(folder[i], before)
	}
	left("plot", "base math plot")
	left("view", row " plot view")
	left("quantity", row " quantity")
	left("export", "base math format plot export")
	left("figures", row " quantity plot view figures")
	left("app", row " quantity plot view figures export app")
	left("tour", row " quantity plot view figures export app tour")
	left("lib", row " quantity plot view figures export app lib")
	left("tui", row " quantity plot view figures export app tour tui")
	left("cli", row " quantity plot view figures export app tour tui cli")

	# Headers whose module is several files, or whose source has another name.
	home["scheme_list"] = home["scheme"] = "scheme"
	home["input"] = "input"
	home["tape"] = "math"
	home["hooks"] = home["trace"] = home["subset"] = "model"
	home["analysis"] = "analysis"
	home["multiples"] = home["plane"] = home["bars"] = home["curves"] = home["lesson"] = home["handout"] = "plot"
	home["split"] = home["rank"] = home["metrics"] = home["vectors"] = home["layers"] = "analysis"
	home["ridge"] = home["turns"] = home["gradients"] = home["map"] = "analysis"
	home["lengths"] = home["cost"] = "analysis"
	home["view"] = "view"
	home["quantity"] = "quantity"
	home["export"] = "export"
	home["tui"] = "tui"
	home["text"] = "base"
	home["request"] = "app"
	home["tour"] = "tour"
	for (name in home)
		fixed[name] = 1
	while (("ls src/*/*.c" | getline path) > 0) {
		split(path, part, "/")
		name = part[3]
		sub(/\.c$/, "", name)
		if (!(name in home))
			home[name] = part[2]
		else if (home[name] != part[2] && !(name in fixed))
			twice[name] = 1
	}

	foreign("utf8proc.h", "base")
	foreign("cblas.h", "math")
	foreign("lapacke.h", "math")
	foreign("jansson.h", "format")
	foreign("zip.h", "format")
	foreign("graphviz/cgraph.h", "input")
	foreign("expat.h", "input")
	foreign("png.h", "export")
	foreign("zlib.h", "export")
	foreign("curses.h", "tui")
	foreign("ncurses.h", "tui")
	foreign("term.h", "tui")
	foreign("getopt.h", "cli")
}
/^[ \t]*#[ \t]*include/ {
	split(FILENAME, part, "/")
	public = part[1] == "include"
	own = part[3]
	sub(/\.h$/, "", own)
	here = public ? home[own] : part[2]
	if (public && (here == "" || own in twice)) {
		if (!said[own]++)
			complain(own ".h belongs to no folder: name it in tests/layers.sh")
		next
	}
	what = $0
	sub(/^[^<"]*[<"]/, "", what)
	sub(/[>"].*/, "", what)
	if (what ~ /^posviz\//) {
		sub(/^posviz\//, "", what)
		sub(/\.h$/, "", what)
		there = home[what]
		if (!((here, there) in may))
			complain(here " must not include " there " (posviz/" what ".h)")
	} else if ($0 ~ /include[ \t]*"/ && what ~ /\//) {
		split(what, to, "/")
		if (!((here, to[1]) in may))
			complain(here " must not include " to[1] " (" what ")")
	} else if (what in known && !((what, here) in only)) {
		complain(what " is not for " here)
	} else if (what ~ /^(cairo|pango|fontconfig|hb|ft2build|glib)/ && here != "plot") {
		complain(what " is for plot only")
	}
}
END { exit bad }
' src/*/*.[ch] include/posviz/*.h
