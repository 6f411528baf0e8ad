#!/bin/sh
# Written by gza for the agents it starts; used for every hook that git knows. It refuses what an agent may not do, then
# executes the repository's own hook of that name. docs/security.md explains what this prevents and what it does not.
name=${0##*/}
gza='@GZA@'

# Whether this is the run's repository, with the settings it had when the agent's phase started. Git calls eight hooks for
# each commit: calling git back each time would take longer than the commit.
is_unchanged() {
  [ -n "${GZA_GUARD_HOOKS-}" ] && [ -f "${GZA_KEPT_BRANCHES-}" ] || return 1
  [ -z "${GIT_CONFIG_PARAMETERS-}${GIT_CONFIG_GLOBAL-}${GIT_CONFIG_SYSTEM-}" ] || return 1
  # The git folder of a submodule is below that of the worktree.
  case ${GIT_DIR-} in "$GZA_KEPT_REPO"/worktrees/*/*) return 1 ;; "$GZA_KEPT_REPO"/worktrees/*) ;; *) return 1 ;; esac
  [ ! -e "$GIT_DIR/config.worktree" ] || return 1
  for file in "$GZA_KEPT_REPO/config" "${HOME-}/.gitconfig" "${XDG_CONFIG_HOME:-${HOME-}/.config}/git/config"; do
    [ ! "$file" -nt "$GZA_KEPT_BRANCHES" ] || return 1
  done
}

# The hook that git would run without the guard's settings; none if the shim has already checked that.
case $0 in */gza/guard/hooks/lean/*) looked=yes ;; *) looked= ;; esac
if [ -n "$looked" ]; then
  own=
elif [ -n "${GZA_GUARD_CHAIN-}" ]; then
  own=$GZA_GUARD_CHAIN/$name
elif is_unchanged; then
  own=$GZA_GUARD_HOOKS/$name
else
  own=$(GIT_CONFIG_COUNT=0 git rev-parse --git-path hooks)/$name
fi
case $own in */gza/guard/hooks/*) own= ;; esac
{ [ -f "$own" ] && [ -x "$own" ]; } || own=

# Reads the lines on standard input. A commit moves one or two refs, and needs no process here.
read_updates() {
  updates= moves_others= own_to=
  for _ in 1 2 3; do
    IFS= read -r line || return 0
    updates="$updates${updates:+$newline}$line"
    case $line in
      *" refs/heads/${GZA_OWN_BRANCH:-/}") own_to=${line#* } own_to=${own_to%% *} ;;
      *refs/heads/* | *refs/tags/* | *refs/stash) moves_others=yes ;;
    esac
  done
  rest=$(cat)
  [ -z "$rest" ] || moves_others=yes updates="$updates$newline$rest"
}
newline='
'

# Whether the person's own branch, on which an agent of `git tasks run` works, moves in another way than forward. In other
# repositories the start is unknown, and gza finds nothing to refuse.
moves_own_back() {
  [ -n "$own_to" ] && [ -n "${GZA_OWN_FROM-}" ] || return 1
  ! git merge-base --is-ancestor "$GZA_OWN_FROM" "$own_to" 2>/dev/null
}

# Whether a ref of this repository moves that existed before the agent's phase. Other repositories, such as those that
# tests create, are not restricted.
moves_kept_branch() {
  [ -n "$moves_others" ] && [ -f "${GZA_KEPT_BRANCHES-}" ] || return 1
  printf '%s\n' "$updates" | cut -d ' ' -f 3- | grep -qxFf - "$GZA_KEPT_BRANCHES" || return 1
  [ "$(cd "$(git rev-parse --git-common-dir)" && pwd -P)" = "${GZA_KEPT_REPO-}" ]
}

case $name in
  pre-push)
    echo 'gza: git push is not allowed for agents: pushing is for people' >&2
    exit 1
    ;;
  reference-transaction)
    [ "$1" = prepared ] || [ -n "$own" ] || exit 0
    read_updates
    asks=
    case $1:$updates in
      prepared:*[Rr][Ee][Ff][Ss]/[Tt][Aa][Ss][Kk][Ss]* | prepared:*[Rr][Ee][Ff][Ss]/[Gg][Zz][Aa]/* | prepared:*refs/replace/*)
        asks=yes
        ;;
      prepared:*refs/heads/* | prepared:*refs/tags/* | prepared:*refs/stash*)
        ! moves_kept_branch && ! moves_own_back || asks=yes
        ;;
    esac
    [ -z "$asks" ] || printf '%s\n' "$updates" | "$gza" hook "$name" "$@" || exit 1
    [ -n "$own" ] || exit 0
    [ -n "$updates" ] || exec "$own" "$@" </dev/null
    printf '%s\n' "$updates" | "$own" "$@"
    exit
    ;;
esac
[ -n "$own" ] || exit 0
exec "$own" "$@"
