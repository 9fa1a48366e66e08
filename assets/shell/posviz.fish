# posviz: completion for fish, printed by "posviz completion fish"

# The sub-command in the line: options and their values are passed over.
function __posviz_sub
	set -l subs @{subcommands}
	set -l valued@{valued}
	set -l tokens (commandline -opc)
	set -l skip 1
	set -l found ''
	for token in $tokens
		if test $skip = 1
			set skip 0
		else if contains -- $token $valued
			set skip 1
		else if not string match -q -- '-*' $token
			contains -- $token $subs; and set found $token
			break
		end
	end
	test "$found" = $argv[1]
end

# What the program offers for the word under the cursor.
function __posviz_ask
	set -l typed (commandline -ct | string replace -r -- '^--[^=]*=' '')
	set typed (string replace -a -r -- '[\'"\\\\]' '' "$typed")
	set -l options
	set -l line (commandline -p | string collect)
	if set -l file (string match -r -g -- '--params[= ]([^ ]+)' "$line")
		set options --params $file
	end
	if test $argv[1] = map
		set -l named (string match -r -g -- '(?:render|show|dump|check|--scheme) +([^ -][^ ]*)' "$line" | string replace -a -r -- '[\'"\\\\]' '')
		test -n "$named"; and set options $options --scheme $named
	end
	command posviz complete $argv[1] "$typed" $options 2>/dev/null
end

# Files with one of these endings, and directories; where there is none, all files.
function __posviz_files
	set -l typed (commandline -ct | string collect | string replace -r -- '^--[^=]*=' '')
	set -l all
	set -l fits
	set -l any no
	for line in (complete -C "__fish_command_without_completions $typed")
		set -l name (string replace -r -- '\t.*' '' "$line")
		set -l path (string replace -r -- '^~' "$HOME" "$name")
		test -e "$path"; or continue # a part of a name with a line end
		set -a all "$name"
		set -l ending (string match -r -g -- '\.([^./]+)$' "$name" | string lower)
		if test -d "$path"
			set -a fits "$name"
		else if contains -- "$ending" $argv
			set -a fits "$name"
			set any yes
		end
	end
	test $any = yes; or set fits $all
	count $fits >/dev/null; and printf '%s\n' $fits
end

complete -c posviz -e
@{cases}
