/**
 * The examples as an integrator has them: the packed client installed by npm and run under Node,
 * and the tills in other languages, at a gateway that they reach over a line that loses answers.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { packClient } from "../../scripts/pack-client.ts";
import { systemClock } from "../platform/clock.ts";
import { silentLog } from "../platform/log.ts";
import { OwnCertificate } from "../tls/own-certificate.ts";
import { buildCSharp, C_SHARP_PROGRAMS } from "./harness/c-sharp.ts";
import { registerDevice } from "./harness/gateway.ts";
import { type LossyLine, startLossyLine } from "./harness/lossy-line.ts";
import { hasPrograms, mustRun, programEnvironment } from "./harness/other-runtime.ts";
import { type Ended, runToEnd } from "./harness/run-to-end.ts";
import { startPrinter } from "./harness/simulator.ts";
import { World } from "./harness/world.ts";

const ROOT = join(import.meta.dir, "../..");
const EXAMPLES = join(ROOT, "docs", "examples");

interface Example {
  readonly file: string;
  readonly programs: readonly string[];
  /** Makes it ready in an empty folder. @returns the command that runs it there */
  prepare(folder: string): Promise<readonly string[]>;
}

const NODE: Example = {
  file: "till.ts",
  programs: ["node", "npm"],
  async prepare(folder) {
    const archive = await packClient(join(folder, "packed"));
    await Bun.write(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
    const flags = ["--offline", "--no-audit", "--no-fund"];
    await mustRun(folder, ["npm", "install", ...flags, archive]);
    copyFileSync(join(EXAMPLES, "till.ts"), join(folder, "till.ts"));
    await mustRun(folder, [
      ...[process.execPath, join(ROOT, "node_modules", "typescript", "bin", "tsc"), "till.ts"],
      ...["--ignoreConfig", "--strict", "--module", "nodenext", "--target", "es2023"],
      ...["--types", "node", "--typeRoots", join(ROOT, "node_modules", "@types")],
    ]);
    return ["node", "till.js"];
  },
};

const PYTHON: Example = {
  file: "till.py",
  programs: ["python3"],
  prepare: async () => ["python3", join(EXAMPLES, "till.py")],
};

const C_SHARP: Example = {
  file: "till.cs",
  programs: C_SHARP_PROGRAMS,
  prepare: (folder) => buildCSharp(join(EXAMPLES, "till.cs"), folder),
};

interface Place {
  readonly url?: string;
  readonly deviceId?: string;
}

/** A till in its own folder, at a gateway behind a line that loses answers. */
interface Scene {
  readonly world: World;
  readonly line: LossyLine;
  run(...args: string[]): Promise<Ended>;
  /** The same elsewhere: at another gateway, or with another printer. */
  runAt(place: Place, ...args: string[]): Promise<Ended>;
}

async function setScene(example: Example): Promise<Scene> {
  const world = await World.open();
  const line = await startLossyLine(world.gateway.url);
  const folder = join(world.folder, "till");
  mkdirSync(folder);
  const command = await example.prepare(folder);
  const runAt = ({ url = line.url, deviceId = world.deviceId }: Place, ...args: string[]) => {
    const place = { FISCALD_URL: url, FISCALD_DEVICE: deviceId };
    const env = { ...programEnvironment(), FISCALD_KEY: world.till.credential ?? "", ...place };
    return runToEnd([...command, ...args], { cwd: folder, env });
  };
  return { world, line, runAt, run: (...args) => runAt({}, ...args) };
}

/**
 * A gateway that knows of no command what became of it, and keeps the keys it was sent.
 * @param before what it answers first: statuses without a body, and bodies that are not its own
 */
function startUnsure(...before: (number | object)[]) {
  const keys: string[] = [];
  const command = {
    ...{ id: "cmd_1", status: "failed", resolution: { outcome: null } },
    result: { success: false, errorCode: "E501", data: { outcome: "unknown" } },
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      if (request.method === "POST") keys.push(request.headers.get("idempotency-key") ?? "none");
      const first = before.shift();
      if (typeof first === "object") return Response.json(first);
      if (first !== undefined) return new Response(null, { status: first });
      return Response.json({ command }, { status: request.method === "POST" ? 201 : 200 });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, keys, stop: () => server.stop(true) };
}

/** A gateway whose authority nobody has been told to trust. */
async function startStranger(folder: string) {
  const authority = new OwnCertificate({
    ...{ folder: join(folder, "stranger"), clock: systemClock, log: silentLog },
    names: () => ({ domains: ["localhost"], addresses: ["127.0.0.1"] }),
  });
  const { certificate: cert, key } = await authority.look();
  const state = { answered: 0 };
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", tls: { cert, key } },
    fetch() {
      state.answered += 1;
      return Response.json({});
    },
  });
  return {
    url: `https://127.0.0.1:${server.port}`,
    stop: () => server.stop(true),
    get answered() {
      return state.answered;
    },
  };
}

/** What the printer's own books have. */
async function booked({ printer }: World) {
  const { receipts, zNumber } = await printer.books();
  return { receipts: receipts.map(({ kind, total }) => `${kind} ${total}`), zNumber };
}

