import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SettingKey } from "../config.ts";
import { environmentName, flagName, SETTING_KEYS } from "../config.ts";
import { type ChosenKey, writeChosen } from "./chosen-settings.ts";
import { ConfigFaults, loadConfig } from "./load-config.ts";
import { plainValue } from "./settings-text.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-config-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Given {
  readonly flags?: Partial<Record<SettingKey, string>>;
  readonly environment?: Record<string, string>;
  readonly file?: string;
  readonly pid?: number;
}

function load({ flags = {}, environment = {}, file, pid = 1 }: Given) {
  const entries = SETTING_KEYS.flatMap((key) => {
    const text = flags[key];
    return text === undefined ? [] : [[key, text] as const];
  });
  return loadConfig({ flags: new Map(entries), file }, { environment, pid });
}

/** The faults a load ends with, as one text. */
function faultsOf(given: Given): string {
  try {
    load(given);
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults.join("\n");
    throw error;
  }
  throw new Error("the configuration was accepted");
}

function writeToml(text: string, name = "fiscald.toml"): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("what was chosen in the portal", () => {
  const chosen = () => load({ flags: { "state.dir": folder } });
  const choose = () => {
    const values = new Map<ChosenKey, string>([
      ["backup.to", 'usb:A "stick"'],
      ["backup.at", "02:30"],
    ]);
    writeChosen(folder, values);
  };

  test("counts where nobody at the box says otherwise", () => {
    choose();
    expect(chosen().config).toMatchObject({ "backup.to": 'usb:A "stick"', "backup.at": "02:30" });
    expect(chosen().sources.get("backup.at")).toBe("portal");
    writeToml('[backup]\nat = "04:00"\n');
    expect(chosen().config["backup.at"]).toBe("04:00");
    expect(chosen().sources.get("backup.at")).toBe("file");
    expect(chosen().sources.get("backup.to")).toBe("portal");
  });

  test("is that and nothing else", () => {
    writeToml("backup.keep = 3\nbackup.at = 7\n", "fiscald.chosen.toml");
    const faults = faultsOf({ flags: { "state.dir": folder } });
    expect(faults).toContain("backup.keep belongs into fiscald.toml");
    expect(faults).toContain("backup.at must be");
    expect(faults).toContain("remove it, and choose anew");
  });
});

describe("the names of a setting", () => {
  test("follow from its key", () => {
    expect(environmentName("http.listen")).toBe("FISCALD_HTTP_LISTEN");
    expect(flagName("http.listen")).toBe("--http-listen");
    expect(environmentName("limits.globalMax")).toBe("FISCALD_LIMITS_GLOBAL_MAX");
    expect(flagName("commands.pushWaitSeconds")).toBe("--commands-push-wait-seconds");
  });

  test("are different for all settings", () => {
    expect(new Set(SETTING_KEYS.map(environmentName)).size).toBe(SETTING_KEYS.length);
  });
});

test("the settings that others rely on have these names and defaults", () => {
  const { config } = load({ file: writeToml("") });
  expect(config).toMatchObject({
    "http.listen": { host: "0.0.0.0", port: 8080 },
    ...{ "http.connectionsPerAddress": 256, "http.drainSeconds": 1, "log.level": "info" },
    ...{ "limits.globalMax": 150, "limits.authMax": 30, "limits.commandsMax": 50 },
    ...{ "limits.windowSeconds": 600, "auth.registration": "first" },
    ...{ "commands.pushWaitSeconds": 60, "commands.overallSeconds": 180 },
    ...{ "commands.pauseSeconds": 600, "devices.statusSeconds": 30 },
    ...{ "webhooks.maxAttempts": 5, "webhooks.allowPrivate": true },
    ...{ "webhooks.allowLoopback": false, "webhooks.caFile": "" },
  });
});

