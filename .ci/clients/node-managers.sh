#!/usr/bin/env bash
# lefthook from npm runs the jobs of `hooks/`, and husky what `install` writes, in scratch repositories. Needs squad-lint, git and npm on the PATH.
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=.ci/clients/lib.sh
. "$project/.ci/clients/lib.sh"

bad='### 2026-02-15T14:32:15Z: note: One

**type:** note
**timestamp:** 2026-02-15T14:32:15+0000
**author:** Kay

**summary:** One.

---
'
decisions=.squad/decisions.md

# A bad commit and a bad push are stopped, good ones are not.
check() {
  mkdir -p .squad
  printf '%s' "$bad" >$decisions
  git add --all
  stops 'sem/timestamp-format' git commit --quiet --message bad
  printf '%s' "${bad/15Z/15+0000}" >$decisions
  git add --all
  passes git commit --quiet --message good
  git init --quiet --bare --initial-branch main "$work/$at.git"
  git remote add origin "$work/$at.git"
  passes git push --quiet origin main
  mkdir .ai-team
  printf 'x\n' >.ai-team/team.txt
  git add --force .ai-team
  git commit --quiet --no-verify --message leak
  stops 'guard/protected-branch' git push --quiet origin main
}

package() {
  scratch
  printf '{"private": true}\n' >package.json
  printf 'node_modules/\n' >.gitignore
  npm install --silent --no-fund --no-audit --save-dev "$1" >"$work/said" 2>&1 || fail "npm install $1"
}

begin
touch "$work/said"

at=lefthook
package lefthook@2.2
cp "$project/hooks/lefthook.yml" lefthook.yml
passes npx lefthook install
check
# `install` adds its block to what lefthook wrote, which goes on running.
mv .git/hooks/pre-commit theirs
passes squad-lint install
cp .git/hooks/pre-commit ours
passes squad-lint uninstall
mv theirs .git/hooks/pre-commit
passes squad-lint install
shows 'the rest of the file runs first'
printf '%s' "$bad" >$decisions
git add $decisions
stops 'sem/timestamp-format' git commit --quiet --message bad
# lefthook knows its hook with the block in it, and overwrites it.
passes npx lefthook install
passes squad-lint install
stops 'sem/timestamp-format' git commit --quiet --message bad
passes npx lefthook install --force
[ ! -e .git/hooks/pre-commit.old ] || fail 'lefthook takes its hook for another one'
passes squad-lint install
passes squad-lint uninstall
# A hook of before comes back.
passes npx lefthook uninstall
mv ours .git/hooks/pre-commit
passes npx lefthook install
passes squad-lint install
passes npx lefthook install
passes squad-lint uninstall
passes npx lefthook uninstall
[ ! -e .git/hooks/pre-commit ] || fail 'the hook is still there'

at=husky
package husky@9
passes npx husky
passes squad-lint install
shows '.husky/pre-commit checks what a commit changes'
check
passes squad-lint uninstall
[ ! -e .husky/pre-commit ] || fail 'the hook is still there'
# In a folder of another name, which husky writes anew.
passes npx husky .config/husky
passes squad-lint install
shows '.config/husky/pre-commit checks what a commit changes'
passes npx husky .config/husky
stops 'guard/protected-branch' git push --quiet origin main
passes squad-lint uninstall

echo "lefthook and husky: well"
