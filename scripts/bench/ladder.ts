/**
 * Where the time of one submission goes: servers of which each does a little more than the one
 * before, from a bare one up to the gateway. All of them run at once and are asked in turns, and what
 * counts is the processor time of each one's main thread, in the middle one of its turns: so the steps
 * come out much alike on a busy machine too, though everything takes longer there.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startGateway } from "../../src/e2e/harness/gateway.ts";
import { ENGINE_OPTIONS } from "../../src/platform/engine.ts";
import {
  measure,
  perSecond,
  processorMsOf,
  show,
  type Throughput,
  threadMsOf,
  title,
} from "./measure.ts";
import { RawHttp } from "./raw-http.ts";
import { shopOf } from "./submissions.ts";

const CLIENTS = 32;
const WARM_UP = 2_000;
/** With the warm-up no more than may wait in a gateway. */
const ROUND = 150;
const ROUNDS = 40;

/** The servers of `ladder-server.ts`, and what each does that the one before did not. */
const STEPS = [
  ["answer", "Bun.serve answers, without reading the body"],
  ["json", "+ reads JSON and answers it"],
  ["commit", "+ commits one row, all of a turn together"],
  ["rows", "+ the gateway's rows: command, event, their indexes"],
  ["elysia", "+ Elysia's router"],
  ["edge", "+ request id, limits, headers, counts, errors"],
  ["key", "+ API key and its scope"],
  ["body", "+ body within its bounds, depth, UTF-8, schema"],
  ["checked", "+ the receipt's rules; the command and its record"],
  ["stored", "+ our routes, stores, event log, cached rows"],
  ["queue", "+ the queue: room, deadlines, what runs out"],
] as const;

interface Target {
  readonly url: string;
  readonly key: string;
  readonly devices: readonly string[];
  readonly pid: number;
  stop(): Promise<unknown>;
}

/** One server under load. */
class Rung {
  readonly what: string;
  readonly #target: Target;
  readonly #isKeyed: boolean;
  readonly #bodies: readonly string[];
  readonly #rounds: { mainUs: number; allUs: number; perSecond: number }[] = [];
  #posted = 0;

  constructor(target: Target, options: { what: string; isKeyed?: boolean; receipt: string }) {
    this.#target = target;
    this.what = options.what;
    this.#isKeyed = options.isKeyed ?? false;
    this.#bodies = target.devices.map((deviceId) =>
      JSON.stringify({ deviceId, ...JSON.parse(options.receipt) }),
    );
  }

  async warmUp(): Promise<void> {
    const clients = await this.#connect();
    await this.#post(clients, WARM_UP);
    for (const client of clients) client.close();
  }

  async round(): Promise<void> {
    const { pid } = this.#target;
    // Anew: connections that were quiet while the others had their turn are closed.
    const clients = await this.#connect();
    await this.#post(clients, CLIENTS);
    const [main, all] = [await threadMsOf(pid, pid), await processorMsOf(pid)];
    const run = await this.#post(clients, ROUND);
    const us = (before: number, after: number): number => ((after - before) * 1_000) / ROUND;
    this.#rounds.push({
      mainUs: us(main, await threadMsOf(pid, pid)),
      allUs: us(all, await processorMsOf(pid)),
      perSecond: run.perSecond,
    });
    for (const client of clients) client.close();
  }

  /** Of the rounds the one in the middle. */
  median(of: "mainUs" | "allUs" | "perSecond"): number {
    const values = this.#rounds.map((round) => round[of]).toSorted((a, b) => a - b);
    return values[values.length >> 1] ?? Number.NaN;
  }

  stop(): Promise<unknown> {
    return this.#target.stop();
  }

  #connect(): Promise<readonly RawHttp[]> {
    const { url, key } = this.#target;
    return Promise.all(Array.from({ length: CLIENTS }, () => RawHttp.open(url, key)));
  }

  #post(clients: readonly RawHttp[], count: number): Promise<Throughput> {
    return measure({ workers: CLIENTS, count }, async (_, worker) => {
      const number = this.#posted++;
      const answer = await clients[worker]?.request("POST", "/api/v1/commands", {
        body: this.#bodies[number % this.#bodies.length] ?? "",
        ...(this.#isKeyed ? { idempotencyKey: `bench-${number}` } : {}),
      });
      if (answer?.status !== 202) throw new Error(`${answer?.status} ${answer?.body}`);
    });
  }
}

/** Measures and shows the ladder. */
export async function ladder(folder: string, receipt: string): Promise<void> {
  title(`One submission, ${CLIENTS} clients: processor time of the main thread, step by step`);
  const rungs: Rung[] = [];
  try {
    for (const [name, what] of STEPS) {
      rungs.push(new Rung(await startRung(folder, name), { what, receipt }));
    }
    for (const isKeyed of [false, true]) {
      const what = isKeyed
        ? "the same, each with an Idempotency-Key"
        : "the executable: webhooks, alerts, files watched, ...";
      const target = await startWhole(join(folder, `ladder-whole-${isKeyed}`));
      rungs.push(new Rung(target, { what: `+ ${what}`, isKeyed, receipt }));
    }
    for (const rung of rungs) await rung.warmUp();
    for (let round = 0; round < ROUNDS; round++) for (const rung of rungs) await rung.round();
    showRungs(rungs);
  } finally {
    await Promise.all(rungs.map((rung) => rung.stop()));
  }
}

function showRungs(rungs: readonly Rung[]): void {
  const us = (value: number): string => `${value.toFixed(1)} µs`;
  const floor = rungs[2]?.median("mainUs") ?? Number.NaN;
  let before = 0;
  for (const rung of rungs) {
    const mainUs = rung.median("mainUs");
    const step = `${mainUs < before ? "-" : "+"}${us(Math.abs(mainUs - before))}`;
    const ofFloor = `${((100 * floor) / mainUs).toFixed(0)} % of grouped commits`;
    const seen = `all threads ${us(rung.median("allUs"))}, ${perSecond(rung.median("perSecond"))}`;
    show(rung.what, `${step.padStart(10)} ${us(mainUs).padStart(10)}`, `${ofFloor}, ${seen}`);
    before = mainUs;
  }
}

/** A server of the ladder, with the engine as the executable has it. */
async function startRung(folder: string, name: string): Promise<Target> {
  const own = join(folder, `ladder-${name}`);
  mkdirSync(own);
  const command = [process.execPath, join(import.meta.dir, "ladder-server.ts"), name, own];
  const child = Bun.spawn(command, {
    ...{ stdout: "pipe", stderr: "inherit" },
    env: { ...process.env, ...ENGINE_OPTIONS },
  });
  const { value } = await child.stdout.getReader().read();
  const { url, key, devices } = JSON.parse(new TextDecoder().decode(value));
  const stop = (): Promise<unknown> => {
    child.kill();
    return child.exited;
  };
  return { url, key, devices, pid: child.pid, stop };
}

/** The gateway itself. */
async function startWhole(state: string): Promise<Target> {
  const gateway = await startGateway(state, {
    args: ["--log-level=warn", "--commands-push-wait-seconds=86400"],
  });
  const { key, devices } = await shopOf(gateway.url);
  const { url, pid } = gateway;
  return { url, key, devices, pid, stop: () => gateway.kill() };
}