describe("precedence", () => {
  const flags = { "limits.authMax": "4" } as const;
  const environment = { FISCALD_LIMITS_AUTH_MAX: "3" };

  test("a flag beats the environment, which beats the file, which beats the default", () => {
    const file = writeToml("[limits]\nauthMax = 2\n");
    const steps = [
      load({ flags, environment, file }),
      load({ environment, file }),
      load({ file }),
      load({ flags: { "state.dir": folder } }),
    ];
    expect(steps.map(({ sources }) => sources.get("limits.authMax"))).toEqual([
      "flag",
      "environment",
      "file",
      "file",
    ]);
    expect(steps.map(({ config }) => config["limits.authMax"])).toEqual([4, 3, 2, 2]);
    rmSync(file);
    const last = load({ flags: { "state.dir": folder } });
    expect(last.config["limits.authMax"]).toBe(30);
    expect(last.sources.get("limits.authMax")).toBe("default");
    expect(last.file).toBeUndefined();
  });

  test("--config replaces the file of the state directory", () => {
    writeToml("[limits]\nauthMax = 2\n");
    const file = writeToml("[limits]\nwindowSeconds = 5\n", "other.toml");
    const { config, file: read } = load({ flags: { "state.dir": folder }, file });
    expect(config["limits.authMax"]).toBe(30);
    expect(config["limits.windowSeconds"]).toBe(5);
    expect(read).toBe(file);
  });

  test("an empty variable counts as unset", () => {
    const { config } = load({ environment: { FISCALD_LOG_LEVEL: "" }, file: writeToml("") });
    expect(config["log.level"]).toBe("info");
  });
});

describe("values", () => {
  test("of every kind are read from text", () => {
    const { config } = load({
      flags: {
        "state.dir": folder,
        "http.listen": "[::1]:0",
        "http.trustProxy": "true",
        "http.corsOrigins": "https://a.example, http://b.example:81",
        "log.level": "debug",
        "limits.globalMax": "7",
      },
    });
    expect(config["http.listen"]).toEqual({ host: "::1", port: 0 });
    expect(config["http.trustProxy"]).toBe(true);
    expect(config["http.corsOrigins"]).toEqual(["https://a.example", "http://b.example:81"]);
    expect(config["log.level"]).toBe("debug");
    expect(config["limits.globalMax"]).toBe(7);
  });

  test("that are secret are masked wherever they are shown", () => {
    const { config } = load({ environment: { FISCALD_SMTP_PASSWORD: "p4ssword" } });
    expect(config["smtp.password"]).toBe("p4ssword");
    expect(plainValue("smtp.password", config["smtp.password"])).toBe("[secret]");
    expect(plainValue("push.relayUrl", "https://user:word@relay.example/x?token=key")).toBe(
      "https://[secret]@relay.example/x?[secret]",
    );
    expect(plainValue("smtp.password", load({ environment: {} }).config["smtp.password"])).toBe("");
    const faults = faultsOf({ environment: { FISCALD_SMTP_PASSWORD: "p4ss\nword" } });
    expect(faults).toContain("FISCALD_SMTP_PASSWORD must be a line");
    expect(faults).not.toContain("p4ss");
  });

  test("of every kind are read from a file", () => {
    const file = writeToml(`
[state]
dir = "${folder}"
[http]
listen = "till.local:9000"
trustProxy = true
corsOrigins = ["https://a.example"]
[log]
level = "warn"
[limits]
globalMax = 8
`);
    const { config } = load({ file });
    expect(config["state.dir"]).toBe(folder);
    expect(config["http.listen"]).toEqual({ host: "till.local", port: 9000 });
    expect(config["http.trustProxy"]).toBe(true);
    expect(config["http.corsOrigins"]).toEqual(["https://a.example"]);
    expect(config["log.level"]).toBe("warn");
    expect(config["limits.globalMax"]).toBe(8);
  });

  test.each([
    ["http.listen", "8080"],
    ["http.listen", "host:65536"],
    ["http.listen", "::1:80"],
    ["http.listen", "host:"],
    ["http.trustProxy", "yes"],
    ["http.corsOrigins", "https://a.example/path"],
    ["http.corsOrigins", "*"],
    ["log.level", "loud"],
    ["limits.globalMax", "0"],
    ["limits.globalMax", "1.5"],
    ["limits.globalMax", "1e3"],
    ["limits.globalMax", " 5"],
    ["state.dir", ""],
  ] as const)("%s does not take %p", (key, text) => {
    const faults = faultsOf({ flags: { [key]: text } });
    expect(faults).toContain(`flag ${flagName(key)} must be`);
    expect(faults).toContain(JSON.stringify(text));
  });

  test.each([
    ["http.corsOrigins", '["https://a.example"]'],
    ["https.names", '["till.example"]'],
  ] as const)("%s, which is a list, says of %p that commas part it", (key, text) => {
    const faults = faultsOf({ flags: { [key]: text } });
    expect(faults).toMatch(/must be a list of [^\n]*, separated by commas, not/);
  });

  test.each([
    ['[limits]\nglobalMax = "5"', "limits.globalMax must be an integer"],
    ["[limits]\nglobalMax = 1.5", "limits.globalMax must be an integer"],
    ["[http]\ntrustProxy = 1", "http.trustProxy must be true or false"],
    ['[http]\ncorsOrigins = "https://a.example"', "http.corsOrigins must be a list"],
    ["[http]\nlisten = 8080", "http.listen must be HOST:PORT"],
    ["[http]\nport = 8080", "http.port: there is no such setting"],
    ["http = 3", "http: settings stand in tables"],
    ["[[http]]\nlisten = 3", "http: settings stand in tables"],
    ["[__proto__]\nx = 3", "__proto__.x: there is no such setting"],
    ["[a]\n\nb = ", "line 3: TOML Parse error: Missing value"],
    ["[http]\nlisten = 127.0.0.1:8080", `text stands in quotes, as in name = "text"`],
    [
      "[limits]\nauthMax = 40\nauthMax = 41",
      "line 3: TOML Parse error: Cannot redefine key 'authMax'",
    ],
    ["\uFFFD\uFFFD[\0h\0", "it is not written in UTF-8: save it so"],
    [
      '[http]\ncorsOrigins = [\n  "*",\n]\n[log\nlevel = 3\n',
      "line 5: TOML Parse error: Expected ']'",
    ],
  ])("in a file: %p is refused", (text, expected) => {
    expect(faultsOf({ file: writeToml(text) })).toContain(expected);
  });
});

