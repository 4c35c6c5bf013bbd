# Completion of rankgrid, scripts/bench and python bench/run.py:
#     source <(rankgrid completion bash)
_rankgrid_complete() {
    local line=${COMP_LINE:0:COMP_POINT} word
    if [[ ${COMP_WORDS[0]##*/} == python* && ${COMP_WORDS[1]} != bench/run.py &&
        ${COMP_WORDS[1]} != */bench/run.py ]]; then
        COMPREPLY=()
        return
    fi
    mapfile -t COMPREPLY < <(PYTHON -P -m bench.cli.candidates "$line" 2>/dev/null)
    [[ ${#COMPREPLY[@]} -eq 1 && -z ${COMPREPLY[0]} ]] && COMPREPLY=()
    word=${line##*[[:space:]]}
    # Bash replaces only what follows the last = of a word.
    if [[ $COMP_WORDBREAKS == *=* && $word == *=* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*=}"}"}")
    fi
    [[ ${COMPREPLY[0]} == *[=.] ]] && compopt -o nospace
    return 0
}
complete -o default -F _rankgrid_complete rankgrid bench python python3
