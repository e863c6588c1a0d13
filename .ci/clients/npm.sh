#!/usr/bin/env bash
# The npm packages, packed and installed from their tarballs, without asking a registry: `npx squad-lint` is the program, with its
# exit codes, streams and signals. Needs npm; builds nothing that a release build has built.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=$(rustc -vV | sed -n 's/^host: //p')
cargo build --locked --release --quiet
program=${CARGO_TARGET_DIR:-$PWD/target}/release/squad-lint
demo=$PWD/tests/demo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die() {
  echo "npm: $*" >&2
  exit 1
}
# expect CODE WHAT COMMAND...: that exit code; what was printed is in $work/out and $work/err
expect() {
  local wanted=$1 what=$2 status=0
  shift 2
  "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
  [ "$status" -eq "$wanted" ] || die "$what: exit code $status, expected $wanted: $(cat "$work/out" "$work/err")"
}
# says TEXT...: standard error holds each
says() {
  for text in "$@"; do
    grep -qF -- "$text" "$work/err" || die "it does not say \`$text\`: $(cat "$work/err")"
  done
}

node packaging/npm/pack.mjs "$work/packages" "$target=$program"
(cd "$work" && for package in packages/*; do npm pack --silent --pack-destination . "./$package"; done) >/dev/null
mkdir "$work/project"
cd "$work/project"
echo '{ "private": true }' >package.json
npm install --silent --offline --no-audit --no-fund "$work"/*.tgz

# The program that runs is the one that was built, with its answers.
expect 0 "its version" npx --offline squad-lint --version
[ "$(cat "$work/out")" = "$("$program" --version)" ] || die "another version: $(cat "$work/out")"
expect 1 "the sample" npx --offline squad-lint "$demo"
grep -q 'found 4 errors and 1 warning' "$work/out" || die "the sample: $(cat "$work/out")"
expect 0 "nothing to find" npx --offline squad-lint --exit-zero "$demo"
expect 2 "a path that is not there" npx --offline squad-lint nowhere
if [ -s "$work/out" ] || ! grep -q nowhere "$work/err"; then die "an error is not on standard error"; fi
npx --offline squad-lint --stdin-filename .squad/decisions.md --exit-zero <"$demo/.squad/decisions.md" >"$work/out"
grep -q '^found' "$work/out" || die "standard input does not get through: $(cat "$work/out")"

# A signal for npm's process ends the program, and is what ends npm's process.
mkfifo "$work/input"
node_modules/.bin/squad-lint --stdin-filename .squad/decisions.md <"$work/input" &
wrapper=$!
exec 3>"$work/input"
for _ in $(seq 200); do
  child=$(pgrep -P "$wrapper" -x squad-lint || true)
  [ -n "$child" ] && break
  sleep 0.05
done
[ -n "$child" ] || die "the program did not start"
kill -TERM "$wrapper"
status=0
wait "$wrapper" || status=$?
exec 3>&-
[ "$status" -eq 143 ] || die "ended with $status after SIGTERM, expected 143"
! kill -0 "$child" 2>/dev/null || die "the program outlives its wrapper"

# A machine without a binary, and an installation without the package that holds it.
echo 'Object.defineProperty(process, "platform", { value: "sunos" });' >sunos.cjs
expect 2 "another platform" node --require ./sunos.cjs node_modules/squad-lint/bin/squad-lint.js
says 'no binary for sunos-' 'cargo install'
rm -r node_modules/@squad-lint
expect 2 "without the platform's package" npx --offline squad-lint --version
says 'is not installed' '--omit=optional'
echo "npm: npx squad-lint runs the program, with its exit codes, streams and signals"
