// What people and agents do with Squad beside its command line. `cast CLI` creates a team, as the shell does with the answer of a
// model. `call CLI` calls the state tools as an agent does: each line of standard input is `{"name":…,"arguments":…}`. CLI is the
// folder of the installed package.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import process from "node:process";

const [what, cli] = process.argv.slice(2);

async function cast() {
  const { createTeam, parseCastResponse } = await import(`${cli}/dist/cli/core/cast.js`);
  const answer = `INIT_TEAM:
- Keaton | Lead | Scope, architecture, review
- Mary Ann | Backend Dev | APIs, services, data
- Fenster | Tester | Tests, quality, edge cases
UNIVERSE: Heist
PROJECT: A shop that sells tea.`;
  await createTeam(process.cwd(), parseCastResponse(answer));
}

async function call() {
  const server = spawn(process.execPath, [`${cli}/dist/cli-entry.js`, "state-mcp"], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const ask = async (method, params, id) => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const { value } = await answers.next();
    const { result, error } = JSON.parse(value);
    if (error || result.isError) throw new Error(`${method} ${JSON.stringify(params)}: ${value}`);
  };
  await ask("initialize", { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "ci", version: "1" } }, 0);
  server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  let id = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim()) await ask("tools/call", JSON.parse(line), ++id);
  }
  server.kill();
}

await (what === "cast" ? cast() : call());
