# Completions of skidpad for bash: the program itself says what may follow.
_skidpad() {
    local IFS=$'\n'
    COMPREPLY=($(SKIDPAD_COMPLETE=bash SKIDPAD_COMPLETE_INDEX=$COMP_CWORD PROGRAM -- "${COMP_WORDS[@]}" 2> /dev/null))
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/] ]]; then
        compopt -o nospace 2> /dev/null
    fi
}
complete -o nosort -F _skidpad skidpad 2> /dev/null || complete -F _skidpad skidpad
