import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { RawHost } from "#drivers/isl/simulator/testing/raw-host.ts";
import { until } from "../e2e/harness/until.ts";
import { exchange } from "../http/testing/raw-exchange.ts";
import { rejection } from "../platform/testing/rejection.ts";

const COMMAND = join(import.meta.dir, "simulate.ts");
/** Runs the one command, whatever else the program has. */
const SCRIPT = `
  import { simulateCommand } from ${JSON.stringify(COMMAND)};
  import { describeFailure } from ${JSON.stringify(join(import.meta.dir, "exit.ts"))};
  try {
    await simulateCommand().exitOverride().parseAsync(process.argv.slice(1), { from: "user" });
  } catch (error) {
    process.stderr.write(String(error.message));
    process.exit(error.name === "CommanderError" ? 2 : describeFailure(error).exitCode);
  }
`;

let folder: string;
let children: Bun.Subprocess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-simulate-"));
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(children.map((child) => child.exited));
  rmSync(folder, { recursive: true, force: true });
});

function spawn(...args: string[]) {
  const child = Bun.spawn([process.execPath, "-e", SCRIPT, "--", ...args], {
    stdout: "pipe",
    stderr: "pipe",
  });
  children.push(child);
  return child;
}

/** Starts a simulator and reads the line that says it is ready. */
async function start(...more: string[]) {
  const child = spawn(
    ...["--driver", "vendorA.isl", "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"],
    ...["--state", join(folder, "device.state"), ...more],
  );
  const reader = child.stdout.getReader();
  let line = "";
  while (!line.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`ended early: ${await new Response(child.stderr).text()}`);
    line += Buffer.from(value).toString();
  }
  const ready: unknown = JSON.parse(line.slice(0, line.indexOf("\n")));
  expect(ready).toEqual({
    msg: "simulating",
    listen: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    control: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
  });
  const { listen, control } = ready as { listen: string; control: string };
  let after = line.slice(line.indexOf("\n") + 1);
  /** Waits for what follows the ready line. */
  const rest = async (expected: RegExp): Promise<string> => {
    while (!expected.test(after)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`ended without ${expected}: ${after}`);
      after += Buffer.from(value).toString();
    }
    return after;
  };
  return {
    child,
    control,
    rest,
    host: await RawHost.connect(Number(listen.split(":")[1]), "long"),
  };
}

async function books(control: string): Promise<Record<string, unknown>> {
  const {
    frames: _,
    clock: __,
    ...rest
  } = (await (await fetch(`${control}/books`)).json()) as Record<string, unknown>;
  return rest;
}

