/**
 * Z reports and cash movements change a sum of the printer once: with the line, the printer's power
 * or the gateway taken away at each of their frames, on either side of the printer. Of one that was
 * made and whose answer was lost nobody can tell, because somebody else may have made the same.
 */

import { afterAll, expect, test } from "bun:test";
import { faultOf, type Strike, strikes } from "./crash/cases.ts";
import { quieten } from "./crash/run.ts";
import type { Books } from "./harness/simulator.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { endOf, inWorlds, MODELS, notPrinted, run } from "./outages/scene.ts";

const BLOWS = ["cut", "power", "kill"] as const;
/** Enough in the drawer for every withdrawal. */
const FLOAT = 5_000;
const AMOUNT = 12.5;

/** A command, and what of the books it raises or lowers by how much. */
const ENTRIES = [
  { type: "z_report", payload: {}, of: (books: Books) => books.zNumber, step: 1 },
  { type: "cash_in", payload: { amount: AMOUNT }, of: (books: Books) => books.cash, step: 1_250 },
  { type: "cash_out", payload: { amount: AMOUNT }, of: (books: Books) => books.cash, step: -1_250 },
] as const;
type Entry = (typeof ENTRIES)[number];

const tally = { cases: 0, done: 0, unknown: 0 };
afterAll(() => {
  const { cases, done, unknown } = tally;
  process.stdout.write(
    `ledger cases: ${cases} (${done} done, ${unknown} unknown, ${cases - done - unknown} not done)\n`,
  );
});

/** Makes an entry without any trouble. @returns how many frames it takes */
async function countFrames(world: World, { type, payload }: Entry): Promise<number> {
  await quieten(world);
  const before = await world.printer.frames();
  expect((await run(world, type, payload)).status).toBe("completed");
  return (await world.printer.frames()) - before;
}

/** Strikes once while an entry is made, and compares what is told with the books. */
async function strikeEntry(world: World, entry: Entry, strike: Strike): Promise<void> {
  const { type, payload, of, step } = entry;
  await quieten(world);
  const before = await world.printer.books();
  await world.printer.fault(faultOf(strike, strike.frame));
  const { id } = await world.till.submit(world.deviceId, type, payload);
  if (strike.blow === "kill") {
    const frame = before.frames + strike.frame;
    await until(`frame ${frame}`, async () => (await world.printer.frames()) >= frame);
    await world.killGateway();
    await world.printer.clear();
    await world.restartGateway();
  }
  const command = await world.till.wait(id);
  const change = of(await world.printer.books()) - of(before);
  const isDone = command.status === "completed";
  const isUnknown = command.result?.data?.outcome === "unknown";
  expect({ strike, change }).toEqual({ strike, change: isDone || isUnknown ? step : 0 });
  if (!isDone) {
    const outcome = isUnknown ? "unknown" : "not_printed";
    const end = { ...notPrinted("E102"), outcome };
    expect({ strike, ...endOf(command) }).toEqual({ strike, ...end });
  }
  tally.cases += 1;
  if (isDone) tally.done += 1;
  if (isUnknown) {
    tally.unknown += 1;
    // Nothing else of the ledger goes on before somebody has looked.
    const seen = { outcome: change === 0 ? "not_printed" : "printed" };
    await world.till.expect("POST", `/commands/${id}/resolve`, seen);
  }
  if (type !== "z_report") return;
  // A report is stored of each that was made, and of no other.
  const isStored = (await lastReported(world)) === id;
  expect({ strike, isStored }).toEqual({ strike, isStored: change !== 0 });
}

/** Id of the command that left the last stored Z report of the printer. */
async function lastReported({ till, deviceId }: World): Promise<string | undefined> {
  const path = `/reports?deviceId=${deviceId}&type=z_report&limit=1`;
  const { reports } = await till.expect<{ reports: { commandId: string }[] }>("GET", path);
  return reports[0]?.commandId;
}

/** Each entry at a printer of its own of each model. */
const AT_PRINTERS = MODELS.flatMap((model) => ENTRIES.map((entry) => ({ model, entry })));

test("an entry is made once and told truthfully after any blow", () =>
  inWorlds(AT_PRINTERS, async (world, { entry }) => {
    expect((await run(world, "cash_in", { amount: FLOAT })).status).toBe("completed");
    const frames = await countFrames(world, entry);
    for (const strike of strikes(frames, BLOWS)) await strikeEntry(world, entry, strike);
  }));
