import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { version } from "../../package.json";
import { SETTING_KEYS } from "../config.ts";
import { boxForEachTest } from "../e2e/harness/box-for-each-test.ts";
import { runToEnd } from "../e2e/harness/run-to-end.ts";
import { EXIT } from "./exit.ts";

const box = boxForEachTest();
/** As releases left them. */
const DATABASES = join(import.meta.dir, "../../db/testdata");

/** Runs one command line to its end, in a folder of its own and an empty environment. */
function run(...args: string[]) {
  return runToEnd([box.program, ...args], { cwd: box.folder });
}

describe("the command line", () => {
  test("tells its version in both ways", async () => {
    const command = await run("version");
    expect(command.code).toBe(0);
    expect(command.out).toStartWith(`fiscald ${version} (bun ${Bun.version}, `);
    expect((await run("--version")).out).toBe(command.out);
    const { out } = await run("version", "--json");
    expect(JSON.parse(out)).toMatchObject({ version, runtime: `bun ${Bun.version}` });
  });

  test("names at once all that a controller has to be told, and the service's file of it", async () => {
    const bare = await run("controller");
    expect([bare.code, bare.err]).toEqual([
      2,
      "fiscald: it has to be told --id <NAME> (FISCALD_CONTROLLER_ID), --url <URL> (FISCALD_CONTROLLER_URL), --key-file <FILE> (FISCALD_CONTROLLER_KEY); for the service, fill in the variables in /etc/fiscald/controller.env\n",
    ]);
    const keyless = await run("controller", "--id", "bar-pi", "--url", "https://shop.example");
    expect(keyless.err).toStartWith("fiscald: it has to be told --key-file <FILE> (");
  });

  test("answers --help on the standard output, with every setting", async () => {
    const { out, err, code } = await run("--help");
    expect(code).toBe(0);
    expect(err).toBe("");
    for (const part of ["serve", "migrate", "config", "--http-listen", "--limits-global-max"]) {
      expect(out).toContain(part);
    }
  });

  test("groups its commands in the help, in words that fit 80 columns", async () => {
    const { out } = await run("--help");
    const [commands = ""] = out.split("Settings (");
    const groups = commands.split("\n").filter((line) => /^[A-Z].*:$/.test(line));
    expect(groups).toEqual([
      "Options:",
      "Begin:",
      "Every day:",
      "Change:",
      "Keep safe:",
      "Look closer:",
    ]);
    for (const line of commands.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(commands).toMatch(/Every day:\n {2}status .*(\n.*)*\n {2}alert /);
  });

  test.each([
    [[]],
    [["bogus"]],
    [["serve", "--bogus"]],
    [["config", "surplus"]],
    [["config", "--http-listen"]],
  ])("ends with 2 on a usage error: %p", async (args) => {
    const { out, err, code } = await run(...args);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).not.toBe("");
  });

  test("names the command whose help tells what a wrong line should have been", async () => {
    const { err } = await run("command", "list", "--bogus");
    expect(err).toEndWith("\nfiscald command list --help shows what it takes.\n");
    expect((await run("bogus")).err).toEndWith("\nfiscald --help shows what it takes.\n");
  });

  test("ends with 2 on wrong settings, lists them all and touches nothing", async () => {
    const { err, code } = await run("serve", "--http-listen", "x", "--log-level", "y");
    expect(code).toBe(2);
    expect(err).toContain("--http-listen");
    expect(err).toContain("--log-level");
    expect(readdirSync(box.folder)).toEqual([]);
  });
});

describe("fiscald config", () => {
  test("shows every setting with value and source", async () => {
    const file = join(box.folder, "my.toml");
    writeFileSync(file, "[limits]\nauthMax = 9\n");
    const { out, code } = await run("config", "--config", file, "--http-listen", "127.0.0.1:0");
    expect(code).toBe(0);
    const lines = out.split("\n").map((line) => line.split(/\s+/));
    expect(lines.slice(0, SETTING_KEYS.length).map(([key]) => key)).toEqual([...SETTING_KEYS]);
    expect(lines).toContainEqual(["http.listen", "127.0.0.1:0", "flag"]);
    expect(lines).toContainEqual(["limits.authMax", "9", "file"]);
    expect(lines).toContainEqual(["limits.globalMax", "150", "default"]);
    expect(out).toContain(file);
  });

  test("prints JSON with typed values when asked to", async () => {
    const { out } = await run("config", "--json", "--http-cors-origins", "https://a.example");
    const { file, settings } = JSON.parse(out);
    expect(file).toBeNull();
    expect(settings["http.corsOrigins"]).toEqual({ value: ["https://a.example"], source: "flag" });
    expect(settings["limits.globalMax"]).toEqual({ value: 150, source: "default" });
  });
});

