/** What the tests of outages do in a shop of one gateway and one printer. */

import { afterAll } from "bun:test";
import { RawHost } from "#drivers/isl/simulator/testing/raw-host.ts";
import { FORMS } from "#drivers/isl/simulator/testing/rig.ts";
import { SALE, TOTAL_MINOR } from "../crash/documents.ts";
import { isOver, quieten } from "../crash/run.ts";
import type { Aim } from "../harness/aims.ts";
import type { ShownCommand } from "../harness/gateway.ts";
import { Premises } from "../harness/premises.ts";
import { until } from "../harness/until.ts";
import { World, type WorldOptions } from "../harness/world.ts";

/** Models of both frame generations, on which what concerns the line or the document is tried. */
export const MODELS = ["x", "p"] as const;
export type OutageModel = (typeof MODELS)[number];
/** A printer of each. */
export const GENERATIONS = MODELS.map((model) => ({ model }));

/** Runs a test in a shop of its own, quiet and connected. */
export async function inWorld(
  options: Parameters<typeof World.open>[0],
  use: (world: World) => Promise<void>,
): Promise<void> {
  const world = await World.open(options);
  try {
    await quieten(world);
    await use(world);
  } finally {
    await world.close();
  }
}

/**
 * A shop for all tests of a file that leave its gateway alone: each has a printer of its own there.
 * To be called where the hooks of the file stand.
 * @returns runs a test in it, as `inWorld` does in a shop of its own
 */
export function sharedShop(): (
  options: WorldOptions,
  use: (world: World) => Promise<void>,
) => Promise<void> {
  let shop: Promise<Premises> | undefined;
  afterAll(async () => (await shop)?.close());
  return async (options, use) => {
    shop ??= Premises.open();
    const { world } = await openQuiet(await shop, options);
    try {
      await use(world);
    } finally {
      await world.leave();
    }
  };
}

/**
 * Goes through a test with each of several printers side by side, in one shop: the gateway is taken
 * away when each has come to that, and comes back for all. A test that has failed at one goes on at
 * the others.
 * @param args further arguments of `fiscald serve`
 */
export async function inWorlds<Options extends WorldOptions>(
  all: readonly Options[],
  use: (world: World, options: Options) => Promise<void>,
  args: readonly string[] = [],
): Promise<void> {
  const premises = await Premises.open(args);
  try {
    // Each is there before the first one takes the gateway away.
    const worlds = await Promise.all(all.map((options) => openQuiet(premises, options)));
    const ends = await Promise.allSettled(
      worlds.map(({ world, options }) => use(world, options).finally(() => world.leave())),
    );
    const failures = ends.flatMap((end, index) =>
      end.status === "rejected" ? [failureAt(all[index], end.reason)] : [],
    );
    if (failures.length > 0) throw new AggregateError(failures, "on one printer or several");
  } finally {
    await premises.close();
  }
}

async function openQuiet<Options extends WorldOptions>(premises: Premises, options: Options) {
  const world = await World.openAt(premises, options);
  await quieten(world);
  return { world, options };
}

function failureAt(options: WorldOptions | undefined, cause: unknown): Error {
  return new Error(`on ${JSON.stringify(options)}`, { cause });
}

export function submitSale(world: World): Promise<ShownCommand> {
  return world.till.submit(world.deviceId, SALE.type, SALE.payload);
}

/** Submits a sale and waits for its end. */
export async function sell(world: World): Promise<ShownCommand> {
  const { id } = await submitSale(world);
  return world.till.wait(id);
}

/** Submits a command and waits for its end. */
export async function run(world: World, type: string, payload?: unknown): Promise<ShownCommand> {
  const { id } = await world.till.submit(world.deviceId, type, payload);
  return world.till.wait(id);
}

export async function statusOf(world: World, commandId: string): Promise<string> {
  const { command } = await world.till.expect<{ command: ShownCommand }>(
    "GET",
    `/commands/${commandId}`,
  );
  return command.status;
}

/** Types of the alerts that stand for the printer. */
export async function alertsOf(world: World): Promise<string[]> {
  const { alerts } = await world.till.expect<{ alerts: { type: string }[] }>(
    "GET",
    `/devices/${world.deviceId}/alerts`,
  );
  return alerts.map(({ type }) => type);
}

export async function untilAlert(world: World, type: string): Promise<void> {
  await until(`alert ${type}`, async () => (await alertsOf(world)).includes(type));
}

/**
 * Switches the printer off, and waits until the gateway has seen it: a document that comes before may be
 * under way to the printer, and is told not printed when the gateway is killed; later ones wait.
 */
export async function switchOff(world: World): Promise<void> {
  await world.printer.kill();
  const path = `/devices/${world.deviceId}/status`;
  await until("the printer to be seen off", async () => {
    const { effectiveStatus } = await world.till.expect<{ effectiveStatus: string }>("GET", path);
    return effectiveStatus !== "online";
  });
}

export async function untilNoAlert(world: World, type: string): Promise<void> {
  await until(`no alert ${type}`, async () => !(await alertsOf(world)).includes(type));
}

export function isFinal(status: string): boolean {
  return status === "completed" || status === "failed" || status === "timeout";
}

/** What a command came to, as one comparable thing. */
export function endOf({ status, result }: ShownCommand) {
  return { status, errorCode: result?.errorCode, outcome: result?.data?.outcome };
}

