#!/usr/bin/env bash
# The GitHub Action: finds out what the event changed, runs squad-lint on it, and writes annotations, the job summary and
# SARIF. Inputs come as variables INPUT_*, all else from the runner's GITHUB_* and RUNNER_*. Bash 3.2 is enough (macOS).
#
# Nothing of a pull request is ever run: of its commits only objects are read, and the program is built, where there is no
# release of it, from the action's own folder.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# The runner shows ten annotations of a kind.
max_annotations=10
# The runner takes a summary of 1 MiB.
max_summary=900000

### Saying things

# One line in which the runner finds no command.
escaped() {
  local text=${1//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '%s' "${text//$'\n'/%0A}"
}

notice() { printf '::notice title=squad-lint::%s\n' "$(escaped "$1")"; }
warning() { printf '::warning title=squad-lint::%s\n' "$(escaped "$1")"; }

# On standard error, where the runner looks for commands, too: in a substitution standard output is caught.
die() {
  printf '::error title=squad-lint::%s\n' "$(escaped "$1")" >&2
  output exit-code 2
  exit 2
}

# Values are ours: numbers, and a file name without control characters.
output() {
  if [ -n "${GITHUB_OUTPUT:-}" ]; then printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; fi
}

### Reading JSON: the program does it, so that a runner needs neither jq nor python3

# event NAME...: a value of the event.
event() {
  [ -r "${GITHUB_EVENT_PATH:-}" ] ||
    die "GITHUB_EVENT_PATH names no file that can be read: what the event changed is not known"
  "$program" json-value "$GITHUB_EVENT_PATH" "$@" || die "the event in GITHUB_EVENT_PATH cannot be read"
}

# A commit's name out of the event; nothing else in it gets to git.
event_commit() {
  local commit
  commit=$(event "$@") || exit
  if [ -n "$commit" ] && ! [[ $commit =~ ^([0-9a-f]{40}|[0-9a-f]{64})$ ]]; then
    die "\`$*\` of the event is no commit: $commit"
  fi
  printf '%s' "$commit"
}

### Inputs

is_true() {
  case $2 in
    true) return 0 ;;
    false | '') return 1 ;;
    *) die "the input \`$1\` is \`$2\`, expected true or false" ;;
  esac
}

# Control characters in a name are a mistake, or somebody who means to write another output.
one_line() {
  case $2 in *[[:cntrl:]]*) die "the input \`$1\` holds a control character" ;; esac
}

### The program

# Both this and tar would read more into the name of a file on Windows.
checksum() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum; else shasum -a 256; fi <"$1" | cut -d ' ' -f 1
}

target() {
  case "$(uname -s) $(uname -m)" in
    'Linux x86_64') echo x86_64-unknown-linux-gnu ;;
    'Linux aarch64' | 'Linux arm64') echo aarch64-unknown-linux-gnu ;;
    'Darwin x86_64') echo x86_64-apple-darwin ;;
    'Darwin arm64') echo aarch64-apple-darwin ;;
    MINGW*x86_64 | MSYS*x86_64) echo x86_64-pc-windows-msvc ;;
    MINGW*aarch64 | MSYS*aarch64 | MINGW*arm64 | MSYS*arm64) echo aarch64-pc-windows-msvc ;;
    *) echo none ;;
  esac
}