describe("fiscald migrate", () => {
  test("brings a new database up to date, and then has nothing to do", async () => {
    const first = await run("migrate", "--state-dir", box.stateDir);
    expect(first.code).toBe(0);
    expect(first.out).toContain("applied 0000_init");
    // Else the first start would take the directory for one that has been set up.
    expect(existsSync(join(box.stateDir, "fiscald.toml"))).toBe(true);
    const second = await run("migrate", "--state-dir", box.stateDir);
    expect(second.code).toBe(0);
    expect(second.out).toBe("the database is up to date\n");
  });

  test("ends with 3 on something that is no database", async () => {
    mkdirSync(box.stateDir);
    writeFileSync(join(box.stateDir, "fiscald.db"), "certainly no database file".repeat(50));
    const { err, code } = await run("migrate", "--state-dir", box.stateDir);
    expect(code).toBe(3);
    expect(err).toContain("database");
  });

  test("is tried on a copy of which nothing is left, and tells why it cannot", async () => {
    const [released, trial] = [join(DATABASES, "fiscald-0.1.0.db.gz"), join(box.folder, "trial")];
    const file = join(box.stateDir, "fiscald.db");
    const before = gunzipSync(readFileSync(released));
    for (const folder of [box.stateDir, trial]) mkdirSync(folder);
    writeFileSync(file, before);
    const tried = () => run("migrate", "--state-dir", box.stateDir, "--try", trial);
    expect(await tried()).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(file).equals(before)).toBe(true);
    const database = new Database(file);
    database.run(
      "INSERT INTO schema_migrations (name, hash, applied_at) VALUES ('9999_future', 'x', 0)",
    );
    database.close();
    expect(await tried()).toMatchObject({ code: 3, err: expect.stringContaining("9999_future") });
    expect([readdirSync(trial), readdirSync(box.stateDir)]).toEqual([[], ["fiscald.db"]]);
    rmSync(file);
    expect((await tried()).code).toBe(3);
    // What the schema says is told apart from what the machine says.
    expect((await run("migrate", "--state-dir", box.stateDir)).code).toBe(0);
    const newer = new Database(file);
    newer.run(
      "INSERT INTO schema_migrations (name, hash, applied_at) VALUES ('9999_future', 'x', 0)",
    );
    newer.close();
    expect(await tried()).toMatchObject({ code: 5, err: expect.stringContaining("9999_future") });
  });

  test("ends with 3 where no state directory can be made", async () => {
    const { err, code } = await run("migrate", "--state-dir", "/proc/nowhere/state");
    expect(code).toBe(3);
    expect(err).toContain("/proc/nowhere/state");
  });
});

test("a controller takes from its environment all that a service has to tell it", async () => {
  const env = {
    FISCALD_CONTROLLER_URL: "http://127.0.0.1:9",
    FISCALD_CONTROLLER_ID: "bar",
    FISCALD_CONTROLLER_KEY: "svc_live_1",
    FISCALD_STATE_DIR: box.stateDir,
  };
  const control = (more: Readonly<Record<string, string>>) =>
    runToEnd([box.program, "controller"], { cwd: box.folder, env: { ...env, ...more } });
  const wrong = {
    FISCALD_CONTROLLER_URL: "shop.example",
    FISCALD_CONTROLLER_ID: "the bar",
    FISCALD_CONTROLLER_KEY: "",
    FISCALD_CONTROLLER_NAME: "",
    FISCALD_CONTROLLER_LOCATION: "",
    FISCALD_CONTROLLER_CA: "/nowhere/ca.pem",
  };
  for (const [name, value] of Object.entries(wrong)) {
    const { code, err } = await control({ [name]: value });
    expect([name, code]).toEqual([name, EXIT.usage]);
    expect(err).toContain(name === "FISCALD_CONTROLLER_CA" ? value : name);
  }
});
