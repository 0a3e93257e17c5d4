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

/** Prints a document without any trouble. @returns how many frames it takes */
export async function countFrames(world: World, order: Order): Promise<number> {
  const before = await world.printer.books();
  const { id } = await world.till.submit(world.deviceId, order.type, order.payload);
  const command = await world.till.wait(id);
  if (command.status !== "completed") {
    throw new Error(`the undisturbed document failed: ${JSON.stringify(command.result)}`);
  }
  return (await world.printer.books()).frames - before.frames;
}

/**
 * Runs one case and checks it against the printer's books.
 * @throws Error when what the gateway says is not the truth
 */
export async function runCase(
  world: World,
  kind: DocumentKind,
  order: Order,
  strikes: CrashCase,
): Promise<Verdict> {
  const before = await world.printer.books();
  const [first, second] = strikes;
  await world.printer.fault(faultOf(first, first.frame));
  // A second strike counts from the first; a kill clears all faults, so it is set again after one.
  const secondAt = second === undefined ? 0 : first.frame + second.frame;
  if (second && first.blow !== "kill") await world.printer.fault(faultOf(second, secondAt));
  const { id } = await world.till.submit(world.deviceId, order.type, order.payload);
  await kill(world, first, before.frames + first.frame);
  if (second) {
    if (first.blow === "kill") {
      const { frames } = await world.printer.books();
      await world.printer.fault(faultOf(second, second.frame));
      await world.restartGateway();
      await kill(world, second, frames + second.frame, id);
      if (second.blow === "kill") await world.restartGateway();
    } else {
      await kill(world, second, before.frames + secondAt, id);
      if (second.blow === "kill") await world.restartGateway();
    }
  } else if (first.blow === "kill") {
    await world.restartGateway();
  }
  const command = await world.till.wait(id);
  await world.printer.clear();
  const after = await world.printer.books(before.documentNumber);
  return checkTruth({ command, kind, receipts: after.receipts, open: after.openDocument }, strikes);
}

/**
 * Kills the gateway once the printer has the frame. Where the command ends before that frame comes,
 * the strike has no moment of its own and the gateway is killed then.
 */
async function kill(
  world: World,
  strike: Strike,
  frames: number,
  commandId?: string,
): Promise<void> {
  if (strike.blow !== "kill") return;
  await until(`frame ${frames}`, async () => {
    if ((await world.printer.books(Number.MAX_SAFE_INTEGER)).frames >= frames) return true;
    return commandId !== undefined && (await isOver(world, commandId));
  });
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
}

/** Compares what the gateway says with what is in the printer's fiscal memory. */
function checkTruth({ command, kind, receipts, open }: Facts, strikes: CrashCase): Verdict {
  const fail = (reason: string): never => {
    const facts = JSON.stringify({ command, receipts, open }, undefined, 1);
    throw new Error(`${kind}, ${describeCase(strikes)}: ${reason}\n${facts}`);
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
