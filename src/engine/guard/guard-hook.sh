#!/bin/sh
# Written by gza for the agents it starts; every hook git knows is this file. It refuses what an agent may not do, then
# becomes the repository's own hook of that name. docs/security.md says what that keeps out and what it does not.
name=${0##*/}
gza='@GZA@'

# What git would run without the guard's settings.
own=${GZA_GUARD_CHAIN:-$(GIT_CONFIG_COUNT=0 git rev-parse --git-path hooks)}/$name
case $own in */gza/guard/hooks/*) own= ;; esac
{ [ -f "$own" ] && [ -x "$own" ]; } || own=

# A branch of this repository that was there before the agent's phase; what its tests do in others is their own affair.
moves_kept_branch() {
  [ -f "${GZA_KEPT_BRANCHES-}" ] || return 1
  printf '%s\n' "$updates" | cut -d ' ' -f 3- | grep -qxFf - "$GZA_KEPT_BRANCHES" || return 1
  [ "$(cd "$(git rev-parse --git-common-dir)" && pwd -P)" = "${GZA_KEPT_REPO-}" ]
}

case $name in
  pre-push)
    echo 'gza: git push is refused to agents: pushing is for people' >&2
    exit 1
    ;;
  reference-transaction)
    updates=$(cat)
    asks=
    case $1:$updates in
      prepared:*[Rr][Ee][Ff][Ss]/[Tt][Aa][Ss][Kk][Ss]* | prepared:*[Rr][Ee][Ff][Ss]/[Gg][Zz][Aa]/* | prepared:*refs/replace/*)
        asks=yes
        ;;
      prepared:*refs/heads/*) ! moves_kept_branch || asks=yes ;;
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
