import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asRoot } from "../e2e/harness/other-runtime.ts";
import { firstSettings } from "./first-setup.ts";
import { parseSettings } from "./settings-file.ts";
import { addShopLimits, SHOP_LIMITS } from "./shop-limits.ts";

/** Somebody who is not root. */
const KEEPER = 65_534;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-limits-"));
  file = join(folder, "fiscald.toml");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function add(text: string) {
  writeFileSync(file, text);
  return addShopLimits(file);
}
const written = () => readFileSync(file, "utf8");
const values = () => Object.fromEntries(parseSettings(file, written()).values);
const ALL = [...SHOP_LIMITS.keys()];

describe("limits for a shop in a settings file that is there", () => {
  test("are added at its end where it has none, and nothing twice", () => {
    const mine = '# my own file\n[http]\nlisten = "127.0.0.1:9000" # till\'s network only\n';
    expect(add(mine)).toEqual({ added: ALL, byHand: [] });
    expect(written()).toStartWith(mine);
    expect(values()).toMatchObject(Object.fromEntries(SHOP_LIMITS));
    const once = written();
    expect(addShopLimits(file)).toEqual({ added: [], byHand: [] });
    expect(written()).toBe(once);
  });

  test.each([
    "[limits]\n# few on purpose\ncommandsMax = 7\n\n[log]\nlevel = 'warn'\n",
    "[ limits ]   # mine\ncommandsMax = 7\n[log]\nlevel = 'warn'",
    "[log]\r\nlevel = 'warn'\r\n[limits]\r\ncommandsMax = 7\r\n",
  ])("are added below its own, which stay: %j", (mine) => {
    expect(add(mine)).toEqual({
      added: ALL.filter((key) => key !== "limits.commandsMax"),
      byHand: [],
    });
    expect(values()).toMatchObject({ "limits.commandsMax": 7, "log.level": "warn" });
    expect(values()["limits.globalMax"]).toBe(20_000);
    const kept = mine.split("\n").filter((line) => line.trim() !== "");
    for (const line of kept) expect(written()).toContain(line.replace(/\r$/, ""));
    expect(written().replaceAll("\r\n", "").includes("\r")).toBe(false);
    if (mine.includes("\r")) expect(/[^\r]\n/.test(written())).toBe(false);
  });

  test.each(["limits = { commandsMax = 7 }\n", "limits.commandsMax = 7\n"])(
    "are added behind its own in another form: %j",
    (mine) => {
      expect(add(mine).byHand).toEqual([]);
      expect(written()).toStartWith(mine);
      expect(values()).toMatchObject({ "limits.commandsMax": 7, "limits.authMax": 60 });
    },
  );

  test("are for the person to add where nobody can tell where they belong", () => {
    const mine = "[backup]\ncommand = '''\n[limits]\n'''\n[limits]\ncommandsMax = 7\n";
    const { added, byHand } = add(mine);
    expect(added).toEqual([]);
    expect(byHand).toEqual(["globalMax = 20000", "authMax = 60", "windowSeconds = 600"]);
    expect(written()).toBe(mine);
  });

  test("are complete in what the first set-up writes", () => {
    expect(add(firstSettings())).toEqual({ added: [], byHand: [] });
    expect(written()).toBe(firstSettings());
  });

  test("keep the file's mode, and a link a link", () => {
    const real = join(folder, "real.toml");
    writeFileSync(real, "");
    chmodSync(real, 0o640);
    symlinkSync(real, file);
    addShopLimits(file);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(readFileSync(real, "utf8")).toContain("globalMax");
    expect(readdirSync(folder).sort()).toEqual(["fiscald.toml", "real.toml"]);
  });

  test("follow no link that lies in the place of what is not finished", () => {
    const other = join(folder, "other");
    writeFileSync(other, "another one's\n");
    symlinkSync(other, `${file}.part`);
    expect(add("")).toEqual({ added: ALL, byHand: [] });
    expect(readFileSync(other, "utf8")).toBe("another one's\n");
    expect(lstatSync(file).isSymbolicLink()).toBe(false);
    expect(readdirSync(folder).sort()).toEqual(["fiscald.toml", "other"]);
  });

  test.each(asRoot("whose a settings file stays"))(
    "keep whose it is, also its group, for %s",
    () => {
      writeFileSync(file, "");
      chmodSync(file, 0o640);
      for (const [uid, gid] of [
        [KEEPER, KEEPER - 1],
        [0, KEEPER],
      ] as const) {
        chownSync(file, uid, gid);
        writeFileSync(file, "");
        addShopLimits(file);
        const kept = statSync(file);
        expect([kept.uid, kept.gid, kept.mode & 0o777]).toEqual([uid, gid, 0o640]);
      }
    },
  );
});
