/** The executable under a service manager's socket: what systemd hears of it. */

import { dlopen, FFIType } from "bun:ffi";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OwnProcess, startOwnProcess } from "./harness/own-process.ts";
import { executable } from "./harness/program.ts";
import { until } from "./harness/until.ts";

const { i32, i64, u64, u32, ptr } = FFIType;
const libc = dlopen("libc.so.6", {
  socket: { args: [i32, i32, i32], returns: i32 },
  bind: { args: [i32, ptr, u32], returns: i32 },
  recv: { args: [i32, ptr, u64, i32], returns: i64 },
  close: { args: [i32], returns: i32 },
}).symbols;

/** The socket that systemd would listen on. */
class Listener {
  readonly #socket: number;
  readonly heard: string[] = [];

  constructor(name: string) {
    const AF_UNIX = 1;
    const address = Buffer.from(
      `\x01\0${name.replace("@", "\0")}${name.startsWith("@") ? "" : "\0"}`,
    );
    this.#socket = libc.socket(AF_UNIX, 2, 0);
    expect(libc.bind(this.#socket, address, address.length)).toBe(0);
  }

  /** Takes what has arrived. */
  listen(): readonly string[] {
    const DONTWAIT = 0x40;
    const bytes = Buffer.alloc(4_096);
    for (;;) {
      const length = Number(libc.recv(this.#socket, bytes, bytes.length, DONTWAIT));
      if (length < 0) return this.heard;
      this.heard.push(bytes.toString("utf8", 0, length));
    }
  }

  close(): void {
    libc.close(this.#socket);
  }
}

let folder: string;
let running: OwnProcess | undefined;
let listener: Listener | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-notify-"));
});
afterEach(async () => {
  await running?.kill();
  listener?.close();
  running = listener = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function serve(env: Readonly<Record<string, string>>): Promise<OwnProcess> {
  const options = ["--state-dir", join(folder, "state"), "--http-listen", "127.0.0.1:0"];
  running = startOwnProcess([await executable(), "serve", ...options], env);
  return running;
}

describe("the service manager", () => {
  test.each([
    ["a path", () => join(folder, "notify")],
    ["a name outside of the file system", () => `@fiscald-test-${process.pid}`],
  ])("hears over %s when it takes work, that it is well, and when it ends", async (_, name) => {
    const socket = name();
    const systemd = new Listener(socket);
    listener = systemd;
    const gateway = await serve({ NOTIFY_SOCKET: socket, WATCHDOG_USEC: "90000" });
    await until("the gateway to take work", () => systemd.listen().length > 0);
    expect(systemd.heard[0]).toMatch(
      /^READY=1\nSTATUS=takes requests on http:\/\/127\.0\.0\.1:\d+$/,
    );
    // It was ready no earlier than it said so itself.
    expect(gateway.output()).toContain('"msg":"listening"');
    await until("three signs of life", () => systemd.listen().length > 3);
    expect(systemd.heard.slice(1, 4)).toEqual(Array(3).fill("WATCHDOG=1\nSTATUS=takes work"));
    expect(await gateway.stop()).toBe(0);
    expect(systemd.listen().at(-1)).toBe("STOPPING=1\nSTATUS=stopping");
  });

  test("hears nothing of a gateway whose database does not come to an end with a write", async () => {
    const socket = join(folder, "notify");
    const systemd = new Listener(socket);
    listener = systemd;
    await serve({ NOTIFY_SOCKET: socket, WATCHDOG_USEC: "90000" });
    await until("a sign of life", () => systemd.listen().length > 1);
    const { Database } = await import("bun:sqlite");
    const other = new Database(join(folder, "state", "fiscald.db"));
    // The gateway may be writing just then.
    other.exec("PRAGMA busy_timeout = 30000");
    other.exec("BEGIN IMMEDIATE");
    let heard = systemd.listen().length;
    let heardAt = performance.now();
    await until("silence for as long as ten signs of life take", () => {
      if (systemd.listen().length > heard) heardAt = performance.now();
      heard = systemd.heard.length;
      return performance.now() - heardAt > 300;
    });
    other.exec("ROLLBACK");
    other.close();
    const before = systemd.listen().length;
    await until("signs of life once it can write again", () => systemd.listen().length > before);
  });
});

describe("the journal", () => {
  test("gets the priority of each line, and a file does not", async () => {
    const path = join(folder, "journal");
    const journal = openSync(path, "a");
    const { dev, ino } = fstatSync(journal);
    const program = await executable();
    const command = [program, "serve", "--http-listen", "127.0.0.1:99999"];
    for (const stream of [`${dev}:${ino}`, "1:1"]) {
      const child = Bun.spawn(command, { env: { JOURNAL_STREAM: stream }, stderr: journal });
      expect(await child.exited).toBe(2);
    }
    closeSync(journal);
    const heads = readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line.includes("fiscald:"));
    expect(heads.map((line) => line.slice(0, 11))).toEqual(["<3>fiscald:", "fiscald: th"]);
  });
});
