#!/bin/sh
# gza's git: implements `git log --tasks` and `git commit --prompt TEXT`, and passes everything else unchanged to the next
# git on PATH. Every call of git goes through this file, so passing on starts no process and exports nothing. The names of
# the variables must not collide with those of the caller, which would stay exported.

_gza_find_git() {
  set -f
  IFS=:
  for _gza_dir in $PATH; do
    _gza_git=${_gza_dir:-.}/git
    # The marker identifies every folder that contains a shim, so that two shims on PATH do not call each other forever.
    if [ -f "$_gza_git" ] && [ -x "$_gza_git" ] && [ ! -e "${_gza_dir:-.}/.gza-shim" ] && [ ! "$_gza_git" -ef "$0" ]; then
      unset IFS
      set +f
      return
    fi
  done
  echo 'gza: no git on PATH besides the shim' >&2
  exit 127
}

# Counts the arguments before the subcommand, and stores the subcommand.
_gza_find_command() {
  _gza_globals=0
  _gza_command=
  _gza_value=
  _gza_sets_hooks=
  for _gza_arg do
    if [ -n "$_gza_value" ]; then
      case $_gza_value:$_gza_arg in
        setting:[Cc][Oo][Rr][Ee].[Hh][Oo][Oo][Kk][Ss][Pp][Aa][Tt][Hh]*) _gza_hooks=${_gza_arg#*=} _gza_sets_hooks=1 ;;
      esac
      _gza_value=
    else
      case $_gza_arg in
        -c) _gza_value=setting ;;
        -C | --git-dir | --work-tree | --namespace | --super-prefix | --config-env | --attr-source) _gza_value=1 ;;
        -*) ;;
        *) _gza_command=$_gza_arg && return ;;
      esac
    fi
    _gza_globals=$((_gza_globals + 1))
  done
}

# --tasks becomes --notes, unless it is a path (after --) or the value of the option before it. With a pattern instead of
# the plain name, git does not warn if no task is linked yet.
_gza_log() {
  _gza_left=$#
  _gza_past=$((_gza_left - _gza_globals - 1))
  _gza_value= _gza_shows=
  while [ "$_gza_left" -gt 0 ]; do
    _gza_arg=$1
    shift
    if [ -n "$_gza_value" ]; then
      _gza_value=
    elif [ "$_gza_left" -le "$_gza_past" ]; then
      case $_gza_arg in
        -- | --end-of-options) _gza_past=0 ;;
        --tasks) _gza_arg='--notes=refs/notes/task[s]' _gza_shows=1 ;;
        -[SGLOUln] | --grep | --author | --committer | --grep-reflog | --since | --after | --until | --before | --date) _gza_value=1 ;;
        --max-count | --skip | --min-age | --max-age | --encoding | --glob | --exclude | --decorate-refs) _gza_value=1 ;;
        --decorate-refs-exclude | --diff-filter | --word-diff-regex | --output | --line-prefix | --src-prefix) _gza_value=1 ;;
        --dst-prefix | --ws-error-highlight | --inter-hunk-context | --anchored | --find-object) _gza_value=1 ;;
        --diff-algorithm | --skip-to | --rotate-to) _gza_value=1 ;;
      esac
    fi
    set -- "$@" "$_gza_arg"
    _gza_left=$((_gza_left - 1))
  done
  [ -z "$_gza_shows" ] || _gza_link "$@"
  exec "$_gza_git" "$@"
}

# Commits that were made since the last call of gza have no notes yet. If gza cannot look, the log shows what is there.
# Without git-tasks on PATH, git might correct the word to another command.
_gza_link() {
  command -v git-tasks >/dev/null 2>&1 || return 0
  _gza_words='tasks __link'
  _gza_plumb "$@" </dev/null >/dev/null 2>&1 || :
}

