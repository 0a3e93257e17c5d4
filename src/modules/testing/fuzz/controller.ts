/** Plays the controller of every device, so that requests which wait for one are answered. */

import fc, { type Arbitrary } from "fast-check";
import { CATALOGUE, type CommandType } from "#core/command/catalogue.ts";
import { type CommandResult, OUTCOMES } from "#core/command/command.ts";
import { toDeviceText } from "#core/device-text.ts";
import type { ApiAnswer } from "../../../http/testing/api-client.ts";
import { type Narrow, valuesOf } from "../../../http/testing/schema-values.ts";
import { type ApiBench, CONTROLLER } from "../api-bench.ts";

/** Together more than the longest wait of a request. */
const STEP_MS = 10_000;
const STEPS_MAX = 60;
/** What needs no time, once a request waits, has happened after so many turns. */
const TURNS = 3;

/** One of each kind, as the routes tell them apart. */
const FAULTS = ["E102", "E201", "E305", "E306", "E400", "E500", "E900", "E903"] as const;

/** What a device does with a command of each type. */
export interface Behaviour {
  readonly result: Readonly<Record<string, CommandResult>>;
  /** It says so when nobody waits any more. */
  readonly isLate: boolean;
}

/** Any behaviour of a device whose results are what their types say. */
export function behaviours(types: readonly CommandType[]): Arbitrary<Behaviour> {
  const result = Object.fromEntries(types.map((type) => [type, results(type)]));
  return fc.record({
    result: fc.record(result),
    isLate: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
  });
}

/**
 * Results as they are after what is no text was taken out of them. A drawer whose content is not told
 * is 500 on the route that reads it, by the contract.
 */
function results(type: CommandType): Arbitrary<CommandResult> {
  const narrow: Narrow = (made, { place }) =>
    made.filter((value) =>
      typeof value === "string"
        ? toDeviceText(value) === value
        : place !== "data.cashBalance" || value !== null,
    );
  const data = valuesOf(CATALOGUE[type].result, { document: {}, narrow }, "data");
  const done = fc
    .tuple(data, fc.option(fc.string({ minLength: 1, maxLength: 64 }), { nil: undefined }))
    .map(
      ([data, fiscalId]): CommandResult => ({
        success: true,
        data: Object(data),
        ...(fiscalId === undefined ? {} : { fiscalId }),
      }),
    );
  const failed = fc
    .tuple(
      fc.constantFrom(...FAULTS),
      fc.string(),
      fc.option(fc.constantFrom(...OUTCOMES), { nil: undefined }),
    )
    .map(
      ([errorCode, errorMessage, outcome]): CommandResult => ({
        ...{ success: false, errorCode, errorMessage },
        ...(outcome === undefined ? {} : { data: { outcome } }),
      }),
    );
  return fc.oneof({ weight: 3, arbitrary: done }, { weight: 1, arbitrary: failed });
}

/** A command that the controller was sent. */
interface Order {
  readonly deviceId: string;
  readonly commandId: string;
}

/** Reports the end of a command. */
export async function reportEnd(
  { bench: { queue, writer }, orgId }: { readonly bench: ApiBench; readonly orgId: string },
  { result, ...order }: Order & { readonly result: CommandResult },
): Promise<void> {
  const by = { orgId, controllerId: CONTROLLER, reportsMarks: true };
  await atRest(writer);
  // What is printed was paid before, whatever else its controller says of it.
  if (result.success || result.data?.outcome === "printed") {
    await queue.report(by, { type: "command.mark", ...order, mark: "committing", baseline: {} });
  }
  await queue.report(by, { type: "command.result", ...order, result });
  await atRest(writer);
}

/** Everything that was begun is on disk, what nobody waits for included. */
export async function atRest(writer: ApiBench["writer"]): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await writer.run(() => undefined);
}

/**
 * Asks, and lets time pass until the request is answered, and devices do what they do meanwhile.
 * @throws Error when it is not answered in any time
 */
export async function played(
  shop: { readonly bench: ApiBench; readonly orgId: string },
  ask: () => Promise<ApiAnswer>,
  { result, isLate }: Behaviour,
): Promise<ApiAnswer> {
  const { bench } = shop;
  const { levers, clock } = bench;
  const timers = clock.pendingTimers;
  const asking = ask();
  let isWaiting = false;
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  asking.then(over, over);
  const orders: (Order & { result: CommandResult })[] = [];
  const take = (): void => {
    for (const message of levers.sent.splice(0)) {
      if (message.type !== "command.dispatch") continue;
      const { id: commandId, type } = message.command;
      const end = result[type];
      if (end !== undefined) orders.push({ commandId, deviceId: message.device.id, result: end });
    }
  };
  const report = async (): Promise<void> => {
    for (const order of orders.splice(0)) await reportEnd(shop, order);
  };
  for (let turn = 0; !isOver; ) {
    if (turn > TURNS + STEPS_MAX) throw new Error("the request was not answered");
    await atRest(bench.writer);
    take();
    if (!isLate) await report();
    // Before it waits for the device it may wait for the machine, as when its token is verified.
    isWaiting ||= clock.pendingTimers > timers;
    if (isOver || !isWaiting) continue;
    turn += 1;
    if (turn > TURNS) await clock.advanceAsync(STEP_MS);
  }
  take();
  await report();
  return asking;
}
