/**
 * A backup that is restored, to be watched while files are exchanged. The argument is a folder; the
 * backup goes to `backups` in it, where no power cut harms it.
 */

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { flushAll } from "../../platform/durable-file.ts";
import { executable } from "../harness/program.ts";
import { runToEnd } from "../harness/run-to-end.ts";

const [, , folder = ""] = process.argv;
const stateDir = join(folder, "disk", "state");
const backups = join(folder, "backups");
const passphrase = join(folder, "passphrase");
mkdirSync(backups);
writeFileSync(passphrase, "a passphrase for tests\n");
const program = await executable();

async function fiscald(words: readonly string[], stdin = ""): Promise<void> {
  const ended = await runToEnd([program, ...words, "--state-dir", stateDir], { stdin });
  // A restore ends with 1 where a person has to look.
  if (ended.code > 1) throw new Error(`${words.join(" ")}: ${ended.code}\n${ended.err}`);
}

const owner = ["--owner-name", "Ann", "--owner-email", "owner@shop.example", "--shop", "Corner"];
const rest = ["--plan", "pro", "--key", "none", "--printer", "none", "--json", "--password-stdin"];
await fiscald(["setup", ...owner, ...rest], "a long password\n");
mkdirSync(join(stateDir, "drivers"));
writeFileSync(join(stateDir, "drivers", "own.json"), "{}");
flushAll(stateDir);
const secret = ["--backup-passphrase-file", passphrase];
await fiscald(["backup", "--to", backups, "--backup-work-factor", "10", ...secret]);
const [name = ""] = readdirSync(backups);
// From here on power is lost.
writeFileSync(join(folder, "mark"), "");
await fiscald(["restore", join(backups, name), ...secret]);