# Removes --prompt, commits, and adds the text as a note to the new commit.
_gza_commit() {
  _gza_left=$#
  _gza_past=$((_gza_left - _gza_globals - 1))
  _gza_value= _gza_prompt= _gza_prompted= _gza_amend= _gza_dry=
  while [ "$_gza_left" -gt 0 ]; do
    _gza_arg=$1
    shift
    if [ -n "$_gza_value" ]; then
      _gza_value=
    elif [ "$_gza_left" -le "$_gza_past" ]; then
      case $_gza_arg in
        -- | --end-of-options) _gza_past=0 ;;
        --prompt | --prompt=*)
          _gza_prompted=1
          if [ "$_gza_arg" != --prompt ]; then
            _gza_prompt=${_gza_arg#--prompt=}
          elif [ "$_gza_left" -gt 1 ]; then
            _gza_prompt=$1
            shift
            _gza_left=$((_gza_left - 1))
          else
            echo 'error: option `prompt'\'' requires a value' >&2
            exit 129
          fi
          _gza_left=$((_gza_left - 1))
          continue
          ;;
        --*=*) ;;
        --?*) _gza_read_long "${_gza_arg#--}" ;;
        -?*) _gza_read_short "${_gza_arg#-}" ;;
      esac
    fi
    set -- "$@" "$_gza_arg"
    _gza_left=$((_gza_left - 1))
  done
  [ -n "$_gza_prompted" ] || exec "$_gza_git" "$@"

  _gza_words='rev-parse --verify --quiet HEAD'
  _gza_before=$(_gza_plumb "$@")
  "$_gza_git" "$@" || exit
  [ -z "$_gza_dry" ] || exit 0
  _gza_after=$(_gza_plumb "$@") || exit 0
  # An amend that changes nothing creates the same commit again.
  [ "$_gza_before" != "$_gza_after" ] || [ -n "$_gza_amend" ] || exit 0
  [ -n "$_gza_prompt" ] || exit 0
  # With a blob, because `notes add -m` and -F would clean up the text.
  _gza_words='hash-object -w --stdin'
  _gza_blob=$(printf '%s\n' "$_gza_prompt" | _gza_plumb "$@") || _gza_blob=none
  _gza_words="notes --ref=refs/notes/prompt add -f -C $_gza_blob $_gza_after"
  if ! _gza_output=$(_gza_plumb "$@" 2>&1); then
    printf 'gza: the commit is made, but its prompt could not be noted: %s\n' "$_gza_output" >&2
  fi
  exit 0
}

# Git accepts any unique prefix of a long option.
_gza_read_long() {
  for _gza_name in message file reuse-message reedit-message fixup squash author date template trailer cleanup \
    pathspec-from-file; do
    case $_gza_name in "$1"*) _gza_value=1 ;; esac
  done
  case amend in "$1"*) _gza_amend=1 ;; esac
  for _gza_name in dry-run short porcelain long null; do
    case $_gza_name in "$1"*) _gza_dry=1 ;; esac
  done
}

_gza_read_short() {
  _gza_rest=$1
  while [ -n "$_gza_rest" ]; do
    _gza_tail=${_gza_rest#?}
    case $_gza_rest in
      [mFCct]*)
        [ -n "$_gza_tail" ] || _gza_value=1
        return
        ;;
      [uS]*) return ;;
      z*) _gza_dry=1 ;;
    esac
    _gza_rest=$_gza_tail
  done
}