# Sets `program`.
get_program() {
  local own version target archive expected
  own=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$here/Cargo.toml" | head -n 1)
  version=${INPUT_VERSION:-$own}
  [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || die "\`$version\` is no version of squad-lint, expected one like $own"
  if ! grep -q "  squad-lint-${version//./\\.}-" "$here/hooks/checksums.txt"; then
    [ "$version" = "$own" ] || die "squad-lint $version is not known to this action, which is of version $own: use the action's tag v$version"
    build "$version"
    return
  fi
  target=$(target)
  archive=squad-lint-$version-$target.tar.gz
  expected=$(awk -v archive="$archive" '$2 == archive { print $1 }' "$here/hooks/checksums.txt")
  [ -n "$expected" ] || die "there is no squad-lint $version for $(uname -s) on $(uname -m)"
  local url=${SQUAD_LINT_RELEASES:-https://github.com/squad-lint/squad-lint/releases/download}
  curl --silent --show-error --fail --location --retry 3 --output "$work/$archive" "$url/v$version/$archive" ||
    die "cannot download $url/v$version/$archive"
  local actual
  actual=$(checksum "$work/$archive")
  [ "$actual" = "$expected" ] || die "the checksum of $archive is $actual, expected $expected: it is not run"
  # It holds one folder, which is of no interest.
  tar -xzf - -C "$work" --strip-components 1 <"$work/$archive" || die "cannot unpack $archive"
  program=$work/squad-lint
  [ -x "$program" ] || program=$work/squad-lint.exe
  check_version "$version"
}

# Builds the action's own source. In its own folder: Cargo and rustup read what lies in the current one and above it.
build() {
  command -v cargo >/dev/null 2>&1 || die "there is no release of squad-lint $1 yet, and no cargo here to build it with"
  notice "there is no release of squad-lint $1 yet: it is built from the action's source, which takes minutes"
  local folder=${CARGO_TARGET_DIR:-$work/target}
  (cd "$here" && cargo build --quiet --release --locked --target-dir "$folder") || die "squad-lint $1 could not be built"
  program=$folder/release/squad-lint
  check_version "$1"
}

check_version() {
  [ "$("$program" --version 2>&1)" = "squad-lint $1" ] || die "the program that was to be squad-lint $1 does not say so"
}

### What changed

has_commit() { git cat-file -e "$1^{commit}" 2>/dev/null; }

# fetch REFSPEC: gets what a shallow clone lacks. A complete clone is not made shallow.
fetch() {
  local depth=()
  if [ "$(git rev-parse --is-shallow-repository)" = true ]; then depth=(--depth=1); fi
  git fetch --quiet --no-tags --no-recurse-submodules ${depth[@]+"${depth[@]}"} -- origin "$1" 2>"$work/fetch"
}

# Gets a commit that has to be there to compare with.
need_commit() {
  has_commit "$1" || fetch "$1" || true
  has_commit "$1" && return
  local reason
  reason=$(head -c 300 "$work/fetch" 2>/dev/null || true)
  die "the commit $1, with which this change is to be compared, is not in the clone and cannot be fetched (${reason:-git does not say why}); \`fetch-depth: 0\` at actions/checkout gets it"
}

is_nothing() { case $1 in '' | *[!0]*) return 1 ;; esac }

# The two parents of a merge as it is written down: a shallow clone hides them from other commands.
parents() { git cat-file commit "$1" 2>/dev/null | sed -n '/^$/q; s/^parent //p'; }

# A pull request is compared as its merge with the base branch: whatever else came into the base is no part of it.
# of_merge COMMIT HEAD: sets `from` where COMMIT is the merge of HEAD.
of_merge() {
  local first second
  { read -r first && read -r second; } < <(parents "$1") || return 1
  [ "$second" = "$2" ] || return 1
  from=$first
}

# Sets `from` and `to`; without them everything is checked. Sets `branch` to what the guard is to protect.
find_change() {
  from='' to='' branch=''
  local base head number
  case $GITHUB_EVENT_NAME in
    pull_request | pull_request_target)
      branch=$(event pull_request base ref)
      number=$(event pull_request number)
      base=$(event_commit pull_request base sha)
      head=$(event_commit pull_request head sha)
      [ -n "$base" ] || die "the event has no \`pull_request.base.sha\`: what to compare with is not known"
      if [ "$GITHUB_EVENT_NAME" = pull_request ]; then
        of_merge HEAD "$head" || from=$base
        to=$(git rev-parse HEAD)
      else
        # The base branch is checked out, and stays so.
        [[ $number =~ ^[0-9]+$ && -n $head ]] || die "the event has no \`pull_request.number\` or no \`pull_request.head.sha\`"
        if fetch "refs/pull/$number/merge" && of_merge FETCH_HEAD "$head"; then
          to=$(git rev-parse FETCH_HEAD)
        else
          has_commit "$head" || fetch "refs/pull/$number/head" || true
          need_commit "$head"
          from=$base to=$head
        fi
      fi
      need_commit "$from"
      ;;
    merge_group)
      branch=$(event merge_group base_ref)
      branch=${branch#refs/heads/}
      from=$(event_commit merge_group base_sha)
      [ -n "$from" ] || die "the event has no \`merge_group.base_sha\`: what to compare with is not known"
      need_commit "$from"
      to=$(git rev-parse HEAD)
      ;;
    push)
      # A tag has no branch that it could be compared with.
      case ${GITHUB_REF:-} in
        refs/heads/*) branch=${GITHUB_REF#refs/heads/} ;;
        *) return ;;
      esac
      base=$(event_commit before)
      [ -n "$base" ] || die "the event has no \`before\`: what to compare with is not known"
      if [ "$(event deleted)" = true ]; then
        notice "the push deletes $branch: there is nothing to check"
        output findings 0
        output exit-code 0
        exit 0
      fi
      if is_nothing "$base"; then
        since_default_branch
      elif [ "$(event forced)" = true ] && ! has_commit "$base" && ! fetch "$base"; then
        warning "what $branch was before this force push cannot be fetched any more"
        since_default_branch
      else
        need_commit "$base"
        from=$base
      fi
      [ -z "$from" ] || to=$(git rev-parse HEAD)
      ;;
    *)
      case ${GITHUB_REF:-} in refs/heads/*) branch=${GITHUB_REF#refs/heads/} ;; esac
      ;;
  esac
}

# For a branch that is new: what it has and the default branch has not. The first push is compared with nothing.
since_default_branch() {
  local default
  default=$(event repository default_branch)
  if [ -z "$default" ] || [ "$default" = "$branch" ] || ! git check-ref-format "refs/heads/$default"; then return; fi
  if fetch "refs/heads/$default"; then
    from=$(git rev-parse FETCH_HEAD)
  else
    notice "the branch $default cannot be fetched: all files are checked"
  fi
}

### The run

# Ten annotations of a kind, errors first; adds to `unshown` how many are left, which the summary has.
annotate() {
  local kind total
  for kind in error warning notice; do
    grep -m "$max_annotations" "^::$kind " "$1" || true
    total=$(grep -c "^::$kind " "$1" || true)
    if [ "$total" -gt "$max_annotations" ]; then unshown=$((unshown + total - max_annotations)); fi
  done
}

# The diff of the fixes in the files with findings, fenced so that nothing in it ends the fence.
show_diff() {
  local root paths=() path last='' fence='```'
  root=$(git rev-parse --show-toplevel)
  # Findings come file by file.
  while IFS= read -r -d '' path; do
    [ "$path" = "$last" ] || paths+=("$root/$path")
    last=$path
  done < <("$program" json-value --null "$1" diagnostics '*' path)
  [ ${#paths[@]} -gt 0 ] || return 0
  "$program" check --diff --exit-zero ${config[@]+"${config[@]}"} -- "${paths[@]}" >"$work/diff" 2>/dev/null || true
  [ -s "$work/diff" ] || return 0
  while grep -qF "$fence" "$work/diff"; do fence+='`'; done
  printf '\n<details><summary>What <code>squad-lint --fix</code> would change</summary>\n\n%sdiff\n' "$fence"
  head -c 200000 "$work/diff"
  printf '\n%s\n\n</details>\n' "$fence"
}

main() {
  [ -n "${GITHUB_EVENT_NAME:-}" ] || die "GITHUB_EVENT_NAME is not set: this script is for a runner of GitHub Actions"
  local name
  for name in OUTPUT STEP_SUMMARY; do
    name=GITHUB_$name
    if [ -z "${!name:-}" ]; then
      printf '%s is not set: what would be written there is left out\n' "$name" >&2
    fi
  done
  work=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/squad-lint.XXXXXX")
  trap 'rm -rf "$work"' EXIT

  one_line config "${INPUT_CONFIG:-}"
  one_line sarif-file "${INPUT_SARIF_FILE:-}"
  one_line working-directory "${INPUT_WORKING_DIRECTORY:-}"
  local annotations=false fix_diff=false
  if is_true annotations "${INPUT_ANNOTATIONS:-true}"; then annotations=true; fi
  if is_true fix-diff "${INPUT_FIX_DIFF:-false}"; then fix_diff=true; fi
  cd -- "${GITHUB_WORKSPACE:-.}/${INPUT_WORKING_DIRECTORY:-.}" ||
    die "the working directory \`${INPUT_WORKING_DIRECTORY:-.}\` cannot be entered; does a checkout come before this step?"
  git rev-parse --git-dir >/dev/null 2>"$work/git" || die "there is no git repository in the working directory: $(head -c 300 "$work/git")"

  get_program
  find_change

  config=()
  if [ -n "${INPUT_CONFIG:-}" ]; then config=("--config=$INPUT_CONFIG"); fi
  local args=(check ${config[@]+"${config[@]}"}) change=() reports=() sarif=() paths=() line
  if [ -n "$from" ]; then
    echo "comparing $to with $from"
    change=("--from=$from" "--to=$to")
  else
    echo "checking all files"
  fi
  if [ -n "$branch" ]; then args+=("--target-branch=$branch"); fi
  if [ -n "${INPUT_FAIL_ON:-}" ]; then args+=("--fail-on=$INPUT_FAIL_ON"); fi
  if [ -n "${INPUT_SARIF_FILE:-}" ]; then sarif=("--report=sarif=$INPUT_SARIF_FILE"); fi
  local report
  for report in json github summary; do reports+=("--report=$report=$work/$report"); done
  while IFS= read -r line || [ -n "$line" ]; do
    local words=()
    read -r -a words <<<"$line" || true
    args+=(${words[@]+"${words[@]}"})
  done <<<"${INPUT_ARGS:-}"
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line%$'\r'}
    if [ -n "$line" ]; then paths+=("$line"); fi
  done <<<"${INPUT_PATHS:-}"

  local code=0 of_branch=false has_sarif=false
  # What code scanning gets of a branch it takes for all there is: what came with earlier pushes would be closed.
  if [ "$GITHUB_EVENT_NAME" = push ] && [ -n "$from" ] && [ ${#sarif[@]} -gt 0 ]; then
    of_branch=true
  else
    reports+=(${sarif[@]+"${sarif[@]}"})
  fi
  "$program" "${args[@]}" ${change[@]+"${change[@]}"} "${reports[@]}" -- ${paths[@]+"${paths[@]}"} || code=$?
  # A file of that name may be there already, and be anybody's: it counts when this run says that it wrote it.
  if [ $of_branch = false ] && [ ${#sarif[@]} -gt 0 ] && [ $code -le 1 ]; then has_sarif=true; fi
  if [ $of_branch = true ] && [ $code -le 1 ]; then
    local whole=()
    for line in "${args[@]}"; do
      # It asks for a change.
      [ "$line" = --all-lines ] || whole+=("$line")
    done
    if "$program" "${whole[@]}" "${sarif[@]}" -- ${paths[@]+"${paths[@]}"} >"$work/whole" 2>&1 || [ $? -eq 1 ]; then
      has_sarif=true
    else
      warning "the SARIF file was not written: $(head -c 300 "$work/whole")"
    fi
  fi

  local unshown=0 findings=0
  if [ -s "$work/github" ] && [ $annotations = true ]; then annotate "$work/github"; fi
  if [ -s "$work/json" ]; then
    findings=$("$program" json-value --count "$work/json" diagnostics '*')
  elif [ $code -ne 0 ]; then
    printf '::error title=squad-lint::the check could not be done; the log says why\n'
  fi
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    {
      if [ -s "$work/summary" ]; then
        head -c "$max_summary" "$work/summary"
      elif [ $code -ne 0 ]; then
        printf '### squad-lint\n\nThe check could not be done; the log says why.\n'
      fi
      if [ $unshown -gt 0 ]; then printf '\n%s more are here and not at their lines: the runner shows %s of a kind.\n' "$unshown" "$max_annotations"; fi
      if [ $fix_diff = true ] && [ -s "$work/json" ] && [ "$GITHUB_EVENT_NAME" != pull_request_target ]; then show_diff "$work/json"; fi
    } >>"$GITHUB_STEP_SUMMARY" || warning "the job summary cannot be written"
  fi
  output findings "$findings"
  output exit-code "$code"
  if [ $has_sarif = true ]; then
    case $INPUT_SARIF_FILE in
      /* | [A-Za-z]:*) output sarif-file "$INPUT_SARIF_FILE" ;;
      *) output sarif-file "${INPUT_WORKING_DIRECTORY:-.}/$INPUT_SARIF_FILE" ;;
    esac
  fi
  exit "$code"
}

main