const DAY = [
  /^cash in: \d+\.\d\d in the drawer$/,
  /^sale: receipt \d+, 14\.27$/,
  /^storno: receipt \d+, 1\.50$/,
  /^Z report: number \d+$/,
  /^day: 14\.27 sold, 1\.50 taken back, as the printer has it$/,
  /^journal: \d+ receipts and \d+ reports in journal\.xml$/,
];

/** The same with a printer that has no storno, as all in Romania. */
const DAY_WITHOUT_STORNO = DAY.with(
  2,
  /^storno: this printer has none \(E201\), the day goes on$/,
).with(4, /^day: 14\.27 sold, 0\.00 taken back, as the printer has it$/);

function expectDay({ out, err, code }: Ended, day = DAY): void {
  expect({ err, code }).toEqual({ err: "", code: 0 });
  const lines = out.trim().split(/\r?\n/);
  expect(lines.map((line, index) => day[index]?.test(line) || line)).toEqual(day.map(() => true));
}

const PHP: Example = {
  file: "till.php",
  programs: ["php"],
  // A warning or a deprecated call would stand in what it says.
  prepare: async () => ["php", "-d", "display_errors=stderr", join(EXAMPLES, "till.php")],
};

const EXAMPLE_LIST = [NODE, PYTHON, C_SHARP, PHP].filter(({ file, programs }) =>
  hasPrograms(`the example docs/examples/${file}`, programs),
);

describe.each(EXAMPLE_LIST)("docs/examples/$file", (example) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await setScene(example);
  });
  afterAll(async () => {
    scene?.line.close();
    await scene?.world.close();
  });

  test("prints its day once over a line that loses answers, and nothing when it is started again", async () => {
    const { world, line, run } = scene;
    const first = await run("1001");
    expectDay(first);
    expect(line.lost.size).toBe(4);
    const books = await booked(world);
    expect(books.receipts).toEqual(["sale 1427", "storno 150"]);
    expect(await run("1001")).toEqual(first);
    expect(await booked(world)).toEqual(books);
  });

  test("says what was not printed and why, and prints it once that is mended", async () => {
    const { world, run } = scene;
    const before = await booked(world);
    await world.printer.fault({ kind: "paper_out" });
    const stopped = await run("1002");
    expect(stopped.code).toBe(1);
    expect(stopped.err).toMatch(/^cash in: not printed, .*\(E306\)\. Mend it, .* 1002 2/);
    expect(await booked(world)).toEqual(before);
    await world.printer.clear();
    expectDay(await run("1002", "2"));
    const { receipts } = await booked(world);
    expect(receipts).toEqual([...before.receipts, "sale 1427", "storno 150"]);
  });

  test("says that a Romanian printer has no storno, and closes the day", async () => {
    const { world, runAt } = scene;
    const stateFile = join(world.folder, "romanian.state");
    const printer = await startPrinter({ model: "ro-x", stateFile });
    try {
      const target = { driver: "vendorA.isl", host: printer.host, port: printer.port };
      const deviceId = await registerDevice(world.till, target, "Romanian");
      expectDay(await runAt({ url: world.gateway.url, deviceId }, "1004"), DAY_WITHOUT_STORNO);
      const { receipts } = await printer.books();
      expect(receipts.map(({ kind, total }) => `${kind} ${total}`)).toEqual(["sale 1427"]);
    } finally {
      await printer.kill();
    }
  });

  test("says at once that it does not trust the gateway's certificate", async () => {
    const stranger = await startStranger(scene.world.folder);
    try {
      const { code, out, err } = await scene.runAt({ url: stranger.url }, "1005");
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toMatch(/not trusted|not one that this program trusts/);
      expect(stranger.answered).toBe(0);
    } finally {
      stranger.stop();
    }
  });

  test("leaves to a person what nobody knows, and prints nothing more", async () => {
    // Behind an answer of something in between, which is none.
    const unsure = startUnsure({ ok: true });
    try {
      const { code, out, err } = await scene.runAt({ url: unsure.url }, "1003", "2");
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toMatch(/^cash in: nobody knows\. .*\s+POST .*\/commands\/cmd_1\/resolve/);
      expect(unsure.keys).toEqual(Array.from({ length: 2 }, () => "till1-1003-cash-in-1"));
    } finally {
      unsure.stop();
    }
  });

  test("sends nothing under what is no key", async () => {
    const unsure = startUnsure();
    try {
      const { code, out, err } = await scene.runAt({ url: unsure.url }, "10 06");
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toMatch(/till1-10 06-cash-in-1.*: nothing was sent/);
      expect(unsure.keys).toEqual([]);
    } finally {
      unsure.stop();
    }
  });

  test("takes an answer without a body for none, and sends the same again", async () => {
    const unsure = startUnsure(400, 431);
    try {
      const { err } = await scene.runAt({ url: unsure.url }, "1007");
      expect(err).toMatch(/^cash in: nobody knows\./);
      expect(unsure.keys).toEqual(Array.from({ length: 3 }, () => "till1-1007-cash-in-1"));
    } finally {
      unsure.stop();
    }
  });
});
