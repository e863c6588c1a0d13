#!/usr/bin/env python3
"""What the README shows a newcomer is run as it is printed there: four lines for pre-commit, six for GitHub Actions.

The address of the project leads to this repository's last commit, which bears the tag that the README names. pre-commit builds
the program from it, into the same target folder as everything here; a runner of GitHub Actions is what `Runner` is.
Needs git, cargo, pre-commit and PyYAML (which pre-commit brings), and target/release/squad-lint.
"""

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

PROJECT = Path(__file__).resolve().parents[2]
ENTRY = """### 2026-02-15T14:32:15{zone}: note: One

**type:** note
**timestamp:** 2026-02-15T14:32:15+0000
**author:** Kay

**summary:** One.

---
"""
BAD, GOOD = ENTRY.format(zone="Z"), ENTRY.format(zone="+0000")
DECISIONS = ".squad/decisions.md"


def shown(path, lines):
    """The block of the README under the comment that names this file."""
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- file: {re.escape(path)} -->\n```yaml\n(.*?)```\n", text, re.DOTALL)
    assert found, f"the README shows no {path}"
    block = found.group(1)
    assert len(block.splitlines()) == lines, f"{path} has {len(block.splitlines())} lines, expected {lines}"
    return block


def run(*command, cwd, env=None, code=0):
    """Runs a command, which has to end with this code; what it says."""
    result = subprocess.run(command, cwd=cwd, env={**os.environ, **(env or {})}, capture_output=True, text=True, check=False)
    said = result.stdout + result.stderr
    assert result.returncode == code, f"{' '.join(map(str, command))} ends with {result.returncode}\n{said}"
    return said


def git(folder, *args, **options):
    return run("git", *args, cwd=folder, **options)


def scratch(work, name):
    folder = work / name
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    return folder


def write(folder, path, text):
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text, encoding="utf-8")


def publish(work, version):
    """The project as it is published: a release of what was built, its checksum committed, the tag on that commit."""
    clone = work / "published"
    run("git", "clone", "--quiet", PROJECT, clone, cwd=work)
    machine = {"arm64": "aarch64"}.get(platform.machine(), platform.machine())
    system = "apple-darwin" if sys.platform == "darwin" else "unknown-linux-gnu"
    binary, folder = PROJECT / "target/release/squad-lint", work / "releases" / f"v{version}"
    line = run(sys.executable, PROJECT / "packaging/archive.py", f"{machine}-{system}", binary, folder, cwd=work)
    with open(clone / "hooks/checksums.txt", "a", encoding="utf-8") as table:
        table.write(line)
    git(clone, "commit", "--quiet", "--all", "--message", "checksums")
    git(clone, "tag", f"v{version}")
    return clone


def four_lines_for_pre_commit(work, version):
    folder = scratch(work, "hook")
    config = shown(".pre-commit-config.yaml", 4)
    assert yaml.safe_load(config)["repos"][0]["rev"] == f"v{version}"
    write(folder, ".pre-commit-config.yaml", config)
    # Cargo takes the versions of Cargo.lock only when it is told so, and pre-commit does not tell it: what is here would be
    # built a second time with other versions. The program itself is built a second time, as it lies in another folder: that it
    # builds and runs shows without optimisation, too, in a fraction of the time.
    cargo = run("sh", "-c", "command -v cargo", cwd=work).strip()
    more = "--locked --config profile.release.package.squad-lint.opt-level=0"
    write(work, "bin/cargo", f'#!/bin/sh\n[ "$1" != install ] || set -- "$@" {more}\nexec {cargo} "$@"\n')
    (work / "bin/cargo").chmod(0o755)
    env = {"PATH": f"{work / 'bin'}:{os.environ['PATH']}", "CARGO_TARGET_DIR": str(PROJECT / "target")}
    run("pre-commit", "install", "--install-hooks", cwd=folder, env=env)
    write(folder, DECISIONS, BAD)
    git(folder, "add", "--all")
    said = git(folder, "commit", "--message", "bad", code=1)
    assert "error[sem/timestamp-format]" in said, said
    write(folder, DECISIONS, GOOD)
    git(folder, "add", "--all")
    git(folder, "commit", "--message", "good")


