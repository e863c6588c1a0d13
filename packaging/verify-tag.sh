#!/usr/bin/env bash
# Whether the commit that is checked out may be released as TAG: the tag says the version of Cargo.toml, and the commit adds
# nothing but the checksums to its parent, from which the binaries were built. Prints the parent.
#
# verify-tag.sh TAG
set -euo pipefail
cd "$(dirname "$0")/.."
die() {
  echo "error: $*" >&2
  exit 1
}

tag=$1
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
[ "$tag" = "v$version" ] || die "the tag is $tag, Cargo.toml says $version"
parents=$(git show --no-patch --format=%P HEAD)
case $parents in
  '' | *' '*) die "the tagged commit has not one parent but \`$parents\`" ;;
esac
changed=$(git diff --name-only "$parents" HEAD)
[ "$changed" = hooks/checksums.txt ] || die "the tagged commit changes \`$changed\`, expected hooks/checksums.txt alone"
echo "$parents"
