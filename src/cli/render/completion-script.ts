import type { Shell } from '../shells.ts'

/** The script that teaches a shell to complete `gza` and `git tasks`. All it knows is how to ask `gza __complete`. */
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

// In every script: `gza` or `git-tasks`, whichever is there, answers; git's own completion calls `_git_tasks`.
const BASH = `# Completion of gza and git tasks for bash. Load it with: eval "$(gza completion bash)"
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
# or save it as _gza in a folder of $fpath.
compdef _gza gza git-tasks
zstyle ':completion:*:*:git:*' user-commands tasks:'tasks for AI coding agents'
_gza_candidates() {
  local program=$1 line name tab=$'\\t'
  local -a candidates
  shift
  for line in "\${(@f)$("$program" __complete -- "$@" 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    name=\${line%%$tab*}
    name=\${name//:/\\\\:}
    candidates+=("$name:\${line#*$tab}")
  done
  if (( $#candidates )); then _describe 'candidate' candidates; else _files; fi
}
_gza() {
  _gza_candidates "\${words[1]}" "\${(@)words[2,CURRENT]}"
}
_git-tasks() {
  _gza_candidates git-tasks "\${(@)words[2,CURRENT]}"
}
# As a file of $fpath this is the body of _gza, called for the first time; evaluated, it only defines.
if [[ $funcstack[1] == _gza ]]; then _gza "$@"; fi`

const FISH = `# Completion of gza and git tasks for fish. Load it with: gza completion fish | source
function __gza_candidates
    set -l words (commandline -opc)
    $words[1] __complete -- $words[2..-1] (commandline -ct) 2>/dev/null
end
function __git_tasks_candidates
    set -l words (commandline -opc)
    set -l at (contains -i -- tasks $words)
    git-tasks __complete -- $words[(math $at + 1)..-1] (commandline -ct) 2>/dev/null
end
for program in gza git-tasks
    complete -c $program -f -a '(__gza_candidates)'
    complete -c $program -n '__fish_seen_subcommand_from import' -F
end
complete -c git -n 'contains -- tasks (commandline -opc)' -f -a '(__git_tasks_candidates)'`
