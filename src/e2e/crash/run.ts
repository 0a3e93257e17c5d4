/** Strikes while a document is printed, and what is true afterwards. */

import type { ShownCommand } from "../harness/gateway.ts";
import type { BookedReceipt } from "../harness/simulator.ts";
import { until } from "../harness/until.ts";
import type { World } from "../harness/world.ts";
import { type CrashCase, describeCase, faultOf, type Strike } from "./cases.ts";
import { type DocumentKind, type Order, TOTAL_MINOR } from "./documents.ts";

/** What a case came to. */
export interface Verdict {
  readonly outcome: "printed" | "not_printed";
  readonly recovered: boolean;
}

/**
 * Brings the world to the same quiet state before each case: connected, and nothing due to be read.
 * A status command is answered with what the printer said last, after whatever came before it.
 */
export async function quieten(world: World): Promise<void> {
  const { id } = await world.till.submit(world.deviceId, "get_status");
  const command = await world.till.wait(id);
  if (command.status !== "completed") throw new Error(`no quiet: ${JSON.stringify(command)}`);
}

/** Prints a document without any trouble. @returns how many frames it takes */
export async function countFrames(world: World, order: Order): Promise<number> {
  await quieten(world);
  const before = await world.printer.frames();
  const { id } = await world.till.submit(world.deviceId, order.type, order.payload);
  const command = await world.till.wait(id);
  if (command.status !== "completed") {
    throw new Error(`the undisturbed document failed: ${JSON.stringify(command.result)}`);
  }
  return (await world.printer.frames()) - before;
}

/**
 * Runs one case and checks it against the printer's books.
 * @throws Error when what the gateway says is not the truth
 */
export async function runCase(
  world: World,
  { kind, order }: { readonly kind: DocumentKind; readonly order: Order },
  strikes: CrashCase,
): Promise<Verdict> {
  await quieten(world);
  const before = await world.printer.books();
  const [first, second] = strikes;
  await world.printer.fault(faultOf(first, first.frame));
  // A second strike counts from the first. Killing clears all faults, so it is set again after it.
  const secondAt = first.frame + (second?.frame ?? 0);
  if (second && first.blow !== "kill") await world.printer.fault(faultOf(second, secondAt));
  const { id } = await world.till.submit(world.deviceId, order.type, order.payload);
  await strikeNow(world, first, { frames: before.frames + first.frame });
  if (second && first.blow === "kill") {
    const frames = await world.printer.frames();
    await world.printer.fault(faultOf(second, second.frame));
    await world.restartGateway();
    await strikeNow(world, second, { frames: frames + second.frame, commandId: id });
    if (second.blow === "kill") await world.restartGateway();
  } else {
    if (second) {
      await strikeNow(world, second, { frames: before.frames + secondAt, commandId: id });
    }
    if (first.blow === "kill" || second?.blow === "kill") await world.restartGateway();
  }
  return concludeCase(world, { kind, commandId: id, since: before, name: describeCase(strikes) });
}

/** Waits for the end of the command and compares it with the printer's books. */
export async function concludeCase(
  world: World,
  facts: {
    readonly kind: DocumentKind;
    readonly commandId: string;
    readonly since: { readonly documentNumber: number };
    readonly name: string;
  },
): Promise<Verdict> {
  const command = await world.till.wait(facts.commandId);
  await world.printer.clear();
  const { receipts, openDocument } = await world.printer.books(facts.since.documentNumber);
  const { kind, name } = facts;
  return checkTruth({ command, kind, receipts, open: openDocument, name });
}

/**
 * Kills a process once the printer has the frame. Where the command ends before that frame comes,
 * the strike has no moment of its own and falls then.
 */
async function strikeNow(
  world: World,
  { blow }: Strike,
  moment: { readonly frames: number; readonly commandId?: string },
): Promise<void> {
  if (blow !== "kill" && blow !== "unplug") return;
  await until(`frame ${moment.frames}`, async () => {
    if ((await world.printer.frames()) >= moment.frames) return true;
    return moment.commandId !== undefined && (await isOver(world, moment.commandId));
  });
  if (blow === "unplug") {
    await world.restartPrinter();
    return;
  }
  await world.killGateway();
  await world.printer.clear();
}

async function isOver(world: World, commandId: string): Promise<boolean> {
  const { command } = await world.till.expect<{ command: ShownCommand }>(
    "GET",
    `/commands/${commandId}`,
  );
  return ["completed", "failed", "timeout"].includes(command.status);
}

interface Facts {
  readonly command: ShownCommand;
  readonly kind: DocumentKind;
  readonly receipts: readonly BookedReceipt[];
  readonly open: unknown;
  /** Of the case. */
  readonly name: string;
}

/** Compares what the gateway says with what is in the printer's fiscal memory. */
function checkTruth({ command, kind, receipts, open, name }: Facts): Verdict {
  const fail = (reason: string): never => {
    const facts = JSON.stringify({ command, receipts, open }, undefined, 1);
    throw new Error(`${kind}, ${name}: ${reason}\n${facts}`);
  };
  if (open !== null) fail("a document was left open");
  const [receipt, ...more] = receipts;
  if (more.length > 0) fail("printed more than once");
  const { result } = command;
  const outcome = result?.data?.outcome;
  switch (command.status) {
    case "completed":
      if (receipt === undefined) fail("reported as printed, but it was not");
      if (receipt?.kind !== kind || receipt.total !== TOTAL_MINOR) fail("printed something else");
      if (result?.fiscalId !== String(receipt?.number)) fail("reported another fiscal id");
      return { outcome: "printed", recovered: result?.data?.recovered === true };
    case "failed":
      if (outcome !== "not_printed") fail(`failed with outcome ${String(outcome)}`);
      if (receipt !== undefined) fail("reported as not printed, but it was");
      return { outcome: "not_printed", recovered: false };
    default:
      return fail(`ended as ${command.status}`);
  }
}