# Runs the words of $_gza_words with the options that the call has before its subcommand, such as `-C dir`.
_gza_plumb() (
  _gza_drop=$(($# - _gza_globals))
  while [ "$_gza_globals" -gt 0 ]; do
    set -- "$@" "$1"
    shift
    _gza_globals=$((_gza_globals - 1))
  done
  shift "$_gza_drop"
  # shellcheck disable=SC2086 # none of the words contains a space
  exec "$_gza_git" "$@" $_gza_words
)

# The first layer of the guard, with the clearest messages. docs/security.md describes the layers behind it.
_gza_guard() {
  case $_gza_command in
    push | send-pack | http-push | remote-*) _gza_refuse 'pushing is for people' ;;
    symbolic-ref | reflog) ;;
    stash) _gza_guard_stash "$@" && return ;;
    *) return ;;
  esac
  _gza_names=0 _gza_ledger= _gza_change= _gza_kept=
  _gza_skip=$((_gza_globals + 1))
  for _gza_arg do
    [ "$_gza_skip" -eq 0 ] || { _gza_skip=$((_gza_skip - 1)) && continue; }
    case $_gza_arg in
      -d | --delete | delete | expire) _gza_change=1 ;;
      --all | refs/tasks/* | refs/tasks-archive/* | refs/gza/* | tasks/* | tasks-archive/* | gza/*) _gza_ledger=1 ;;
      refs/heads/* | heads/* | refs/tags/* | tags/* | refs/stash* | stash*) [ "$_gza_names" -gt 1 ] || _gza_kept=1 ;;
    esac
    case $_gza_arg in -*) ;; *) _gza_names=$((_gza_names + 1)) ;; esac
  done
  # `symbolic-ref NAME` reads, `symbolic-ref NAME REF` writes.
  [ "$_gza_command" = reflog ] || [ "$_gza_names" -lt 2 ] || _gza_change=1
  [ -n "$_gza_change" ] || return 0
  [ -z "$_gza_ledger" ] || _gza_refuse 'ledgers only move forward'
  # These two move a ref without any hook.
  [ -z "$_gza_kept" ] || ! _gza_is_kept_repo "$@" || _gza_refuse 'branches, tags and stashes stay as they are'
}

# Entries of the stash that existed before belong to a person. No hook runs if one of several is dropped.
_gza_guard_stash() {
  grep -q '^stash ' "${GZA_KEPT_BRANCHES:-/dev/null}" 2>/dev/null || return 0
  _gza_skip=$((_gza_globals + 1)) _gza_what= _gza_entry=
  for _gza_arg do
    [ "$_gza_skip" -eq 0 ] || { _gza_skip=$((_gza_skip - 1)) && continue; }
    case $_gza_what:$_gza_arg in
      :drop | :pop | :clear | :branch) _gza_what=$_gza_arg ;;
      :*) return 0 ;;
      branch:*) _gza_what=named ;;
      *:-*) ;;
      *) _gza_entry=$_gza_arg ;;
    esac
  done
  case ${_gza_entry:-0} in *[!0-9]*) _gza_entry=${_gza_entry} ;; *) _gza_entry="stash@{${_gza_entry:-0}}" ;; esac
  _gza_words="rev-parse --verify --quiet $_gza_entry"
  [ "$_gza_what" != clear ] || _gza_words='log --walk-reflogs --no-show-signature --format=%H refs/stash --'
  [ -n "$_gza_what" ] || return 0
  _gza_plumb "$@" 2>/dev/null | sed 's/^/stash /' | grep -qxFf - "$GZA_KEPT_BRANCHES" || return 0
  _gza_refuse 'that entry existed before this run; git stash apply leaves it there'
}

_gza_is_kept_repo() {
  _gza_words='rev-parse --path-format=absolute --git-common-dir'
  _gza_common=$(_gza_plumb "$@") && [ "$(cd "$_gza_common" && pwd -P)" = "${GZA_KEPT_REPO-}" ]
}

# Some clients blank core.hooksPath in the environment, and so would agents: the guard's own comes last again. What they
# set instead still runs.
_gza_keep_hooks() {
  [ -n "${GZA_GUARD_COUNT-}" ] && [ "${GIT_CONFIG_COUNT-}" != "$GZA_GUARD_COUNT" ] || return 0
  _gza_count=${GIT_CONFIG_COUNT:-0} _gza_at=0
  case $_gza_count in *[!0-9]*) return 0 ;; esac
  while [ "$_gza_at" -lt "$_gza_count" ]; do
    eval "_gza_key=\${GIT_CONFIG_KEY_$_gza_at-} _gza_value=\${GIT_CONFIG_VALUE_$_gza_at-}"
    case $_gza_key:$_gza_value in
      [Cc][Oo][Rr][Ee].[Hh][Oo][Oo][Kk][Ss][Pp][Aa][Tt][Hh]:*/gza/guard/hooks | *:) ;;
      [Cc][Oo][Rr][Ee].[Hh][Oo][Oo][Kk][Ss][Pp][Aa][Tt][Hh]:*) export "GZA_GUARD_CHAIN=$_gza_value" ;;
    esac
    _gza_at=$((_gza_at + 1))
  done
  export "GIT_CONFIG_KEY_$_gza_count=core.hookspath" "GIT_CONFIG_VALUE_$_gza_count=${GZA_LEAN_HOOKS%/lean}"
  export "GIT_CONFIG_COUNT=$((_gza_count + 1))"
}

# `-c core.hooksPath=…` of the call itself comes after the environment, so the guard's own must come after that.
_gza_keep_hooks_after() {
  _gza_at=0 _gza_total=$#
  for _gza_arg do
    [ "$_gza_at" -ne "$_gza_globals" ] || set -- "$@" -c "core.hooksPath=${GZA_LEAN_HOOKS%/lean}"
    set -- "$@" "$_gza_arg"
    _gza_at=$((_gza_at + 1))
  done
  shift "$_gza_total"
  exec "$_gza_git" "$@"
}

