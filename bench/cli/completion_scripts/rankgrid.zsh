# Completion of rankgrid, scripts/bench and python bench/run.py:
#     source <(rankgrid completion zsh)
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -D; }
_rankgrid_complete() {
    local -a found
    if [[ ${words[1]:t} == python* && ${words[2]} != (|*/)bench/run.py ]]; then
        _default
        return
    fi
    found=(${(f)"$(PYTHON -P -m bench.cli.candidates "${words[1,CURRENT]}" 2>/dev/null)"})
    if (( ! $#found )); then
        compset -P '*='
        _files
        return
    fi
    compadd -S '' -- ${(M)found:#*[=.]}
    compadd -- ${found:#*[=.]}
}
compdef _rankgrid_complete rankgrid bench python python3
