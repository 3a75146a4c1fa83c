# SPDX-License-Identifier: MIT
# bash completes commands, options and values of every tool
. "$top_srcdir/tests/lib.sh"

need_program bash

# offered WORDS: what Tab gives behind them; the last may be begun
offered()
{
	bash -c '
		. "$1/completions/$2" || exit
		COMP_WORDS=($3)
		[[ $3 == *" " ]] && COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		"_$2"
		echo "${COMPREPLY[*]}"' - "$top_srcdir" "${1%% *}" "$1" 2>&1
}

# completes WORDS WANTED
completes()
{
	expect "completion of '$1'" "$2" "$(offered "$1")"
}

completes "hprun --com" "--compare"
completes "hprun --mmap " "pack align off"
completes "hprun --mmap = al" "align"
completes "hprun --compare = 3 --ig" "--ignore-output"
completes "hpprobe t" "table"
completes "hpprobe " "table sweep fault control integrity granule plot"
completes "hpprobe sweep --pattern " "dense sparse"
completes "hpprobe --span 1G ta" "table"
completes "hpprobe table --js" "--json"
completes "hpdoctor --pa" "--pages"
for tool in hpdoctor hppromote; do
	offered "$tool --json $$" | tr ' ' '\n' | grep -qx $$ ||
		fail "$tool is not offered the process $$"
done
completes "hppromote --until 5" "50"
completes "hppromote --dr" "--dry-run"