_gza_refuse() {
  printf 'gza: git %s is not allowed for agents: %s\n' "$_gza_command" "$1" >&2
  exit 1
}

# If the run's repository has no hooks, `add` and `commit` call only the hooks in which the guard refuses something. The
# other six would each start a shell that does nothing, which takes longer than the two commands. In doubt, all are called.
_gza_spare_hooks() {
  case $_gza_command:$_gza_globals:${GZA_LEAN_HOOKS:+set}:${GZA_GUARD_CHAIN:-none} in
    add:0:set:none | commit:0:set:none) ;;
    *) return ;;
  esac
  [ -z "${GIT_DIR-}${GIT_CONFIG_PARAMETERS-}${GIT_CONFIG_GLOBAL-}${GIT_CONFIG_SYSTEM-}" ] || return
  _gza_is_in_run && _gza_has_no_hooks || return
  eval "[ \"\${GIT_CONFIG_KEY_$GZA_LEAN_AT-}\" = core.hookspath ]" || return
  export "GIT_CONFIG_VALUE_$GZA_LEAN_AT=$GZA_LEAN_HOOKS"
}

# Whether the worktree belongs to the run's repository, and its settings have not changed since the run started.
_gza_is_in_run() {
  [ -f "${GZA_KEPT_BRANCHES-}" ] || return
  _gza_top=$PWD
  while [ ! -e "$_gza_top/.git" ]; do
    [ -n "$_gza_top" ] && [ ! -L "$_gza_top" ] || return
    _gza_top=${_gza_top%/*}
  done
  [ -f "$_gza_top/.git" ] && [ ! -L "$_gza_top" ] && IFS= read -r _gza_link <"$_gza_top/.git" || return
  case $_gza_link in "gitdir: $GZA_KEPT_REPO/worktrees/"*/*) return 1 ;; "gitdir: $GZA_KEPT_REPO/worktrees/"*) ;; *) return 1 ;; esac
  [ ! -e "${_gza_link#gitdir: }/config.worktree" ] || return
  for _gza_file in "$GZA_KEPT_REPO/config" "${HOME-}/.gitconfig" "${XDG_CONFIG_HOME:-${HOME-}/.config}/git/config"; do
    [ ! "$_gza_file" -nt "$GZA_KEPT_BRANCHES" ] || return
  done
}

_gza_has_no_hooks() {
  case ${GZA_GUARD_HOOKS-} in /*) ;; *) return 1 ;; esac
  for _gza_file in "$GZA_GUARD_HOOKS"/*; do
    case $_gza_file in *.sample) ;; *) [ ! -e "$_gza_file" ] || return ;; esac
  done
}

# What this run installs is not taken for a person's own installation.
_gza_note_installer() {
  case ${GZA_KEPT_BRANCHES-} in
    */branches/*) : >"${GZA_KEPT_BRANCHES%/branches/*}/installs-${GZA_KEPT_BRANCHES##*/}" ;;
  esac 2>/dev/null || :
}

_gza_find_git
_gza_find_command "$@"
if [ -n "${GZA_GUARD-}" ]; then
  _gza_guard "$@"
  case $_gza_command:$* in
    # Installers of hooks ask where these are. The guard's own are not to be overwritten. git-lfs reads the place from the
    # list of all settings, and refuses to install where it finds hooks of others.
    config:*core.hooks[Pp]ath* | rev-parse:*--git-path*hooks* | lfs:'lfs install'* | lfs:'lfs update'* | lfs:'lfs uninstall'*)
      _gza_note_installer
      GIT_CONFIG_COUNT=0 exec "$_gza_git" "$@"
      ;;
    config:*filter.lfs.* | lfs:*) _gza_note_installer ;;
  esac
  _gza_keep_hooks
  if [ -n "$_gza_sets_hooks" ] && [ -n "${GZA_LEAN_HOOKS-}" ]; then
    export "GZA_GUARD_CHAIN=${_gza_hooks:-/dev/null}"
    _gza_keep_hooks_after "$@"
  fi
  _gza_spare_hooks
fi
case $_gza_command:$* in
  log:*--tasks*) _gza_log "$@" ;;
  commit:*--prompt*) _gza_commit "$@" ;;
esac
exec "$_gza_git" "$@"