/** The end of a command that failed and left nothing in the fiscal memory. */
export function notPrinted(errorCode: string) {
  return { status: "failed", errorCode, outcome: "not_printed" };
}

export const COMPLETED = { status: "completed", errorCode: undefined, outcome: undefined };

/** A device command of a receipt: its number and its data. */
type RawCommand = readonly [command: number, text: string];

/** Total of the coffee that the other host sells, in minor units. */
export const COFFEE_MINOR = 1_250;
const READ_STATUS: RawCommand = [74, ""];
const CLOSE: RawCommand = [56, ""];

/**
 * A frame of a sale at which a printer is struck: its number, or what it does. A number that was counted
 * at another sale is wrong by what the gateway asked to find out of an answer that came late, as on a
 * busy machine.
 */
export type StruckFrame = number | keyof typeof STRUCK_BY;

const STRUCK_BY = {
  opening: { at: 1, command: 48 },
  /** The last of its two payments: it is paid then, and open. */
  paid: { at: 2, command: 53 },
  closing: { at: 1, command: CLOSE[0] },
} as const satisfies Readonly<Record<string, Aim>>;

/** The fields of a fault that strikes a frame of an ISL printer's next sale. */
export function atFrame(frame: StruckFrame): { readonly at: number; readonly command?: number } {
  return typeof frame === "number" ? { at: frame } : STRUCK_BY[frame];
}

/** How far the other host gets with its receipt. */
export type Extent = "open" | "sold" | "paid" | "closed";

/** Somebody else at the same printer: begins a receipt on a line of his own, and leaves. */
export async function sellByOtherHost(
  world: World,
  model: OutageModel,
  extent: Extent,
): Promise<void> {
  const { open, sale, payment } = FORMS[model];
  const steps: Record<Extent, readonly RawCommand[]> = {
    open: [open],
    sold: [open, sale],
    paid: [open, sale, payment],
    closed: [open, sale, payment, CLOSE],
  };
  const { port, host: address } = world.printer;
  const host = await RawHost.connect(port, model === "x" ? "long" : "short", address);
  try {
    // A first frame that happens to have the number of the device's last one is not carried out.
    await host.ask(...READ_STATUS);
    for (const step of steps[extent]) await carryOut(host, step);
  } finally {
    host.close();
  }
}

/**
 * Where the gateway has asked something in between, the device may take our number for that frame's, sent
 * again: then it answers with that command.
 */
async function carryOut(host: RawHost, [command, text]: RawCommand): Promise<void> {
  while ((await host.ask(command, text)).command !== command);
}

/** A document of which nobody can tell any more. */
export const UNKNOWN = { status: "failed", errorCode: "E102", outcome: "unknown" };

/** A person says what became of a command. */
export function resolve(world: World, id: string, body: Readonly<Record<string, string>>) {
  return world.till.expect("POST", `/commands/${id}/resolve`, body);
}

/**
 * Submits a sale and waits until the printer has carried out a frame of it; then it is silent. A
 * machine that is very busy may have had a frame repeated when they were counted: the sale may be
 * over before that frame comes.
 */
export async function sellUpTo(world: World, frame: StruckFrame): Promise<string> {
  const before = await world.printer.books();
  await world.printer.fault({ kind: "silent_after", ...atFrame(frame), count: 100_000 });
  const { id } = await submitSale(world);
  const isReached = async () => {
    const { frames, receiptCount, openDocument } = await world.printer.books();
    if (frame === "closing") return receiptCount > before.receiptCount;
    if (typeof frame === "number") return frames >= before.frames + frame;
    const { total, paid } = openDocument ?? { total: 0, paid: 0 };
    return frame === "paid" ? paid > 0 && paid >= total : openDocument !== null;
  };
  await until(`frame ${frame}`, async () => (await isReached()) || (await isOver(world, id)));
  return id;
}

/**
 * Kills the gateway at a frame of a sale and lets the other host print a receipt before it is back.
 * @returns our command as it ended, and what was printed since
 */
export async function sellWithAnotherHost(world: World, model: OutageModel, frame: StruckFrame) {
  await quieten(world);
  const { documentNumber } = await world.printer.books();
  const id = await sellUpTo(world, frame);
  await world.killGateway();
  await world.printer.clear();
  await sellByOtherHost(world, model, "closed");
  await world.restartGateway();
  const command = await world.till.wait(id);
  return { command, printed: (await world.printer.books(documentNumber)).receipts };
}

/** Kills the gateway at the closing of a sale and lets the other host print: nobody can tell. */
export async function makeUnknown(world: World, model: OutageModel): Promise<ShownCommand> {
  const first = await sell(world);
  if (first.status !== "completed") throw new Error(`no sale: ${JSON.stringify(first)}`);
  const { command, printed } = await sellWithAnotherHost(world, model, "closing");
  const totals = printed.map(({ total }) => total);
  if (!Bun.deepEquals(totals, [TOTAL_MINOR, COFFEE_MINOR])) {
    throw new Error(`the printer printed ${totals.join(", ")}`);
  }
  if (!Bun.deepEquals(endOf(command), UNKNOWN)) {
    throw new Error(`the sale is not unknown: ${JSON.stringify(command)}`);
  }
  return command;
}
