# What the scripts here share; sourced by them.
# shellcheck shell=bash

# Sets `work`, a folder that goes when the script ends, and leaves out what the user's own git is told.
begin() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  export HOME=$work/home GIT_CONFIG_NOSYSTEM=1 NO_COLOR=1 PRE_COMMIT_COLOR=never
  export PRE_COMMIT_HOME=$work/pre-commit PREK_HOME=$work/prek
  # pre-commit takes GIT_CONFIG_GLOBAL from its git.
  unset GIT_CONFIG_GLOBAL XDG_CONFIG_HOME GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
  mkdir -p "$HOME"
  git config --global user.name Kay
  git config --global user.email kay@example.com
  git config --global protocol.file.allow always
}

# Enters a new repository.
scratch() {
  cd "$(mktemp -d "$work/scratch.XXXXXX")" || exit
  git init --quiet --initial-branch main .
}

fail() {
  printf '%s: %s\n' "${at:-$0}" "$1" >&2
  sed 's/^/  | /' "$work/said" >&2
  exit 1
}

# The command ends well.
passes() { "$@" >"$work/said" 2>&1 || fail "\`$*\` ends with $?"; }

# stops TEXT COMMAND...: the command does not end well, and says this.
stops() {
  local text=$1
  shift
  if "$@" >"$work/said" 2>&1; then fail "\`$*\` passes"; fi
  shows "$text"
}

# The last command said this, or did not.
shows() { grep -qF -- "$1" "$work/said" || fail "it does not say \`$1\`"; }
shows_not() { if grep -qF -- "$1" "$work/said"; then fail "it says \`$1\`"; fi; }
