#!/usr/bin/env bash
# The mirror for pre-commit, made from its template as its README says, with the wheel that it pins: pre-commit installs it
# from a folder of packages and no index, and its hooks run.
#
#   mirror.sh FOLDER    with the wheel in FOLDER; pre-commit and git on the PATH
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
dist=$(cd "$1" && pwd)
# shellcheck source=.ci/clients/lib.sh
. "$project/.ci/clients/lib.sh"

begin
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$project/Cargo.toml" | head -n 1)
mkdir "$work/packages"
cp "$dist"/*.whl "$work/packages"
# What builds the mirror, which itself is next to nothing.
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$work/packages" 'setuptools>=77'

mirror=$work/mirror
cp -R "$project/packaging/pre-commit-mirror" "$mirror"
git -C "$mirror" init --quiet --initial-branch main
git -C "$mirror" add --all
git -C "$mirror" commit --quiet --message "$version"
git -C "$mirror" tag "v$version"

at='the mirror'
scratch
{
  printf 'repos:\n  - repo: %s\n    rev: v%s\n    hooks:\n' "$mirror" "$version"
  for hook in squad-lint-fix squad-lint squad-lint-guard; do printf '      - id: %s\n' "$hook"; done
} >.pre-commit-config.yaml
export PIP_NO_INDEX=1 PIP_FIND_LINKS=$work/packages PIP_DISABLE_PIP_VERSION_CHECK=1
passes pre-commit install --install-hooks
# Not a squad-lint that happens to be on the PATH.
find "$PRE_COMMIT_HOME" -name squad-lint -path '*/bin/*' >"$work/said"
shows "$PRE_COMMIT_HOME"
mkdir .squad .ai-team
printf '### 2026-02-15T14:32:15Z: note: One\n\n**type:** note\n**timestamp:** 2026-02-15T14:32:15+0000\n**author:** Kay\n\n**summary:** One.\n\n---\n' >.squad/decisions.md
printf 'x\n' >.ai-team/team.txt
git add --all
stops 'files were modified by this hook' git commit --quiet --message 'to be fixed'
shows 'guard/tracked-state'
git rm --quiet -r --cached .ai-team
printf '.ai-team/\n.squad/log/\n.squad/orchestration-log/\n.squad/decisions/inbox/\n.squad/sessions/\n' >.gitignore
git add --all
passes git commit --quiet --message 'a good one'
passes pre-commit run --all-files
echo "the mirror for pre-commit: its hooks come with squad-lint $version as a wheel"
