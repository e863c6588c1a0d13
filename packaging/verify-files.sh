#!/usr/bin/env bash
# Whether the files of a folder are those of hooks/checksums.txt, all of them and no others, with an archive and a wheel for
# each platform and the source distribution.
#
# verify-files.sh FOLDER
set -euo pipefail
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
die() {
  echo "error: $*" >&2
  exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
# The lines of this version: those of earlier ones stay.
sums=$work/sums
grep -E "^[0-9a-f]{64}  squad[-_]lint-${version//./\\.}[-.]" hooks/checksums.txt >"$sums" ||
  die "hooks/checksums.txt has no line for version $version"
targets=$(sed -n 's/^ *"\([a-z0-9_]*-[a-z0-9_-]*\)": {.*/\1/p' packaging/npm/platforms.json)
for target in $targets; do
  grep -q "  squad-lint-$version-$target\.tar\.gz\$" "$sums" || die "hooks/checksums.txt has no line for $version on $target"
done
wheels=$(grep -c "  squad_lint-$version-py3-none-.*\.whl\$" "$sums" || true)
[ "$wheels" -eq "$(wc -w <<<"$targets")" ] || die "hooks/checksums.txt has $wheels wheels of version $version"
grep -q "  squad_lint-$version\.tar\.gz\$" "$sums" || die "hooks/checksums.txt has no source distribution of version $version"
cd "$folder"
diff <(sed 's/^[0-9a-f]*  //' "$sums" | sort) <(find . -type f | sed 's:^\./::' | sort) ||
  die "other files (>) than in hooks/checksums.txt (<)"
sha256sum --check --strict --quiet "$sums"
