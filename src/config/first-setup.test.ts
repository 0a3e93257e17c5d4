import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SETTING_KEYS } from "../config.ts";
import { firstSettings, writeFirstSetup } from "./first-setup.ts";
import { loadConfig } from "./load-config.ts";
import { parseSettings } from "./settings-file.ts";
import { stateFiles } from "./state-files.ts";

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "fiscald-setup-"));
});
afterEach(() => {
  rmSync(stateDir, { recursive: true, force: true });
});

/** The handbook's own lines for the settings file. */
const SNIPPETS = ["backup", "settings", "tls"].flatMap((page) => {
  const text = readFileSync(join(import.meta.dir, `../../docs/${page}.md`), "utf8");
  return [...text.matchAll(/```toml\n([^`]*)```/g)].map(([, lines = ""]) => [page, lines] as const);
});

describe("lines from the handbook", () => {
  test.each(SNIPPETS)(
    "of its page %s count, put into the file in whatever place: %s",
    (_, lines) => {
      const inForce = (text: string) => {
        const file = join(stateDir, "given.toml");
        writeFileSync(file, text);
        const request = { flags: new Map(), file };
        const { config, sources } = loadConfig(request, { environment: {}, pid: 1 });
        const said = parseSettings(file, lines).values;
        for (const [key, value] of said) expect([key, config[key]]).toEqual([key, value as never]);
        expect(said.size).toBeGreaterThan(0);
        return sources.get("limits.commandsMax");
      };
      // A service's, which has tables, and settings in force in them.
      writeFirstSetup(stateDir, { environment: { SYSTEMD_EXEC_PID: "1" }, pid: 1 });
      const written = readFileSync(stateFiles(stateDir).settings, "utf8");
      expect(inForce(lines)).toBe("default");
      expect(inForce(`${written}\n${lines}`)).toBe("file");
      expect(inForce(`${written}\n${lines}\n${lines}`)).toBe("file");
    },
  );
});

describe("the first set-up", () => {
  test("writes limits for a shop, which count from then on", () => {
    const path = writeFirstSetup(stateDir);
    expect(path).toBe(join(stateDir, "fiscald.toml"));
    const { config, sources } = loadConfig(
      { flags: new Map([["state.dir", stateDir]]), file: undefined },
      { environment: {}, pid: 1 },
    );
    expect(config["limits.commandsMax"]).toBe(10_000);
    expect(sources.get("limits.commandsMax")).toBe("file");
    expect(sources.get("http.listen")).toBe("default");
  });

  test("of a service has HTTPS and a name in the network on, for every command to see", () => {
    const inForce = (environment: Record<string, string>) => {
      writeFirstSetup(stateDir, { environment, pid: 1 });
      const request = { flags: new Map([["state.dir", stateDir]] as const), file: undefined };
      const { config } = loadConfig(request, { environment: {}, pid: 2 });
      rmSync(stateFiles(stateDir).settings);
      return [config["https.certificate"], config["mdns.name"], config["limits.commandsMax"]];
    };
    expect(inForce({ SYSTEMD_EXEC_PID: "1" })).toEqual(["own", "fiscald", 10_000]);
    expect(inForce({})).toEqual(["off", "", 10_000]);
  });

  test("keeps the file to its owner", () => {
    const path = writeFirstSetup(stateDir) ?? "";
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("leaves an installation alone that has a database", () => {
    writeFileSync(stateFiles(stateDir).database, "");
    expect(writeFirstSetup(stateDir)).toBeUndefined();
  });

  test("leaves a settings file alone", () => {
    const { settings } = stateFiles(stateDir);
    writeFileSync(settings, "# mine\n");
    expect(writeFirstSetup(stateDir)).toBeUndefined();
    expect(readFileSync(settings, "utf8")).toBe("# mine\n");
  });

  test("shows every setting in a form that can be taken into force as it stands", () => {
    const uncommented = firstSettings().replace(/^# (?=[A-Za-z]+ = )/gm, "");
    const { values, faults } = parseSettings("first", uncommented);
    expect(faults).toEqual([]);
    expect([...values.keys()].sort()).toEqual(
      SETTING_KEYS.filter((key) => key !== "state.dir").sort(),
    );
  });
});
