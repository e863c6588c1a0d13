#!/usr/bin/env node
// Runs the program of the package for this platform as if it had been started itself: arguments, streams, exit code, signals.
"use strict";

const { spawn } = require("node:child_process");
const { optionalDependencies } = require("../package.json");

const platform = `${process.platform}-${process.arch}`;
const name = `@squad-lint/${platform}`;

/** Exit code 2, as for all that keeps the program from its work. */
function fail(problem, help) {
  console.error(`error: ${problem}\n  help: ${help}`);
  process.exit(2);
}

const BUILD = "build it from source with `cargo install squad-lint --locked`";

function explainAbsence() {
  if (!(name in optionalDependencies)) {
    const all = Object.keys(optionalDependencies).map((known) => known.split("/")[1]);
    fail(`squad-lint has no binary for ${platform}, only for ${all.join(", ")}`, BUILD);
  }
  if (process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime) {
    fail(`the squad-lint binary for ${platform} needs glibc, and this system has another C library`, BUILD);
  }
  fail(
    `the package ${name} is not installed, which holds the squad-lint binary for ${platform}`,
    "install squad-lint again on this machine, with optional dependencies (no `--omit=optional`)",
  );
}

function find() {
  try {
    return require.resolve(`${name}/bin/squad-lint${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    return explainAbsence();
  }
}

const program = find();
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// Whoever ends this process means the program. It decides, and its end is this one's.
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  // The file is there: what is missing is what loads it.
  if (error.code === "ENOENT") explainAbsence();
  fail(`cannot run ${program}: ${error.message}`, "install squad-lint again");
});
child.on("exit", (code, signal) => {
  if (signal === null) {
    process.exitCode = code;
  } else {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
});
