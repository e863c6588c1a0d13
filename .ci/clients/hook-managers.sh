#!/usr/bin/env bash
# pre-commit and prek, as people have them, run the hooks of this repository's last commit against scratch repositories: real
# commits, real pushes. They find squad-lint on the PATH instead of building it; readme.sh shows that it builds.
#
#   hook-managers.sh CLIENT...    with squad-lint, git and the clients on the PATH
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=.ci/clients/lib.sh
. "$project/.ci/clients/lib.sh"

good='### 2026-02-15T14:32:15+0000: note: One

**type:** note
**timestamp:** 2026-02-15T14:32:15+0000
**author:** Kay

**summary:** One.

---
'
bad=${good/+0000/Z}
later_good=${good//02-15T/02-16T}
later_bad=${later_good/+0000/Z}
decisions=.squad/decisions.md

# config HOOK...: the configuration with these hooks, and further lines from standard input.
config() {
  printf 'repos:\n  - repo: %s\n    rev: %s\n    hooks:\n' "$project" "$revision"
  for hook in "$@"; do printf '      - id: %s\n        language: system\n' "$hook"; done
  cat
}

# A repository with an old entry that is wrong and unrelated to what comes.
adopted() {
  scratch
  config "$@" </dev/null >.pre-commit-config.yaml
  mkdir -p .squad
  printf '%s' "$bad" >$decisions
  printf '# Old\n\n```\n' >.squad/old.md
  # What belongs to one machine is ignored, as the guard wants it.
  printf '.squad/log/\n.squad/orchestration-log/\n.squad/decisions/inbox/\n.squad/sessions/\n' >.gitignore
  git add --all
  git commit --quiet --message 'as it was'
  "$client" install --hook-type pre-commit --hook-type pre-push >/dev/null
}

commit() { git commit --quiet --message "$1"; }

check_commits() {
  adopted squad-lint
  printf '\n%s' "$later_bad" >>$decisions
  git add --all
  stops 'sem/timestamp-format' commit 'a bad one'
  shows_not 'decisions.md:1:'
  printf '%s\n%s' "$bad" "$later_good" >$decisions
  git add --all
  passes commit 'a good one'
  shows_not 'no problems found'

  # Partly staged: what is staged counts.
  printf '\n%s' "${later_bad//02-16/02-17}" >>$decisions
  git add --all
  printf '%s\n%s\n%s' "$bad" "$later_good" "${later_good//02-16/02-17}" >$decisions
  stops 'sem/timestamp-format' commit 'staged and bad'
  git add --all
  printf '\n%s' "$later_bad" >>$decisions
  cp $decisions ../before
  passes commit 'staged and good'
  cmp -s $decisions ../before || fail 'the work tree is another'
  git checkout --quiet -- .

  git mv $decisions .squad/decisions-archive.md
  passes commit 'a rename'
  printf '\n%s' "${later_bad//02-16/02-18}" >>.squad/decisions-archive.md
  git mv .squad/decisions-archive.md $decisions
  git add --all
  stops 'sem/timestamp-format' commit 'a rename with a bad entry'
  git reset --quiet --hard
  git rm --quiet .squad/old.md
  passes commit 'a deletion'
  printf 'text\n' >README.md
  git add --all
  passes commit 'another file'
}

check_all_files() {
  adopted squad-lint
  stops 'markdown/unclosed-fence' "$client" run --all-files
  shows 'sem/timestamp-format'
  passes "$client" run
  stops 'markdown/unclosed-fence' "$client" run --files .squad/old.md
  shows_not 'sem/timestamp-format'
  git checkout --quiet -b topic
  printf '\n%s' "$later_bad" >>$decisions
  git commit --quiet --no-verify --all --message 'on a branch'
  stops 'decisions.md:11:' "$client" run --from-ref main --to-ref HEAD
  shows_not 'decisions.md:1:'
  passes "$client" run --from-ref HEAD --to-ref HEAD
}

check_excludes() {
  adopted squad-lint
  echo '        exclude: /old\.md$' | config squad-lint >.pre-commit-config.yaml
  printf 'exclude = [".squad/decisions.md"]\n' >squad-lint.toml
  git add --all
  passes "$client" run --all-files
  printf '%s' "$good" >>.squad/old.md
  printf '%s' "$later_bad" >>$decisions
  git add --all
  passes commit 'what is left out'
}

check_fix() {
  adopted squad-lint-fix squad-lint
  printf '%s\n%s' "$good" "$later_bad" >$decisions
  git add --all
  # Below what is staged, and not part of it.
  printf '\nnot staged\n' >>$decisions
  stops 'files were modified by this hook' commit 'to be fixed'
  [ "$(git show ":$decisions")" = "$(printf '%s\n%s' "$good" "$later_bad")" ] || fail 'the index is another'
  grep -q '^### 2026-02-16T14:32:15+0000: note' $decisions || fail 'nothing was fixed'
  tail -n 1 $decisions | grep -qx 'not staged' || fail 'the line that was not staged is gone'
  printf '%s\n%s' "$good" "$later_good" >$decisions
  git add --all
  passes commit 'fixed'
}

check_guard() {
  adopted squad-lint-guard
  mkdir -p .ai-team notes
  printf '.ai-team/\n' >>.gitignore
  printf 'x\n' >.ai-team/team.txt
  printf 'x\n' >notes/a.txt
  git add --all
  passes commit 'ignored'
  git add --force .ai-team
  stops 'guard/tracked-state' commit 'forced'
  git commit --quiet --no-verify --message 'forced'
  stops 'guard/tracked-state' "$client" run --all-files
  # It stays what it is while something else is staged; that may be committed.
  printf 'y\n' >notes/a.txt
  git add --all
  stops 'guard/tracked-state' "$client" run --all-files
  passes commit 'what has nothing to do with it'
  passes git commit --quiet --allow-empty --message 'nothing at all'
  passes git commit --quiet --amend --allow-empty --message 'another message'
  git rm --quiet notes/a.txt
  passes commit 'a deletion'
  stops 'guard/tracked-state' "$client" run --all-files
  # The hook for files has the guard, too.
  adopted squad-lint
  mkdir -p .ai-team
  printf 'x\n' >.ai-team/team.txt
  git add --all
  stops 'guard/tracked-state' commit 'a leak'
  git commit --quiet --no-verify --message 'a leak'
  printf '\n%s' "$later_good" >>$decisions
  git add --all
  stops 'guard/tracked-state' "$client" run --all-files
  passes commit 'what has nothing to do with it'
  ln -s nowhere .squad/lost.md
  git add --all
  stops 'lint/unreadable-file' "$client" run --all-files
  shows 'sem/timestamp-format'
}

check_merge() {
  adopted squad-lint squad-lint-guard
  git checkout --quiet -b topic
  printf '\n%s' "${later_good//02-16/02-17}" >>$decisions
  git commit --quiet --no-verify --all --message 'theirs'
  git checkout --quiet main
  printf '\n%s' "$later_good" >>$decisions
  git commit --quiet --no-verify --all --message 'ours'
  stops 'Merge conflict' git merge topic
  git checkout --quiet --ours $decisions
  printf 'x\n' >notes.txt
  git add --all
  passes git commit --quiet --message 'merged, as ours had it'
}

check_push() {
  adopted squad-lint squad-lint-guard
  git init --quiet --bare --initial-branch main "$work/remote.$client"
  git remote add origin "$work/remote.$client"
  # Nothing there to compare with: all files.
  stops 'markdown/unclosed-fence' git push --quiet origin main
  git push --quiet --no-verify origin main
  printf '\n%s' "$later_good" >>$decisions
  git commit --quiet --all --message 'a good one'
  passes git push --quiet origin main
  git checkout --quiet -b topic
  printf '\n%s' "${later_bad//02-16/02-17}" >>$decisions
  git commit --quiet --no-verify --all --message 'a bad one'
  stops 'decisions.md:21:' git push --quiet origin topic
  shows_not 'decisions.md:1:'
  git reset --quiet --hard main
  mkdir -p .ai-team
  printf 'x\n' >.ai-team/team.txt
  git add --force --all
  git commit --quiet --no-verify --message 'leak'
  stops 'guard/tracked-state' git push --quiet origin topic
  stops 'guard/protected-branch' git push --quiet origin topic:main
  git rm --quiet -r --cached .ai-team
  git commit --quiet --no-verify --message 'out again'
  passes git push --quiet origin topic
}

# `squad-lint install` beside the manager, in either order.
check_beside() {
  adopted squad-lint-guard
  passes squad-lint install
  shows 'the existing hook is now pre-commit.before-squad-lint'
  printf '\n%s' "$later_bad" >>$decisions
  git add --all
  stops 'sem/timestamp-format' commit 'a bad one'
  shows 'squad-lint (guard)'
  # The manager moves what it finds, and runs it.
  passes "$client" install --hook-type pre-commit --hook-type pre-push
  stops 'sem/timestamp-format' commit 'a bad one'
  printf '%s\n%s' "$bad" "$later_good" >$decisions
  git add --all
  passes commit 'a good one'
  shows 'squad-lint (guard)'
}

revision=$(git -C "$project" rev-parse HEAD)
begin
for client in "$@"; do
  for check in check_commits check_all_files check_excludes check_fix check_guard check_merge check_push check_beside; do
    at="$client, ${check#check_}"
    $check
  done
  echo "$client: $("$client" --version)"
done
