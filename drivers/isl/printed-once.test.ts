/**
 * Documents that break off, on simulated devices over TCP: whatever happens at whichever frame,
 * what the driver says in the end is what stands in the device's books.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandType } from "#core/command/catalogue.ts";
import type { DriverEnvironment, DriverSession } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError, isLineFault } from "#core/errors.ts";
import { findDriver } from "../registry.ts";
import { type Simulator, startSimulator } from "../simulator/host.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { openTcp } from "../transport/tcp.ts";

const USN = "DT577430-0001-0000001";
const SALE = {
  uniqueSaleNumber: USN,
  items: [
    { name: "Coffee", quantity: 2.5, price: 3.3, vatGroup: "VAT2" },
    { name: "Water", quantity: 1, price: 1, vatGroup: "VAT1" },
    { name: "Bread", quantity: 2, price: 0.35, vatGroup: "VAT2" },
  ],
  subtotalModifiers: [{ type: "discount-amount", value: 0.45 }],
  payments: [
    { method: "card", amount: 4 },
    { method: "cash", amount: 5.5 },
  ],
};
const TOTAL_MINOR = 950;

/** Device time runs this much faster, so that waiting for silence takes milliseconds. */
const HASTE = 20;

const environment: DriverEnvironment = {
  now: Date.now,
  setTimer(ms, callback) {
    const timer = setTimeout(callback, ms / HASTE);
    return () => clearTimeout(timer);
  },
  random: (bound) => Math.floor(Math.random() * bound),
  timezone: "Europe/Sofia",
  log() {},
};

interface Books {
  readonly receipts: readonly {
    readonly number: number;
    readonly total: number;
    readonly items: readonly unknown[];
  }[];
  readonly open: unknown;
  readonly zNumber: number;
  readonly cash: number;
}

const folder = mkdtempSync(join(tmpdir(), "isl-printed-once-"));
const simulators = new Map<string, Simulator>();

beforeAll(async () => {
  for (const model of ["x", "p"]) {
    const simulator = await startSimulator({
      driver: "vendorA.isl",
      model,
      listen: { host: "127.0.0.1", port: 0 },
      control: { host: "127.0.0.1", port: 0 },
      stateFile: join(folder, model),
    });
    simulators.set(model, simulator);
  }
});

afterAll(async () => {
  for (const simulator of simulators.values()) await simulator.stop();
  rmSync(folder, { recursive: true });
});

function simulatorOf(model: string): Simulator {
  const simulator = simulators.get(model);
  if (!simulator) throw new RangeError(model);
  return simulator;
}

function booksOf(model: string): Books {
  return simulatorOf(model).books() as unknown as Books;
}

async function control(model: string, path: string, body: unknown = {}): Promise<void> {
  const { controlPort } = simulatorOf(model);
  const answer = await fetch(`http://127.0.0.1:${controlPort}${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

async function connect(model: string): Promise<DriverSession> {
  const { port } = simulatorOf(model);
  const line = await openTcp({ host: "127.0.0.1", port }, { setTimer: environment.setTimer });
  const driver = findDriver("vendorA.isl");
  if (!driver) throw new RangeError("no driver");
  return driver.connect(line, environment);
}

type Outcome = "printed" | "not_printed" | "unknown";

interface Told {
  readonly outcome: Outcome;
  readonly fiscalId: string | undefined;
  readonly recovered: boolean;
  readonly error: FiscalError | undefined;
}

/** Runs a command as the controller does: in doubt, it connects again and resolves. */
async function run(
  model: string,
  options: {
    readonly type: CommandType;
    readonly payload: unknown;
    readonly pauseLimitMs?: number;
    readonly begun?: () => Promise<void>;
  },
): Promise<Told> {
  let session = await connect(model);
  const progress = new RecordedProgress(options.pauseLimitMs);
  const { type, payload } = options;
  const command = { id: "cmd_1", type, payload, original: undefined };
  try {
    await options.begun?.();
    const success = await session.execute(command, progress);
    return { outcome: "printed", fiscalId: success.fiscalId, recovered: false, error: undefined };
  } catch (error) {
    if (error instanceof FiscalError) {
      return { outcome: "not_printed", fiscalId: undefined, recovered: false, error };
    }
    if (!(error instanceof DocumentInDoubt)) throw error;
    for (let attempt = 0; attempt < 5; attempt += 1) {
      session.close();
      try {
        session = await connect(model);
        const resolution = await session.resolve(command, progress.evidence());
        const fiscalId = resolution.outcome === "printed" ? resolution.success.fiscalId : undefined;
        return { outcome: resolution.outcome, fiscalId, recovered: true, error: error.cause };
      } catch (fault) {
        if (!isLineFault(fault)) throw fault;
      }
    }
    throw error;
  } finally {
    session.close();
  }
}

/** Frames that a document of SALE takes at most, from its first read to its number. */
const FRAMES = { x: 10, p: 12 } as const;
const FAULTS = [
  { kind: "drop_before" },
  { kind: "drop_after" },
  { kind: "garble" },
  { kind: "silent", count: 1 },
  { kind: "silent", count: 4 },
  { kind: "silent_after", count: 1 },
  { kind: "silent_after", count: 4 },
  { kind: "power_loss", when: "before" },
  { kind: "power_loss", when: "after" },
] as const;

for (const model of ["x", "p"] as const) {
  describe(`a receipt on a device of protocol ${model}`, () => {
    for (const fault of FAULTS) {
      test(`is told as it is after ${JSON.stringify(fault)} at any frame`, async () => {
        for (let at = 1; at <= FRAMES[model] + 1; at += 1) {
          const before = booksOf(model);
          const told = await run(model, {
            type: "print_receipt",
            payload: SALE,
            begun: () => control(model, "/fault", { ...fault, at }),
          });
          await control(model, "/clear");
          const after = booksOf(model);
          const printed = after.receipts.slice(before.receipts.length);
          const label = { at, ...fault, error: told.error?.message };
          expect({ ...label, outcome: told.outcome, open: after.open ?? null }).toEqual({
            ...label,
            outcome: printed.length === 0 ? "not_printed" : "printed",
            open: null,
          });
          expect(printed.length).toBeLessThanOrEqual(1);
          const [receipt] = printed;
          if (!receipt) continue;
          expect(receipt.total).toBe(TOTAL_MINOR);
          expect(receipt.items).toHaveLength(3);
          expect(told.fiscalId).toBe(String(receipt.number));
        }
      }, 60_000);
    }
  });
}
