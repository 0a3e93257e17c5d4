/** Writes the table of settings in README.md anew: bun scripts/readme-settings.ts */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsMarkdown } from "#src/config/settings-text.ts";

const path = join(import.meta.dir, "..", "README.md");
const readme = readFileSync(path, "utf8");
const table = /\| Setting \| Value \| Default \| Meaning \|\n(?:\|.*\n)+/;
if (!table.test(readme)) throw new Error(`${path} has no table of settings`);
writeFileSync(
  path,
  readme.replace(table, () => `${settingsMarkdown()}\n`),
);