class Runner:
    """GitHub Actions, as far as the workflow of the README goes: events, a checkout, one composite action."""

    def __init__(self, work, published):
        self.work, self.published = work, published
        self.server = work / "server"
        run("git", "init", "--quiet", "--bare", "--initial-branch", "main", self.server, cwd=work)
        git(self.server, "config", "uploadpack.allowAnySHA1InWant", "true")

    def run(self, workflow, name, event, commit, variables):
        """The conclusion of the only job, and its log."""
        triggers = workflow[True] if True in workflow else workflow["on"]
        assert name in triggers, f"the workflow does not run on {name}"
        (job,) = workflow["jobs"].values()
        workspace = Path(tempfile.mkdtemp(dir=self.work))
        log = ""
        for step in job["steps"]:
            action, reference = step["uses"].split("@")
            if action == "actions/checkout":
                git(workspace, "init", "--quiet")
                git(workspace, "remote", "add", "origin", f"file://{self.server}")
                git(workspace, "fetch", "--quiet", "--depth=1", "origin", commit)
                git(workspace, "checkout", "--quiet", "--detach", "FETCH_HEAD")
            else:
                folder = Path(tempfile.mkdtemp(dir=self.work))
                git(folder, "clone", "--quiet", "--branch", reference, f"https://github.com/{action}", ".")
                code, said = self.composite(folder, step.get("with", {}), name, event, workspace, variables)
                log += said
                if code:
                    return code, log
        return 0, log

    def composite(self, folder, given, name, event, workspace, variables):
        action = yaml.safe_load((folder / "action.yml").read_text(encoding="utf-8"))
        inputs = {key: given.get(key, declared.get("default", "")) for key, declared in action["inputs"].items()}
        files = Path(tempfile.mkdtemp(dir=self.work))
        (files / "event.json").write_text(json.dumps(event), encoding="utf-8")
        env = {
            **os.environ,
            "GITHUB_ACTION_PATH": str(folder),
            "GITHUB_EVENT_NAME": name,
            "GITHUB_EVENT_PATH": str(files / "event.json"),
            "GITHUB_OUTPUT": str(files / "output"),
            "GITHUB_STEP_SUMMARY": str(files / "summary"),
            "GITHUB_WORKSPACE": str(workspace),
            "RUNNER_TEMP": str(files),
            "SQUAD_LINT_RELEASES": f"file://{self.work / 'releases'}",
            **variables,
        }
        first, upload = action["runs"]["steps"]
        for key, value in first["env"].items():
            env[key] = re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found.group(1)], value)
        result = subprocess.run(["bash", "-c", first["run"]], cwd=workspace, env=env, capture_output=True, text=True, check=False)
        outputs = dict(line.split("=", 1) for line in (files / "output").read_text().splitlines())
        assert outputs["exit-code"] == str(result.returncode), outputs
        # Nothing is uploaded that nobody asked for.
        assert "steps.check.outputs.sarif-file != ''" in upload["if"] and "sarif-file" not in outputs, outputs
        summary = (files / "summary").read_text(encoding="utf-8")
        return result.returncode, result.stdout + result.stderr + summary


def six_lines_for_actions(work, version, published):
    workflow = yaml.safe_load(shown(".github/workflows/squad-lint.yml", 6))
    (job,) = workflow["jobs"].values()
    assert job["steps"][-1]["uses"].endswith(f"@v{version}"), job
    runner = Runner(work, published)
    author = scratch(work, "author")
    git(author, "remote", "add", "origin", f"file://{runner.server}")
    write(author, DECISIONS, BAD)
    write(author, ".gitignore", ".squad/log/\n.squad/orchestration-log/\n.squad/decisions/inbox/\n.squad/sessions/\n")
    commits = []
    for day, zone in [("15", None), ("16", "Z"), ("17", "+0000")]:
        if zone:
            with open(author / DECISIONS, "a", encoding="utf-8") as file:
                file.write("\n" + ENTRY.format(zone=zone).replace("02-15", f"02-{day}"))
        git(author, "add", "--all")
        git(author, "commit", "--quiet", "--message", day)
        commits.append(git(author, "rev-parse", "HEAD").strip())
    git(author, "push", "--quiet", "origin", "main")
    for at, expected in [(1, 1), (2, 0)]:
        push = {"before": commits[at - 1], "after": commits[at], "repository": {"default_branch": "main"}}
        code, log = runner.run(workflow, "push", push, commits[at], {"GITHUB_REF": "refs/heads/main"})
        assert code == expected, log
        assert ("::error file=.squad/decisions.md,line=11," in log) == bool(expected), log
        assert "line=1," not in log, log
        base = {"sha": commits[at - 1], "ref": "main"}
        pull = {"pull_request": {"number": 1, "base": base, "head": {"sha": commits[at]}}}
        code, log = runner.run(workflow, "pull_request", pull, commits[at], {"GITHUB_BASE_REF": "main"})
        assert code == expected, log

    # Before there is a release: the action of this very folder builds it.
    variables = {"GITHUB_REF": "refs/heads/main", "CARGO_TARGET_DIR": str(PROJECT / "target")}
    workspace = work / "dispatch"
    git(work, "clone", "--quiet", "--depth=1", f"file://{runner.server}", workspace)
    code, log = runner.composite(PROJECT, {}, "workflow_dispatch", {}, workspace, variables)
    assert code == 1 and "there is no release of squad-lint" in log and "sem/timestamp-format" in log, log


def main():
    version = re.search(r'^version = "(.*)"$', (PROJECT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE).group(1)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder).resolve()
        home = work / "home"
        home.mkdir()
        # Cargo and rustup find their own without it.
        for name, usual in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")]:
            os.environ.setdefault(name, str(Path.home() / usual))
        os.environ.update(
            HOME=str(home), GIT_CONFIG_NOSYSTEM="1", NO_COLOR="1",
            PRE_COMMIT_HOME=str(work / "pre-commit"), PRE_COMMIT_COLOR="never",
        )
        # pre-commit takes GIT_CONFIG_GLOBAL from its git.
        for name in ["GIT_CONFIG_GLOBAL", "XDG_CONFIG_HOME"]:
            os.environ.pop(name, None)
        for key, value in [("user.name", "Kay"), ("user.email", "kay@example.com"), ("protocol.file.allow", "always")]:
            git(work, "config", "--global", key, value)
        published = publish(work, version)
        git(work, "config", "--global", f"url.file://{published}.insteadOf", "https://github.com/squad-lint/squad-lint")
        six_lines_for_actions(work, version, published)
        four_lines_for_pre_commit(work, version)
    print("the README's lines for pre-commit and GitHub Actions: well")


main()
