#compdef posviz
# posviz: completion for zsh, printed by "posviz completion zsh"

_posviz_expr() {
	local -a schemes
	schemes=(
@{schemes}
	)
	[[ $PREFIX == *[\(:]* ]] && { _posviz_ask scheme; return }
	local file=${XDG_CONFIG_HOME:-$HOME/.config}/posviz/config
	local word name rest
	[[ -f $file && -r $file ]] && while read -r word name rest || [[ -n $word ]]; do
		[[ $name =~ '^[A-Za-z][A-Za-z0-9_.-]*$' ]] || continue
		[[ $word == (define|undefine) ]] && schemes=(${schemes:#$name:yours})
		[[ $word == define && -n $rest ]] && schemes+=("$name:yours")
	done <$file
	compset -P '*+'
	_describe -t schemes scheme schemes
}

# What the program offers for the word under the cursor.
_posviz_ask() {
	local -a found options line
	local i
	for ((i = 1; i < $#words; i++)); do
		[[ $words[i] == --params ]] && options+=(--params $words[i+1])
		[[ $1 == map && $words[i] == (render|show|dump|check|--scheme) && $words[i+1] != -* ]] && options+=(--scheme ${(Q)words[i+1]})
	done
	found=(${(f)"$(command posviz complete $1 ${(Q)PREFIX} $options 2>/dev/null)"})
	found=(${found%%$'\t'*})
	compadd -S '' -a found
}

# Files with one of these endings, parted by commas, and directories; where there is none, all files.
_posviz_files() {
	local -a fits
	local start=${${(Q)PREFIX}/#\~\//$HOME/} endings="(#i)(${1//,/|})"
	[[ $1 == any ]] || fits=($start*.${~endings}(N-.))
	if (($#fits)); then
		_files -g "*.$endings(-.)"
	else
		_files
	fi
}

_posviz_tensors() {
	[[ $PREFIX == *:* ]] && { _posviz_ask units; return }
	_posviz_files $1
}

# Samples, behind the endings of files that are as good.
_posviz_samples() {
	local expl endings=$1
	local -a samples
	shift
	samples=(@${^@})
	_wanted samples expl sample compadd -a samples
	_posviz_files $endings
}

_posviz_first() {
	local -a subcommands
	subcommands=(
@{subcommands}
	)
	_describe -t subcommands sub-command subcommands
	_posviz_samples any @{samples}
}

_posviz() {
	local curcontext="$curcontext" state line
	typeset -A opt_args
	_arguments -C -s -S \
@{options}
			'1:sub-command or file:_posviz_first' \
			'*::what:->rest' && return
	[[ $state == rest ]] || return 1
	case $words[1] in
@{cases}
	esac
}

_posviz "$@"
