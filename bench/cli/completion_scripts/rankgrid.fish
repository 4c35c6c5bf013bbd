# Completion of rankgrid, scripts/bench and python bench/run.py:
#     rankgrid completion fish | source
function __rankgrid_complete
    set -l found (PYTHON -P -m bench.cli.candidates (commandline -cp | string collect) 2>/dev/null | string match -r '.+')
    if test (count $found) -gt 0
        printf '%s\n' $found
        return
    end
    set -l name (string match -r '^[^=]*=' -- (commandline -ct))
    set -l value (string replace -r '^[^=]*=' '' -- (commandline -ct))
    for path in (__fish_complete_path $value)
        printf '%s%s\n' "$name" $path
    end
end
function __rankgrid_is_run
    string match -qr '(^|/)bench/run\.py$' -- (commandline -opc)[2]
end
complete -c rankgrid -f -a '(__rankgrid_complete)'
complete -c bench -f -a '(__rankgrid_complete)'
complete -c python -n __rankgrid_is_run -f -a '(__rankgrid_complete)'
complete -c python3 -n __rankgrid_is_run -f -a '(__rankgrid_complete)'
