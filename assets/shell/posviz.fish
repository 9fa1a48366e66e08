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

complete -c posviz -e
@{cases}
