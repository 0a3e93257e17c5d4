/** Writes the table of settings in docs/settings.md anew: bun scripts/settings-table.ts */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsMarkdown } from "#src/config/settings-text.ts";

const path = join(import.meta.dir, "..", "docs", "settings.md");
const page = readFileSync(path, "utf8");
const table = /\| Setting \| Value \| Default \| Meaning \|\n(?:\|.*\n)+/;
if (!table.test(page)) throw new Error(`${path} has no table of settings`);
writeFileSync(
  path,
  page.replace(table, () => `${settingsMarkdown()}\n`),
);
