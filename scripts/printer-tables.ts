/** Writes the tables in docs/printers anew, from the drivers: bun scripts/printer-tables.ts */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PRINTER_PAGES, tablesOf, withTables } from "./printer-tables/pages.ts";

const FOLDER = join(import.meta.dir, "..", "docs", "printers");

for (const page of PRINTER_PAGES) {
  const path = join(FOLDER, `${page.name}.md`);
  writeFileSync(path, withTables(readFileSync(path, "utf8"), await tablesOf(page)));
}
