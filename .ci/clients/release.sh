#!/usr/bin/env bash
# What the release workflow runs, run here: the archive of this platform, and the two checks of what is about to be published, on a
# scratch repository and with files that are not what they should be.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
die() {
  echo "release: $*" >&2
  exit 1
}
# refuses TEXT COMMAND...: the command fails, and says this
refuses() {
  local text=$1
  shift
  if "$@" >"$work/said" 2>&1; then die "\`$*\` passes, expected \`$text\`"; fi
  grep -qF -- "$text" "$work/said" || die "\`$*\` does not say \`$text\`: $(cat "$work/said")"
}

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
target=$(rustc -vV | sed -n 's/^host: //p')
cargo build --locked --release --quiet
program=${CARGO_TARGET_DIR:-$PWD/target}/release/squad-lint

# The archive: its checksum line holds, it is the same twice, and what is in it works.
python3 packaging/archive.py "$target" "$program" "$work/dist" >"$work/sums"
python3 packaging/archive.py "$target" "$program" "$work/again" | cmp - "$work/sums" || die "another archive from the same files"
(cd "$work/dist" && sha256sum --check --strict --quiet "$work/sums")
base=squad-lint-$version-$target
tar -xzf "$work/dist/$base.tar.gz" -C "$work"
(cd "$work/$base" && find . -type f | sed 's:^\./::' | sort) >"$work/files"
for file in squad-lint README.md LICENSE-MIT LICENSE-APACHE completions/_squad-lint completions/squad-lint.bash \
  completions/squad-lint.fish man/man1/squad-lint.1 man/man1/squad-lint-check.1; do
  grep -qxF "$file" "$work/files" || die "$file is not in the archive: $(cat "$work/files")"
done
[ "$("$work/$base/squad-lint" --version)" = "squad-lint $version" ] || die "the program in the archive does not run"
bash -n "$work/$base/completions/squad-lint.bash"
printf '#!/bin/sh\necho squad-lint 0.0.0\n' >"$work/other"
chmod +x "$work/other"
refuses "says \`squad-lint 0.0.0\`" python3 packaging/archive.py "$target" "$work/other" "$work/dist"
python3 packaging/archive.py x86_64-pc-windows-msvc "$program" "$work/windows" >"$work/windows-sums"
(cd "$work/windows" && sha256sum --check --strict --quiet "$work/windows-sums")
python3 -m zipfile --test "$work/windows/squad-lint-$version-x86_64-pc-windows-msvc.zip" >/dev/null

# A repository with the commit that was built, and the one that adds the checksums of what came out.
mkdir -p "$work/clone/hooks" "$work/clone/packaging/npm" "$work/files-of-all"
cp -r packaging/homebrew "$work/clone/packaging"
cp Cargo.toml "$work/clone"
cp packaging/verify-*.sh "$work/clone/packaging"
cp packaging/npm/platforms.json "$work/clone/packaging/npm"
cd "$work/clone"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
git() { command git -c user.name=Kay -c user.email=kay@example.com "$@"; }
echo "# The checksums" >hooks/checksums.txt
echo "$(printf '0%.0s' {1..64})  squad-lint-0.0.9-$target.tar.gz" >>hooks/checksums.txt
git init --quiet --initial-branch main .
git add .
git commit --quiet --message "What is built"
built=$(git rev-parse HEAD)

all=$work/files-of-all
mapfile -t targets < <(sed -n 's/^ *"\([a-z0-9_]*-[a-z0-9_-]*\)": {.*/\1/p' packaging/npm/platforms.json)
[ "${#targets[@]}" -eq 6 ] || die "not six targets: ${targets[*]}"
for known in "${targets[@]}"; do
  echo "$known" >"$all/squad-lint-$version-$known.tar.gz"
  echo "$known" >"$all/squad_lint-$version-py3-none-$known.whl"
  case $known in *-windows-*) echo "$known" >"$all/squad-lint-$version-$known.zip" ;; esac
done
echo source >"$all/squad_lint-$version.tar.gz"
refuses "has no line for version" packaging/verify-files.sh "$all"
(cd "$all" && sha256sum -- *) >>hooks/checksums.txt
git commit --quiet --all --message "Checksums"
[ "$(packaging/verify-tag.sh "v$version")" = "$built" ] || die "verify-tag.sh does not name the commit that was built"
packaging/verify-files.sh "$all" || die "verify-files.sh refuses what is right"
packaging/homebrew/formula.sh some/where >"$work/formula.rb"
grep -qF "download/v$version/squad-lint-$version-$target.tar.gz" "$work/formula.rb" || die "the formula does not name the archive"
if grep -q @ "$work/formula.rb"; then die "the formula is not filled in: $(grep @ "$work/formula.rb")"; fi


refuses "Cargo.toml says $version" packaging/verify-tag.sh v9.9.9
echo more >"$all/more.txt"
refuses "other files" packaging/verify-files.sh "$all"
rm "$all/more.txt"
echo changed >>"$all/squad-lint-$version-$target.tar.gz"
refuses "squad-lint-$version-$target.tar.gz: FAILED" packaging/verify-files.sh "$all"
sed -i "/squad-lint-$version-$target/d" hooks/checksums.txt
refuses "no line for $version on $target" packaging/verify-files.sh "$all"
git checkout --quiet hooks/checksums.txt
echo >>Cargo.toml
git commit --quiet --all --message "One thing more"
refuses "expected hooks/checksums.txt alone" packaging/verify-tag.sh "v$version"
echo "release: the archive is whole, and what is not what was built is refused"
