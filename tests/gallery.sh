#!/usr/bin/env bash
# Makes the pictures of README.md in the folder DIR: gallery.sh DIR, from the root of the sources, with the
# program as $POSVIZ and what paints screens as $GALLERY.
#
# README.md says how, so that no picture can differ from what stands beside it: each is of the line of a code
# block that writes a file of its name (posviz ... -o NAME.png), a screen of a comment
# <!-- screen COLSxROWS NAME: posviz ... -->, dark and light.
set -euo pipefail
dir=$(realpath "$1")
readme=$PWD/README.md
posviz() {
	env COLORTERM= XDG_CONFIG_HOME=/dev/null XDG_STATE_HOME=/dev/null "$POSVIZ" "$@"
}

# Commands may go on over lines that end in a backslash.
commands() {
	awk '/^```/ { on = !on && /^```sh/; next }
	on { line = line $0; if (sub(/\\$/, "", line)) next; if (line ~ /^posviz /) print line; line = "" }' "$readme"
}

cd "$dir"
sed -n 's|.*man/gallery/\([a-z0-9-]*\.png\).*|\1|p' "$readme" | sort -u | while read -r name; do
	if grep -q "^<!-- screen [0-9x]* ${name%-*}: " "$readme"; then
		read -r _ _ size _ rest <<< "$(grep "^<!-- screen [0-9x]* ${name%-*}: " "$readme")"
		rest=${rest#posviz }
		theme=${name##*-}
		eval "\"\$GALLERY\" $name $size ${theme%.png} ${rest% -->}" < /dev/null
		continue
	fi
	line=$(commands | grep -F -- "-o $name" || true)
	if [ -z "$line" ]; then
		echo "gallery: no command of README.md writes $name" >&2
		exit 1
	fi
	eval "$line --force" < /dev/null > /dev/null
done
