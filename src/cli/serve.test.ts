import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { boxForEachTest } from "../e2e/harness/box-for-each-test.ts";
import { type OwnProcess, startOwnProcess, textOf } from "../e2e/harness/own-process.ts";

const box = boxForEachTest();

function serve(directory: string, address = "127.0.0.1:0", drainSeconds = 0): OwnProcess {
  const settings = ["--state-dir", directory, "--http-listen", address];
  const drain = `--http-drain-seconds=${drainSeconds}`;
  return box.keep(startOwnProcess([box.program, "serve", ...settings, drain]));
}

/** Starts a gateway and waits until it listens. */
async function start() {
  const gateway = serve(box.stateDir);
  return { gateway, url: textOf(await gateway.line("listening"), "url") };
}

describe("fiscald serve", () => {
  test("takes away the address of a gateway that was killed, whether or not it can start", async () => {
    await (await start()).gateway.kill();
    const addressFile = join(box.stateDir, "fiscald.url");
    expect(existsSync(addressFile)).toBe(true);
    const database = new Database(join(box.stateDir, "fiscald.db"));
    database.run("DROP TABLE devices");
    database.close();
    expect(await serve(box.stateDir).exited).not.toBe(0);
    expect(existsSync(addressFile)).toBe(false);
  });

  test("logs where it listens, answers, and ends with 0 when asked to stop", async () => {
    const { gateway, url } = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect(await gateway.stop()).toBe(0);
    expect(gateway.output()).toContain('"msg":"stopped"');
    expect(existsSync(join(box.stateDir, "fiscald.pid"))).toBe(false);
  });

  test("goes on where it can keep no room on the disk, and says so once", async () => {
    await (await start()).gateway.stop();
    const reserve = join(box.stateDir, "fiscald.reserve");
    rmSync(reserve, { force: true });
    mkdirSync(reserve);
    const { gateway, url } = await start();
    await gateway.line("no room is kept on the disk for results: remove what is there");
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    expect(await gateway.stop()).toBe(0);
    expect(gateway.output().match(/no room is kept/g)).toHaveLength(1);
  });

  test("says on /ready that it is about to stop, and takes requests until it does", async () => {
    const gateway = serve(box.stateDir, undefined, 5);
    const url = textOf(await gateway.line("listening"), "url");
    const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;
    expect(await statusOf("/ready")).toBe(200);
    process.kill(gateway.pid, "SIGTERM");
    await gateway.line("stopping");
    expect(await statusOf("/ready")).toBe(503);
    expect([await statusOf("/livez"), await statusOf("/api/v1/devices")]).toEqual([200, 401]);
    expect(await gateway.exited).toBe(0);
  });

  test.each(["SIGHUP", "SIGUSR1", "SIGUSR2"] as const)(
    "outlives %s and logs it",
    async (signal) => {
      const { gateway, url } = await start();
      process.kill(gateway.pid, signal);
      process.kill(gateway.pid, signal);
      expect(await gateway.line("signal ignored")).toMatchObject({ signal });
      expect((await fetch(`${url}/livez`)).status).toBe(200);
      expect(await gateway.stop()).toBe(0);
    },
  );

  test("ends with 0 when the terminal's Ctrl-C asks it to", async () => {
    const { gateway } = await start();
    process.kill(gateway.pid, "SIGINT");
    expect(await gateway.exited).toBe(0);
    expect(gateway.output()).toContain('"signal":"SIGINT"');
  });

  test("writes settings at the first start only, and says so", async () => {
    const first = await start();
    await first.gateway.stop();
    expect(first.gateway.output()).toContain("first set-up");
    const second = await start();
    await second.gateway.stop();
    expect(second.gateway.output()).not.toContain("first set-up");
  });

  test("ends with 3 beside another one, naming it", async () => {
    const { gateway } = await start();
    const ending = serve(box.stateDir);
    expect(await ending.exited).toBe(3);
    expect(ending.output()).toContain(`process ${gateway.pid}`);
  });

  test("starts again after it was killed", async () => {
    const first = await start();
    await first.gateway.kill();
    const second = await start();
    expect(await second.gateway.stop()).toBe(0);
  });

  test("ends with 4 when the address is in use, and makes no state directory", async () => {
    const { host } = new URL((await start()).url);
    const other = join(box.folder, "other");
    const ending = serve(other, host);
    expect(await ending.exited).toBe(4);
    expect(ending.output()).toContain(host);
    expect(existsSync(other)).toBe(false);
  });

  test("names the other one where that also has the address", async () => {
    const { gateway, url } = await start();
    const ending = serve(box.stateDir, new URL(url).host);
    expect(await ending.exited).toBe(3);
    expect(ending.output()).toContain(`process ${gateway.pid}`);
  });

  test("makes no state directory when the settings are wrong", async () => {
    const ending = serve(box.stateDir, "nowhere");
    expect(await ending.exited).toBe(2);
    expect(existsSync(box.stateDir)).toBe(false);
  });

  test("ends with 4 when the address is not this machine's", async () => {
    // TEST-NET-1 of RFC 5737, which no machine has.
    const ending = serve(box.stateDir, "192.0.2.1:0");
    expect(await ending.exited).toBe(4);
    expect(ending.output()).toContain("192.0.2.1");
    expect(existsSync(box.stateDir)).toBe(false);
  });

  test("ends with 3 on a database of a newer version", async () => {
    await (await start()).gateway.stop();
    const database = new Database(join(box.stateDir, "fiscald.db"));
    database.run(
      "INSERT INTO schema_migrations (name, hash, applied_at) VALUES ('9999_future', 'x', 0)",
    );
    database.close();
    const ending = serve(box.stateDir);
    expect(await ending.exited).toBe(3);
    expect(ending.output()).toContain("9999_future");
  });
});
