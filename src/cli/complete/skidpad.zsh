#compdef skidpad
# Completions of skidpad for zsh: the program itself says what may follow.
_skidpad() {
    local -a found open closed
    found=("${(@f)$(SKIDPAD_COMPLETE=zsh SKIDPAD_COMPLETE_INDEX=$((CURRENT - 1)) PROGRAM -- "${words[@]}" 2> /dev/null)}")
    open=("${(@M)found:#(*[=/]|*[=/]:*)}")
    closed=("${(@)found:#(*[=/]|*[=/]:*|)}")
    [[ -n $open ]] && _describe -V skidpad open -S ''
    [[ -n $closed ]] && _describe -V skidpad closed
}
# As the file _skidpad in a folder of $fpath it is this function; otherwise it defines it.
if [[ $funcstack[1] == _skidpad ]]; then
    _skidpad "$@"
else
    compdef _skidpad skidpad
fi