describe("faults", () => {
  test("of flags, environment and file are told all at once", () => {
    const file = writeToml('[limits]\nglobalMax = "x"\nnope = 1\n');
    const faults = faultsOf({
      flags: { "http.listen": "x" },
      environment: { FISCALD_HTTP_LISTEN: "y", FISCALD_LOG_LEVEL: "z" },
      file,
    });
    expect(faults.split("\n")).toHaveLength(5);
    expect(faults).toContain("flag --http-listen");
    expect(faults).toContain("environment FISCALD_HTTP_LISTEN");
    expect(faults).toContain("environment FISCALD_LOG_LEVEL");
    expect(faults).toContain(`${file}: limits.globalMax`);
    expect(faults).toContain(`${file}: limits.nope`);
  });

  test("include a file that was asked for and is not there", () => {
    expect(faultsOf({ file: join(folder, "gone.toml") })).toContain("cannot be read");
  });

  test("include a file that is a folder, also when nobody asked for it", () => {
    expect(faultsOf({ file: folder })).toContain("cannot be read");
  });

  test("include a state directory named by the file in it", () => {
    writeToml('[state]\ndir = "/elsewhere"\n');
    expect(faultsOf({ flags: { "state.dir": folder } })).toContain("state.dir cannot be set");
  });

  test("touch nothing", () => {
    const stateDir = join(folder, "state");
    faultsOf({ flags: { "state.dir": stateDir, "log.level": "x" } });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("the state directory", () => {
  const file = () => writeToml("");

  test("is ./state for a person at a terminal, even one started by a service manager", () => {
    const environment = { INVOCATION_ID: "5", SYSTEMD_EXEC_PID: "1" };
    expect(load({ environment, file: file(), pid: 77 }).config["state.dir"]).toBe(
      join(process.cwd(), "state"),
    );
  });

  test("is the system's for a service", () => {
    const environment = { SYSTEMD_EXEC_PID: "77" };
    const { config } = load({ environment, file: file(), pid: 77 });
    expect(config["state.dir"]).toBe("/var/lib/fiscald");
  });

  test("is the first one that the service manager names", () => {
    const environment = { STATE_DIRECTORY: "/srv/till:/srv/other" };
    expect(load({ environment, file: file() }).config["state.dir"]).toBe("/srv/till");
  });
});
