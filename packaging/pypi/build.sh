#!/usr/bin/env bash
# Builds what PyPI gets:
#
# build.sh sdist OUT
# build.sh wheel OUT [ARGUMENT of maturin build...]
#
# The binary of a wheel stays where cargo puts it: target/dist, or target/TARGET/dist with --target. `PROFILE` names another profile of
# cargo than `dist`.
set -euo pipefail
what=$1
out=$(mkdir -p "$2" && cd "$2" && pwd)
shift 2
cd "$(dirname "$0")"
case $what in
  sdist)
    maturin sdist --out "$out"
    ;;
  wheel)
    # A wheel takes its licences from beside the project file; a source distribution has them from cargo, and bears no others.
    trap 'rm -f LICENSE-APACHE LICENSE-MIT' EXIT
    cp ../../LICENSE-APACHE ../../LICENSE-MIT .
    maturin build --profile "${PROFILE:-dist}" --locked --out "$out" "$@"
    ;;
  *)
    echo "error: \`$what\` is neither sdist nor wheel" >&2
    exit 2
    ;;
esac
