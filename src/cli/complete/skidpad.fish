# Completions of skidpad for fish: the program itself says what may follow.
complete --keep-order --exclusive --command skidpad --arguments "(SKIDPAD_COMPLETE=fish PROGRAM -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token))"
