/** The folder of the user's own profiles, and what is told of it. */

import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executable } from "../e2e/harness/program.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import type { Log } from "../platform/log.ts";
import {
  loadProfiles,
  PROFILE_BYTES_MAX,
  PROFILE_FILES_MAX,
  readProfileFolder,
} from "./profile-files.ts";

let program: string;
beforeAll(async () => {
  program = await executable();
});
const RIGHT = { id: "mine", extends: "custom-rt-gen3", models: ["SHOP 1"] };

let stateDir: string;
let folder: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "fiscald-profiles-"));
  folder = join(stateDir, "drivers");
  mkdirSync(folder);
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

function put(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
  return path;
}

/** A log that keeps its warnings. */
function keptLog() {
  const warnings: Record<string, unknown>[] = [];
  const log = {
    warn: (_sentence: string, fields: Record<string, unknown>) => warnings.push(fields),
  } as unknown as Log;
  return { log, warnings };
}

describe("the folder of profiles", () => {
  test("may be missing, and holds profiles by the order of their names", () => {
    expect(readProfileFolder(join(folder, "nowhere"))).toEqual([]);
    put("b.json", RIGHT);
    put("a.json", { ...RIGHT, id: "first" });
    put("notes.txt", "not read");
    expect(readProfileFolder(folder).map(({ source }) => source)).toEqual(["a.json", "b.json"]);
  });

  test("is not held up by a device or a pipe behind a symbolic link", () => {
    symlinkSync("/dev/zero", join(folder, "endless.json"));
    symlinkSync("nowhere", join(folder, "lost.json"));
    mkdirSync(join(folder, "folder.json"));
    const faults = readProfileFolder(folder).map(({ fault }) => fault);
    expect(faults).toEqual(["Not a file", "Not a file", expect.stringContaining("Cannot be read")]);
  });

  test("starts the gateway with what is right in it, and warns of each fault", () => {
    put("right.json", RIGHT);
    put("wrong.json", { id: "wrong", extends: "custom-rt-gen3", colour: 1, shape: 2 });
    put("broken.json", "{ not json");
    put("large.json", " ".repeat(PROFILE_BYTES_MAX + 1));
    const { log, warnings } = keptLog();
    const profiles = loadProfiles(folder, log);
    expect(profiles.forModel("SHOP 1")?.profile?.id).toBe("mine");
    expect(profiles.initial?.profile).toBeDefined();
    expect(warnings.map(({ file, path }) => `${file} ${path}`)).toEqual([
      "broken.json ",
      "large.json ",
      "wrong.json colour",
      "wrong.json shape",
    ]);
  });

  test("has a bound", () => {
    for (let at = 0; at <= PROFILE_FILES_MAX; at += 1) {
      put(`${String(at).padStart(3, "0")}.json`, { ...RIGHT, id: `p${at}` });
    }
    const { log, warnings } = keptLog();
    loadProfiles(folder, log);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.message).toBe(`More than ${PROFILE_FILES_MAX} profiles`);
  });
});

describe("fiscald profile", () => {
  const profile = (...args: string[]) => runToEnd([program, "profile", ...args]);
  const run = (...args: string[]) => profile(...args, "--state-dir", stateDir);

  test("check names each fault by its place, and ends with code 2", async () => {
    const wrong = put("wrong.json", { ...RIGHT, commands: { sale: "33{prise:c9}" }, colour: 1 });
    const { code, out } = await run("check", wrong);
    expect(code).toBe(2);
    expect(out).toBe(`${wrong}: colour: Unexpected property\n`);
    put("wrong.json", { ...RIGHT, commands: { sale: "33{prise:c9}" } });
    expect((await run("check", wrong)).out).toContain("commands.sale: {prise}: no such value");
  });

  test("check takes a file that extends an installed one", async () => {
    put("mine.json", RIGHT);
    const child = join(stateDir, "child.json");
    writeFileSync(child, JSON.stringify({ id: "child", extends: "mine" }));
    const { code, out } = await run("check", child);
    expect({ code, out }).toEqual({ code: 0, out: `${child}: right, profile child\n` });
  });

  test("list tells where each profile is from, and show prints a built-in one", async () => {
    put("mine.json", RIGHT);
    const { out } = await run("list", "--json");
    const rows: { id: string; source: string }[] = JSON.parse(out);
    expect(rows.map(({ id, source }) => `${id} ${source}`)).toEqual([
      "mine mine.json",
      "custom-rt-gen3 built-in",
      "custom-rt-gen2 built-in",
      "custom-xonxoff built-in",
    ]);
    const shown = await profile("show", "custom-xonxoff");
    expect(JSON.parse(shown.out)).toMatchObject({ id: "custom-xonxoff" });
    expect((await profile("show", "nobody")).code).toBe(2);
  });
});
