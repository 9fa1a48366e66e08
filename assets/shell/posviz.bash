# posviz: completion for bash, printed by "posviz completion bash"

_posviz_words()
{
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# Files with one of these endings, and directories; where there is none, all files.
_posviz_files()
{
	local name path ending all=() fits=() any=
	compopt -o filenames 2>/dev/null
	while IFS= read -r name; do
		path=${name/#~/$HOME} ending=${name##*.}
		[[ -e $path || -L $path ]] || continue # a part of a name with a line end
		all+=("$name")
		if [[ -d $path ]]; then
			fits+=("$name")
		elif [[ $name == *.* && " ${1-} " == *" ${ending,,} "* ]]; then
			fits+=("$name") any=1
		fi
	done < <(compgen -f -- "$cur")
	[[ $any ]] || fits=(${all[@]+"${all[@]}"})
	COMPREPLY=(${fits[@]+"${fits[@]}"})
}

# Samples and files; before the first letter, both.
_posviz_samples()
{
	if [[ $at || $cur == @* ]]; then
		mapfile -t COMPREPLY < <(compgen -P @ -W "$1" -- "${cur#@}")
	else
		_posviz_files "${2-}"
		[[ $cur ]] && return
		((${#COMPREPLY[@]})) || compopt +o filenames 2>/dev/null
		COMPREPLY+=($(compgen -P @ -W "$1"))
	fi
}

# What the program offers for the word under the cursor, as the argument of a command.
# bash replaces what stands behind the last of its breaks, but in quotes all.
_posviz_ask()
{
	local command=$1 line=${COMP_LINE-} typed bare word front=''
	local options=()
	line=${line:0:${COMP_POINT:-0}}
	typed=${line##*[[:space:]]}
	[[ $typed == --*=* ]] && typed=${typed#*=}
	bare=${typed#[\"\']}
	[[ $bare == "$typed" ]] && front=${bare%"${bare##*["$COMP_WORDBREAKS"]}"}
	[[ $line =~ --params[=[:space:]]+([^[:space:]]+) ]] && options+=(--params "${BASH_REMATCH[1]}")
	word='(render|show|dump|check|--scheme)[=[:space:]]+([^[:space:]-][^[:space:]]*)'
	[[ $command == map && $line =~ $word ]] && options+=(--scheme "${BASH_REMATCH[2]//[\"\']/}")
	COMPREPLY=()
	while IFS=$'\t' read -r word _; do
		COMPREPLY+=("${word:${#front}}")
	done < <("${COMP_WORDS[0]}" complete "$command" "$bare" "${options[@]}" 2>/dev/null)
	[[ ${COMPREPLY[0]-} == *[=:] ]] && compopt -o nospace 2>/dev/null
	return 0
}

# Brackets of an expression, tensors of a file: parts that bash takes for words.
_posviz_within()
{
	local line=${COMP_LINE-} typed before
	line=${line:0:${COMP_POINT:-0}}
	typed=${line##*[[:space:]]}
	before=${line%"$typed"}
	before=${before%"${before##*[![:space:]]}"}
	before=${before##*[[:space:]]}
	[[ $typed == --*=* ]] && before=${typed%%=*} typed=${typed#*=}
	case $before in
	--map) _posviz_ask map; return ;;
	--units | --matrix-from)
		[[ $typed == *:* ]] || return 1
		_posviz_ask units; return ;;
	-s | --sentence | --tree | --graph | -c | --command) return 1 ;;
	esac
	[[ $typed =~ ^[\"\']?[A-Za-z0-9_.*+-]+[\(:] ]] || return 1
	_posviz_ask scheme
}

# The names that the configuration defines.
_posviz_names()
{
	local file=${XDG_CONFIG_HOME:-$HOME/.config}/posviz/config
	local word name rest names=' '
	[[ -f $file && -r $file ]] || return
	while read -r word name rest || [[ $word ]]; do
		[[ $name =~ ^[A-Za-z][A-Za-z0-9_.-]*$ ]] || continue
		[[ $word == define || $word == undefine ]] && names=${names// $name / }
		[[ $word == define && $rest ]] && names+="$name "
	done <"$file"
	printf '%s' "$names"
}

# The last member of an expression; + parts them.
_posviz_expr()
{
	local last=${cur##*+} schemes='@{schemes}'
	mapfile -t COMPREPLY < <(compgen -P "${cur%"$last"}" -W "$schemes$(_posviz_names)" -- "$last")
}

_posviz()
{
	local cur prev word i sub='' found='' at=''
	COMPREPLY=()
	_posviz_within && return
	cur=${COMP_WORDS[COMP_CWORD]}
	prev=${COMP_WORDS[COMP_CWORD - 1]}
	# --option=value and @name come in parts; what is replaced has its @
	if [[ $cur == = || $cur == @ || $cur == =@ ]]; then
		[[ $cur == *@ ]] && at=yes
		cur=''
	elif [[ $prev == = || $prev == @ || $prev == =@ ]]; then
		[[ $prev == *@ ]] && at=yes
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		case $word in
		@{valued})
			[[ ${COMP_WORDS[i + 1]} =~ ^(=|@|=@)$ ]] && ((i++))
			((i++)) ;;
		-*) ;;
		*)
			found=$word
			break ;;
		esac
	done
	for word in @{subcommands}; do
		[[ $found == "$word" ]] && sub=$word
	done
	case $sub in
@{cases}
	esac
}

complete -F _posviz posviz
