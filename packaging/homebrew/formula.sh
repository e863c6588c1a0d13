#!/usr/bin/env bash
# Prints the Homebrew formula of the version in Cargo.toml, with the checksums in hooks/checksums.txt.
#
# formula.sh OWNER/REPOSITORY
set -euo pipefail
repository=$1
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
formula=$(cat packaging/homebrew/squad-lint.rb)
# The first line speaks of this script.
formula=${formula#*$'\n'}
formula=${formula//@REPOSITORY@/$repository}
formula=${formula//@VERSION@/$version}
for target in {aarch64,x86_64}-{apple-darwin,unknown-linux-gnu}; do
  sum=$(sed -n "s/^\([0-9a-f]\{64\}\)  squad-lint-${version//./\\.}-$target\.tar\.gz\$/\1/p" hooks/checksums.txt)
  [ -n "$sum" ] || { echo "error: hooks/checksums.txt has no line for $version on $target" >&2; exit 1; }
  formula=${formula//@$target@/$sum}
done
printf '%s\n' "$formula"