describe("fiscald simulate", () => {
  test("keeps every answered command over SIGKILL", async () => {
    const first = await start();
    await first.host.ask(48, "1\t0000\t1\t\t");
    await first.host.ask(49, "Coffee\t2\t12.50\t\t\t\t\t");
    await first.host.ask(53, "0\t20.00\t\t");
    await first.host.ask(56);
    await first.host.ask(48, "1\t0000\t1\t\t");
    await first.host.ask(49, "Tea\t2\t3.00\t\t\t\t\t");
    const before = await books(first.control);
    first.child.kill("SIGKILL");
    await first.child.exited;
    first.host.close();

    const second = await start();
    expect(await books(second.control)).toEqual(before);
    expect(before).toMatchObject({
      receipts: [{ number: 1, total: 1250 }],
      openDocument: { number: 2, total: 300 },
    });
    expect((await second.host.ask(76)).text).toBe("0\t1\t2\t1\t3.00\t0.00\t");
    second.host.close();
  });

  test("loses no answered receipt when it is killed under load", async () => {
    const { child, host } = await start();
    let closed = 0;
    const load = (async () => {
      for (;;) {
        await host.ask(48, "1\t0000\t1\t\t");
        await host.ask(49, "Coffee\t2\t1.00\t\t\t\t\t");
        await host.ask(53, "\t\t\t");
        await host.ask(56);
        closed += 1;
        if (closed === 200) child.kill("SIGKILL");
      }
    })();
    await rejection(load);
    await child.exited;
    host.close();
    const again = await start();
    const { receiptCount } = await books(again.control);
    expect([closed, closed + 1]).toContain(Number(receiptCount));
    again.host.close();
  });

  test.each(["SIGTERM", "SIGINT"] as const)("ends with 0 on %s", async (signal) => {
    const { child, host } = await start("--paper", join(folder, "paper"), "--model", "x");
    await host.ask(69, "X\t");
    child.kill(signal);
    expect(await child.exited).toBe(0);
    await host.closed();
    expect(readdirSync(join(folder, "paper")).sort()).toEqual([
      "0000001-x_report.txt",
      "0000001.svg",
    ]);
  });

  test.each([
    ["no driver", ["--listen", "127.0.0.1:0", "--state", "s"]],
    [
      "a driver that cannot be simulated",
      ["--driver", "x", "--listen", "127.0.0.1:0", "--state", "s"],
    ],
    ["no address", ["--driver", "vendorA.isl", "--state", "s"]],
    [
      "two addresses",
      ["--driver", "vendorA.isl", "--listen", "127.0.0.1:0", "--pty", "port", "--state", "s"],
    ],
    ["an address that is none", ["--driver", "vendorA.isl", "--listen", "here", "--state", "s"]],
    [
      "a model that is none",
      ["--driver", "vendorA.isl", "--listen", "127.0.0.1:0", "--state", "s", "--model", "q"],
    ],
    [
      "a delay that is none",
      ["--driver", "vendorA.isl", "--listen", "127.0.0.1:0", "--state", "s", "--delay-ms", "-1"],
    ],
    [
      "a zone that is none",
      ["--driver", "vendorA.isl", "--listen", "127.0.0.1:0", "--state", "s", "--timezone", "Mars"],
    ],
  ])("ends with 2 on %s and makes no file", async (_, args) => {
    const child = spawn(...args.map((arg) => (arg === "s" ? join(folder, "s") : arg)));
    expect(await child.exited).toBe(2);
    expect(existsSync(join(folder, "s"))).toBe(false);
  });

  test.each([
    ["a driver and all of them", ["--all", "--driver", "vendorA.isl"]],
    ["a model of all of them", ["--all", "--model", "x"]],
    ["ports and links for all of them", ["--all", "--listen", "127.0.0.1:0", "--pty", "links"]],
  ])("ends with 2 on %s and makes no folder", async (_, args) => {
    const child = spawn(...args, "--state", join(folder, "all"));
    expect(await child.exited).toBe(2);
    expect(existsSync(join(folder, "all"))).toBe(false);
  });

  test("sets the clock of a new device to the zone that is named", async () => {
    const { control } = await start("--timezone", "Asia/Tokyo");
    const { clock } = (await (await fetch(`${control}/books`)).json()) as {
      clock: { offsetMs: number };
    };
    expect(clock.offsetMs).toBe(9 * 3_600_000);
  });

  test("lets no page from elsewhere reach its control port, under whatever name", async () => {
    const { control } = await start();
    const { host } = new URL(control);
    const statusOf = async (...headers: readonly string[]) => {
      const head = ["GET /books HTTP/1.1", ...headers, "Connection: close"].join("\r\n");
      return (await exchange(control, `${head}\r\n\r\n`)).toString().split(" ")[1];
    };
    const own = [
      [`Host: ${host}`],
      [`Host: ${host}`, `Origin: http://${host}`],
      ["Host: localhost"],
      [`Host: ${hostname()}`],
    ];
    for (const headers of own) expect(await statusOf(...headers)).toBe("200");
    const foreign = [
      ["Host: evil.example"],
      ...["", "[", "%", "a b", "@", ":"].map((odd) => [`Host: ${odd}`]),
      // A name of theirs that leads here.
      ["Host: evil.example", "Origin: http://evil.example"],
      [`Host: ${host}`, "Origin: http://evil.example"],
      [`Host: ${host}`, "Origin: null"],
    ];
    for (const headers of foreign) expect(await statusOf(...headers)).toBe("403");
  });

  test("shows the paper as text where it is asked to and there is no terminal", async () => {
    const { child, host, rest } = await start("--show");
    await host.ask(38);
    await host.ask(42, "Hello\u001b[2J\t1\t\t\t\t\t");
    const shown = await rest(/Hello.*/);
    expect(shown).toContain("Hello·[2J\n");
    expect(shown).not.toContain("\u001b");
    expect(shown).not.toContain("SERVICE DOCUMENT");
    await host.ask(39);
    await rest(/SERVICE DOCUMENT/);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test.each([
    ["in its looks", {}, "\u001b[1mBold"],
    ["as text with NO_COLOR", { NO_COLOR: "1" }, "\nBold"],
    ["not at all with --no-show", {}, undefined],
  ])("shows the paper on a terminal %s", async (_, environment, expected) => {
    let output = "";
    const child = Bun.spawn(
      [
        ...[process.execPath, "-e", SCRIPT, "--"],
        ...["--driver", "vendorA.isl", "--listen", "127.0.0.1:0"],
        ...["--state", join(folder, "device.state"), ...(expected ? [] : ["--no-show"])],
      ],
      {
        env: { PATH: process.env.PATH, TERM: "xterm", ...environment },
        terminal: {
          cols: 100,
          data(_terminal, chunk) {
            output += Buffer.from(chunk).toString().replaceAll("\r", "");
          },
        },
      },
    );
    children.push(child);
    const port = await until("the ready line", () => /"127\.0\.0\.1:(\d+)"/.exec(output)?.[1]);
    const host = await RawHost.connect(Number(port), "long");
    await host.ask(38);
    await host.ask(42, "Bold\t1\t\t\t\t\t");
    if (expected !== undefined) await until("the line", () => output.includes(expected));
    await host.ask(39);
    if (expected !== undefined) await until("the end", () => output.includes("SERVICE DOCUMENT"));
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    host.close();
    expect(output.includes("Bold")).toBe(expected !== undefined);
    expect(output.includes("\u001b[")).toBe(expected?.startsWith("\u001b") ?? false);
  });

  test("is a serial port under a name of its own until it ends", async () => {
    const port = join(folder, "port");
    const child = spawn("--driver", "vendorA.isl", "--pty", port, "--state", join(folder, "s"));
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    expect(JSON.parse(Buffer.from(value ?? []).toString())).toEqual({
      msg: "simulating",
      pty: port,
    });
    expect(statSync(port).isCharacterDevice()).toBe(true);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    expect(existsSync(port)).toBe(false);
  });

  test("ends with 4 where the name of the port is taken by a file, and leaves that alone", async () => {
    const port = join(folder, "port");
    writeFileSync(port, "something else\n");
    const child = spawn("--driver", "vendorA.isl", "--pty", port, "--state", join(folder, "s"));
    expect(await child.exited).toBe(4);
    expect(readFileSync(port, "utf8")).toBe("something else\n");
  });

  test("ends with 3 on a file that is no state file, and with 4 on an address in use", async () => {
    const file = join(folder, "other");
    writeFileSync(file, "something else\n");
    const args = ["--driver", "vendorA.isl", "--listen", "127.0.0.1:0", "--state"];
    expect(await spawn(...args, file).exited).toBe(3);
    const server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: () => undefined },
    });
    const taken = spawn(
      ...["--driver", "vendorA.isl", "--listen", `127.0.0.1:${server.port}`],
      ...["--state", join(folder, "s")],
    );
    expect(await taken.exited).toBe(4);
    server.stop(true);
  });
});
