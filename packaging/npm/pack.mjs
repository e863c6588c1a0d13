// Writes the npm packages: `squad-lint`, which is a few lines of JavaScript, and for each binary the package of its platform,
// which npm installs where it fits. Version, description and keywords are those of Cargo.toml.
//
// node packaging/npm/pack.mjs OUT [TARGET=BINARY...]
//
// GITHUB_REPOSITORY, where it is set, becomes the packages' repository: npm compares it with where they were built.

import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const platforms = JSON.parse(readFileSync(join(here, "platforms.json"), "utf8"));

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(2);
}

/** The value of a key of `[package]` in Cargo.toml: a string, or a list of strings on one line; both are JSON, too. */
function ofCargo(key) {
  const [, section] = readFileSync(join(root, "Cargo.toml"), "utf8").split(/^\[package\]$/m);
  const [, value] = new RegExp(`^${key} = (.*)$`, "m").exec(section.split(/^\[/m)[0]) ?? [];
  if (value === undefined) fail(`Cargo.toml has no \`${key}\` in [package]`);
  return JSON.parse(value);
}

const version = ofCargo("version");
const packageOf = ({ os, cpu }) => `@squad-lint/${os}-${cpu}`;
const common = { version, license: ofCargo("license") };
if (process.env.GITHUB_REPOSITORY) {
  common.repository = { type: "git", url: `git+https://github.com/${process.env.GITHUB_REPOSITORY}.git` };
}

function writePackage(folder, manifest, files) {
  mkdirSync(join(folder, "bin"), { recursive: true });
  for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(root, licence), join(folder, licence));
  for (const [from, to] of files) copyFileSync(from, join(folder, to));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

const [out, ...binaries] = process.argv.slice(2);
if (!out) fail("usage: pack.mjs OUT [TARGET=BINARY...]");

const main = {
  name: "squad-lint",
  ...common,
  description: ofCargo("description"),
  keywords: ofCargo("keywords"),
  bin: { "squad-lint": "bin/squad-lint.js" },
  files: ["bin", "LICENSE-*"],
  engines: { node: ">=18" },
  optionalDependencies: Object.fromEntries(Object.values(platforms).map((platform) => [packageOf(platform), version])),
};
writePackage(join(out, "squad-lint"), main, [
  [join(here, "bin", "squad-lint.js"), join("bin", "squad-lint.js")],
  [join(root, "README.md"), "README.md"],
]);

for (const argument of binaries) {
  const [target, binary] = argument.split(/=(.*)/s);
  const platform = platforms[target];
  if (!platform || !binary) fail(`\`${argument}\` is not TARGET=BINARY with one of ${Object.keys(platforms).join(", ")}`);
  const folder = join(out, `${platform.os}-${platform.cpu}`);
  const program = join("bin", platform.os === "win32" ? "squad-lint.exe" : "squad-lint");
  const manifest = {
    name: packageOf(platform),
    ...common,
    description: `The squad-lint program for ${platform.os} on ${platform.cpu}; install \`squad-lint\` instead`,
    files: ["bin", "LICENSE-*"],
    os: [platform.os],
    cpu: [platform.cpu],
    ...(platform.libc && { libc: [platform.libc] }),
    preferUnplugged: true,
  };
  writePackage(folder, manifest, [[binary, program]]);
  writeFileSync(join(folder, "README.md"), `# ${manifest.name}\n\n${manifest.description}.\n`);
  // What went through an artifact has lost it.
  chmodSync(join(folder, program), 0o755);
}
