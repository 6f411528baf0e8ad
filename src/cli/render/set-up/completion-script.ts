import type { Shell } from '../../flags/shells.ts'

/** The script that makes a shell complete `gza` and `git tasks`. It only calls `gza __complete`. */
export function completionScript(shell: Shell): string {
  switch (shell) {
    case 'bash':
      return BASH
    case 'zsh':
      return ZSH
    case 'fish':
      return FISH
  }
}

// Every script calls `gza` or `git-tasks`, whichever is installed. Git's own completion calls `_git_tasks`.
const BASH = `# Completion of gza and git tasks for bash. Load it with: eval "$(gza completion bash)",
# or save it twice in ~/.local/share/bash-completion/completions: as gza, and as git-tasks, which git looks for.
_gza_candidates() {
  local program=$1 line
  shift
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("$program" __complete -- "$@" 2>/dev/null)
}
_gza() {
  _gza_candidates "\${COMP_WORDS[0]}" "\${COMP_WORDS[@]:1:COMP_CWORD}"
}
_git_tasks() {
  local at=1
  while ((at < COMP_CWORD)) && [[ \${COMP_WORDS[at]} != tasks ]]; do ((at++)); done
  _gza_candidates git-tasks "\${COMP_WORDS[@]:at+1:COMP_CWORD-at}"
}
complete -o default -F _gza gza
complete -o default -F _gza git-tasks`

const ZSH = `#compdef gza git-tasks
# Completion of gza and git tasks for zsh. Load it with: eval "$(gza completion zsh)", after compinit,
# or save it twice in a folder of $fpath: as _gza, and as _git-tasks, which zsh looks for.
compdef _gza gza git-tasks
() {
  local -aU others
  zstyle -g others ':completion:*:*:git:*' user-commands
  zstyle ':completion:*:*:git:*' user-commands $others tasks:'tasks for AI coding agents'
}
_gza_candidates() {
  local program=$1 line name title tab=$'\\t'
  local -a candidates
  shift
  for line in "\${(@f)$("$program" __complete -- "$@" 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    name=\${line%%$tab*}
    name=\${name//:/\\\\:}
    # _describe takes one backslash of each pair away.
    title=\${line#*$tab}
    candidates+=("$name:\${title//\\\\/\\\\\\\\}")
  done
  if (( $#candidates )); then _describe 'candidate' candidates; else _files; fi
}
# $PREFIX is the part of the last word before the cursor, without an opening quote.
_gza() {
  _gza_candidates "\${words[1]}" "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}"
}
_git-tasks() {
  _gza_candidates git-tasks "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}"
}
# As a file in $fpath, this is also the first call of the function with its name. With eval, it only defines functions.
case $funcstack[1] in
  _gza) _gza "$@" ;;
  _git-tasks) _git-tasks "$@" ;;
esac`

const FISH = `# Completion of gza and git tasks for fish. Load it with: gza completion fish | source
# or save it in ~/.config/fish/conf.d. In the completions folder, it would be read only after gza itself is completed.
function __gza_ask
    set -l found ($argv[1] __complete -- $argv[2..-1] (commandline -ct) 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
function __gza_candidates
    set -l words (commandline -opc)
    __gza_ask $words[1] $words[2..-1]
end
# The words after git's own options: the subcommand and what follows it.
function __git_tasks_words
    set -l words (commandline -opc)
    set -e words[1]
    while string match -q -- '-*' "$words[1]"
        contains -- $words[1] -C -c --git-dir --work-tree --namespace --config-env; and set -e words[1]
        set -e words[1]
    end
    set -q words[1]; and printf '%s\\n' $words
end
function __git_tasks_wanted
    set -l words (__git_tasks_words)
    test "$words[1]" = "$argv[1]"
end
function __git_tasks_candidates
    set -l words (__git_tasks_words)
    __gza_ask git-tasks $words[2..-1]
end
for program in gza git-tasks
    complete -c $program -f -a '(__gza_candidates)'
end
complete -c git -n '__git_tasks_wanted ""' -f -a tasks -d 'tasks for AI coding agents'
complete -c git -n '__git_tasks_wanted tasks' -f -a '(__git_tasks_candidates)'`
