import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { flagName, SETTING_KEYS } from "../config.ts";
import { settingsHelp, settingsMarkdown } from "./settings-text.ts";

describe("the settings as text", () => {
  test("stand in the documentation as they stand in the table", () => {
    const page = readFileSync(join(import.meta.dir, "../../docs/settings.md"), "utf8");
    // `bun scripts/settings-table.ts` writes the table anew.
    expect(page).toContain(`\n${settingsMarkdown()}\n`);
  });

  test("stand in the help, every one", () => {
    const help = settingsHelp();
    for (const key of SETTING_KEYS) expect(help).toContain(`${flagName(key)} `);
  });
});
