#!/usr/bin/env bash
# The wheel, built by maturin in the project's target folder with the profile `release` (so that nothing is compiled twice), and
# installed into a fresh virtual environment; what the source distribution holds; the mirror for pre-commit with the wheel. Needs
# Python 3 with venv, pre-commit, and the registry for maturin.
set -euo pipefail
cd "$(dirname "$0")/../.."
clients=$PWD/.ci/clients

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
die() {
  echo "wheel: $*" >&2
  exit 1
}

tools=$PWD/target/clients/maturin
if ! cmp -s packaging/pypi/maturin.txt "$tools/requirements.txt"; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --only-binary :all: --require-hashes --requirement packaging/pypi/maturin.txt
  cp packaging/pypi/maturin.txt "$tools/requirements.txt"
fi
for what in sdist wheel; do
  PROFILE=release PATH=$tools/bin:$PATH packaging/pypi/build.sh "$what" "$work/dist" >"$work/log" 2>&1 || die "$what: $(cat "$work/log")"
done
wheel=$(echo "$work"/dist/*.whl)
python3 -m zipfile --list "$wheel" >"$work/files"
for file in licenses/LICENSE-MIT licenses/LICENSE-APACHE sboms/squad-lint.cyclonedx.json; do
  grep -q "dist-info/$file " "$work/files" || die "$file is not in the wheel"
done

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --no-index "$wheel"
cargo_says=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
said=$("$work/venv/bin/squad-lint" --version)
[ "$said" = "squad-lint $cargo_says" ] || die "--version says \`$said\`"
status=0
"$work/venv/bin/squad-lint" tests/demo >"$work/out" || status=$?
[ "$status" -eq 1 ] || die "the sample: exit code $status, expected 1"
grep -q 'found 4 errors and 1 warning' "$work/out" || die "the sample: $(cat "$work/out")"
"$work/venv/bin/pip" uninstall --quiet --yes squad-lint
[ ! -e "$work/venv/bin/squad-lint" ] || die "uninstalled, and still there"

# The source distribution is what cargo packages, with the project file at its root.
tar -tzf "$work"/dist/*.tar.gz | sed 's:^[^/]*/::' | sort >"$work/sdist"
{
  cargo package --list --allow-dirty 2>/dev/null | grep -v -e '^\.cargo_vcs_info\.json$' -e '^Cargo\.toml\.orig$'
  printf '%s\n' PKG-INFO pyproject.toml
} | sort | diff - "$work/sdist" || die "the source distribution (>) is not what cargo packages (<)"
echo "wheel: $(basename "$wheel") gives a working squad-lint"
"$clients/mirror.sh" "$work/dist"
