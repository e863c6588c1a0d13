#!/usr/bin/env bash
# Publishes the npm packages of the binaries in the archives of a folder; those that the registry has are passed over, so that it
# can be run again. The packages of the platforms go first: the main one names them.
#
# publish.sh FOLDER [ARGUMENT of npm publish...]
set -euo pipefail
archives=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

binaries=()
for target in $(node -p 'Object.keys(require("./platforms.json")).join("\n")'); do
  mkdir "$work/$target"
  tar -xzf "$archives"/squad-lint-*-"$target".tar.gz -C "$work/$target" --strip-components 1
  case $target in
    *-windows-*) binaries+=("$target=$work/$target/squad-lint.exe") ;;
    *) binaries+=("$target=$work/$target/squad-lint") ;;
  esac
done
node pack.mjs "$work/packages" "${binaries[@]}"

for folder in "$work"/packages/{linux,darwin,win32}-* "$work"/packages/squad-lint; do
  # shellcheck disable=SC2016 # JavaScript
  package=$(node -p '((p) => `${p.name}@${p.version}`)(require(process.argv[1]))' "$folder/package.json")
  if [ -n "$(npm view "$package" version 2>/dev/null)" ]; then
    echo "$package is published"
  else
    npm publish "$folder" --access public "$@"
  fi
done
