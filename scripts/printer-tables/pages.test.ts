/** The pages of docs/printers: one for each driver, and each says what the drivers can do. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DRIVER_IDS } from "#core/driver-id.ts";
import { EVERY_MODEL } from "#drivers/testing/every-model.ts";
import { PRINTER_PAGES, tablesOf, withTables } from "./pages.ts";

const FOLDER = join(import.meta.dir, "../../docs/printers");

/** What a person looks for on each page, in the order of the work. */
const HEADINGS = [
  "Models",
  "Cable and network",
  "Set up the device",
  "Register it",
  "What it can do",
  "Operators and passwords",
  "Good to know",
  "See that it works",
  "Not confirmed",
];

function textOf(name: string): string {
  return readFileSync(join(FOLDER, `${name}.md`), "utf8");
}

test("each driver has its page, each simulated model its column, and the index names them", () => {
  expect(PRINTER_PAGES.map(({ driver }) => driver).sort()).toEqual([...DRIVER_IDS].sort());
  const columns = PRINTER_PAGES.flatMap(({ driver, columns }) =>
    columns.map(([model]) => `${driver} ${model}`),
  );
  expect(columns.sort()).toEqual(
    EVERY_MODEL.map(({ driver, model }) => `${driver} ${model}`).sort(),
  );
  const index = textOf("README");
  for (const { name, driver } of PRINTER_PAGES) {
    expect(index).toContain(`| \`${driver}\` | [`);
    expect(index).toContain(`](${name}.md) |`);
  }
});

describe.each(PRINTER_PAGES.map((page) => [page.name, page] as const))(
  "docs/printers/%s.md",
  (_, page) => {
    test("has the sections of every page, in their order", () => {
      const headings = textOf(page.name).matchAll(/^## (.*)$/gm);
      expect([...headings].map(([, heading]) => heading)).toEqual(HEADINGS);
    });

    test("says what the driver does on each simulated model", async () => {
      // `bun scripts/printer-tables.ts` writes the tables anew.
      const text = textOf(page.name);
      expect(withTables(text, await tablesOf(page))).toBe(text);
    });

    test("names no other driver in its commands", () => {
      const named = textOf(page.name).match(/(?<=--driver )\S+/g) ?? [];
      expect([...new Set(named)]).toEqual([page.driver]);
    });
  },
);
