/**
 * A sale, Z report or cash movement that a person settled while its printer was out of reach, and
 * the printer that comes back and tells what became of it: the cable is pulled at each frame, on
 * either side of the printer, and what the gateway then says is held against the printer's books.
 * On each generation of each driver, with the whole gateway, on one simulated clock.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SETTLE_SILENCE_MS } from "#core/limits.ts";
import { EVERY_MODEL } from "#drivers/testing/every-model.ts";
import { SimulatedTime } from "#drivers/testing/simulated-time.ts";
import { errorText } from "../platform/thrown.ts";
import { SALE } from "./crash/documents.ts";
import { GATE_MODELS } from "./crash/models.ts";
import { isToBeAsked } from "./crash/own-questions.ts";
import { isFinal, type ShownCommand } from "./harness/gateway.ts";
import { Shop } from "./trade-day/shop.ts";
import { type DeviceBooks, fiscalIdOf, type ShopDevice } from "./trade-day/shop-device.ts";

const SECOND_MS = 1_000;
/** Longer than a device must have been silent for a person to be heard. */
const CABLE_OUT_MS = 90 * SECOND_MS;
/** How long the frames of an errand mostly take. */
const STRUCK_WITHIN_MS = 3 * SECOND_MS;
/** Enough for the longest wait of all, a printer that takes up to its limit for each frame. */
const WITHIN_MS = 900 * SECOND_MS;
/** Between two looks, so that a person is heard while the cable is out still. */
const PAUSE_MS_MAX = 12 * SECOND_MS;
const PAUSE_GROWTH = 1.5;
const NOBODYS_NUMBER = "54321";

/** What is done on the device, and what of its books that changes. */
interface Errand {
  readonly type: string;
  readonly payload: unknown;
  readonly of: (books: DeviceBooks) => number;
}

const A_SALE: Errand = { ...SALE, of: ({ receipts }) => receipts.length };
const ENTRIES: readonly Errand[] = [
  { type: "z_report", payload: {}, of: ({ zNumber }) => zNumber },
  { type: "cash_in", payload: { amount: 12.5 }, of: ({ cash }) => cash },
];
/** Devices that tell nothing of cash: see docs/printed-once.md. */
const TELL_NO_CASH: readonly string[] = ["custom.serial gen2"];

interface Subject {
  /** As people read it. */
  readonly name: string;
  readonly device: ShopDevice;
  readonly shop: Shop;
  /** Frames of each errand, by type. */
  readonly frames: Map<string, number>;
}

/** What befalls an errand, and what a person says of it. */
interface Blow {
  readonly errand: Errand;
  /** Counted from its last frame, which is 0. */
  readonly fromEnd: number;
  readonly when: "before" | "after";
  readonly word: "not_printed" | "its number" | "another number" | "no number";
  /** The gateway is stopped and started before the cable is back. */
  readonly restart: boolean;
}

/** An errand that was settled, and what was known then. */
interface Settled {
  readonly name: string;
  readonly subject: Subject;
  readonly id: string;
  /** What of the books it was to change. */
  readonly before: number;
  readonly command: ShownCommand;
}

const time = new SimulatedTime(Date.UTC(2026, 4, 11, 6));
const shops: Shop[] = [];
const subjects: Subject[] = [];
const tally = new Map<string, number>();

/** Those at which things are taken away elsewhere too: each driver, each generation. */
const KINDS = EVERY_MODEL.filter((kind) => GATE_MODELS.some(({ model }) => model === kind.model));

beforeAll(async () => {
  for (const zone of new Set(KINDS.map(({ timezone }) => timezone))) {
    const kinds = KINDS.filter(({ timezone }) => timezone === zone);
    const settings = { "devices.statusSeconds": "86400" };
    const shop = await Shop.open(time, { zone, kinds, settings });
    shops.push(shop);
    for (const [index, device] of shop.devices.entries()) {
      const kind = kinds[index];
      if (!kind) continue;
      subjects.push({ name: `${kind.driver} ${kind.model}`, device, shop, frames: new Map() });
    }
  }
  await onEvery(subjects, async (subject) => {
    const { device, frames } = subject;
    // What comes first on a day may take more frames.
    expect((await sell(subject)).status).toBe("completed");
    for (const { type, payload } of [...ENTRIES, A_SALE, A_SALE]) {
      await quieten(subject);
      const before = device.books().frames;
      expect((await run(subject, type, payload)).status).toBe("completed");
      frames.set(type, device.books().frames - before);
    }
  });
});

afterAll(async () => {
  for (const shop of shops) {
    expect(shop.errors).toEqual([]);
    await shop.close();
  }
  const told = [...tally].map(([end, times]) => `${times} ${end}`).join(", ");
  process.stdout.write(`settled: ${told}\n`);
});

/** Puts all through the same at the same simulated time. @returns what it told of each */
async function onEvery<T extends { readonly name: string }, R>(
  all: readonly T[],
  story: (one: T) => Promise<R>,
): Promise<R[]> {
  const faults: string[] = [];
  const told = all.map(async (one): Promise<R[]> => {
    try {
      return [await story(one)];
    } catch (error) {
      faults.push(`${one.name}: ${errorText(error)}`);
      return [];
    }
  });
  const results = (await time.run(Promise.all(told))).flat();
  expect(faults).toEqual([]);
  return results;
}

/** Looks again and again until there is something: soon at first, then less and less often. */
async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const endsAt = time.now() + WITHIN_MS;
  for (let pauseMs = SECOND_MS; ; pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * PAUSE_GROWTH)) {
    const found = await look();
    if (found !== undefined) return found;
    if (time.now() > endsAt) throw new Error(`no ${what}`);
    await time.sleep(pauseMs);
  }
}

async function submit({ shop, device }: Subject, type: string, payload: unknown): Promise<string> {
  return (await shop.ask((client) => client.submit(device.id, type, payload))).id;
}

async function lookUp({ shop }: Subject, id: string): Promise<ShownCommand> {
  const path = `/commands/${id}`;
  const answer = await shop.ask((client) => client.expect<{ command: ShownCommand }>("GET", path));
  return answer.command;
}

/** The end of a command that was submitted a moment ago, or is let go only now: it has not ended yet. */
async function final(subject: Subject, id: string): Promise<ShownCommand> {
  await time.sleep(SECOND_MS);
  return until("end", async () => {
    const command = await lookUp(subject, id);
    return isFinal(command) ? command : undefined;
  });
}

async function run(subject: Subject, type: string, payload: unknown = {}): Promise<ShownCommand> {
  return final(subject, await submit(subject, type, payload));
}

const sell = (subject: Subject) => run(subject, SALE.type, SALE.payload);

/**
 * A status command is answered after what the gateway wanted of the device, its own question among that;
 * and behind it alone no state is read.
 */
async function quieten(subject: Subject): Promise<void> {
  const { shop, device } = subject;
  do {
    await until("answer to the gateway's own question", async () =>
      isToBeAsked(shop.rows, device.id) ? undefined : true,
    );
    expect((await run(subject, "get_status")).status).toBe("completed");
  } while (isToBeAsked(shop.rows, device.id));
}

async function alertsOf({ shop, device }: Subject): Promise<readonly string[]> {
  const path = `/devices/${device.id}/alerts`;
  const { alerts } = await shop.ask((client) =>
    client.expect<{ alerts: { type: string; commandId?: string }[] }>("GET", path),
  );
  return alerts.map(({ type, commandId }) => `${type} ${commandId}`);
}

/** What the audit log has about a command. */
function auditOf({ shop }: Subject, id: string): readonly { action: string; details: string }[] {
  const sql = "SELECT action, details FROM audit_entries WHERE resource = ? ORDER BY seq";
  return shop.rows<{ action: string; details: string }>(sql, id);
}

function resolve({ shop }: Subject, id: string, body: object) {
  return shop.ask((client) => client.call("POST", `/commands/${id}/resolve`, { body }));
}

/** The number of the receipt that a command has left in the books of the gateway. */
async function storedNumber({ shop, device }: Subject, id: string): Promise<string | null> {
  const path = `/devices/${device.id}/receipts?limit=10`;
  const { receipts } = await shop.ask((client) =>
    client.expect<{ receipts: { commandId: string; fiscalId: string | null }[] }>("GET", path),
  );
  return receipts.find(({ commandId }) => commandId === id)?.fiscalId ?? null;
}

/** Pulls the cable in an errand and settles it. @returns undefined where it was not in doubt */
async function settle(subject: Subject, blow: Blow): Promise<Settled | undefined> {
  const { name, device, frames } = subject;
  const { type, payload, of } = blow.errand;
  await quieten(subject);
  const before = of(device.books());
  const at = (frames.get(type) ?? 0) - blow.fromEnd;
  await device.fault({ kind: "unplug", when: blow.when, at, ms: CABLE_OUT_MS });
  const id = await submit(subject, type, payload);
  const say = async (): Promise<boolean | undefined> => {
    if (isFinal(await lookUp(subject, id))) return false;
    const { status } = await resolve(subject, id, wordOf(subject, blow, before));
    return status === 200 ? true : undefined;
  };
  await time.sleep(SECOND_MS);
  const isHeardAtOnce = await say();
  if (isHeardAtOnce === false) return undefined;
  expect(isHeardAtOnce).toBeUndefined();
  // Nobody is heard before the device has been silent for so long.
  await time.sleep(STRUCK_WITHIN_MS + SETTLE_SILENCE_MS);
  if (!(await until("word", say))) return undefined;
  return { name, subject, id, before, command: await lookUp(subject, id) };
}

function wordOf({ device }: Subject, { word, errand }: Blow, before: number): object {
  if (word === "not_printed") return { outcome: "not_printed" };
  if (word === "no number") return { outcome: "printed" };
  if (word === "another number") return { outcome: "printed", fiscalId: NOBODYS_NUMBER };
  // What stands open yet has no number that the person could read.
  const own = errand === A_SALE ? device.books().receipts[before] : undefined;
  return { outcome: "printed", ...(own ? { fiscalId: fiscalIdOf(own) } : {}) };
}

/** Holds what the gateway says when the printer has been asked against the printer's books. */
async function compare({ subject, id, before, command }: Settled, blow: Blow): Promise<void> {
  const { name, device } = subject;
  const { errand, word } = blow;
  const found = await until("answer", async () =>
    auditOf(subject, id).find(({ action }) =>
      ["command.late_result", "command.device_asked"].includes(action),
    ),
  );
  const books = device.books();
  const isDone = errand.of(books) !== before;
  const isOpen = books.openDocument !== null;
  const isDenied = word === "not_printed";
  const isTrue = isDenied ? !isDone : isDone && word !== "another number";
  const { answer = "contradicts", said, result } = JSON.parse(found.details);
  const expected = isOpen ? "stands_open" : isTrue ? "agrees" : "contradicts";
  // That an entry was made only its own answer proves, and that was lost.
  const isSilent = errand !== A_SALE && (isDone || TELL_NO_CASH.includes(name));
  const seen = { isDone, isOpen };
  const proof = isSilent && answer === "untold" ? "untold" : expected;
  expect({ ...seen, answer }).toEqual({ ...seen, answer: proof });
  expect(said).toEqual(command.result);
  expect(result).toHaveProperty("success");
  // A receipt that was called not printed is not finished; of one called printed nothing stays open.
  expect(isOpen).toBe(isOpen && isDenied);
  const isNews = answer === "contradicts";
  const isAskedAgain = isOpen || (isDenied && isNews);
  const ownAlerts = (await alertsOf(subject)).filter((alert) => alert.endsWith(id));
  expect(ownAlerts).toEqual([
    ...(isAskedAgain ? [`outcome_unknown ${id}`] : []),
    ...(isNews ? [`late_result ${id}`] : []),
  ]);
  expect({ ...(await lookUp(subject, id)), resolution: undefined }).toEqual({
    ...{ ...command, resolution: undefined },
  });
  if (errand === A_SALE && answer === "agrees" && !isDenied) {
    const own = books.receipts[before];
    const number = own ? fiscalIdOf(own) : "none";
    // Some devices prove an earlier receipt by what was in it, and tell no number then.
    expect([number, null]).toContain(await storedNumber(subject, id));
    if (result.fiscalId !== undefined) expect(await storedNumber(subject, id)).toBe(number);
  }
  const end = `${errand.type} ${answer}`;
  tally.set(end, (tally.get(end) ?? 0) + 1);
  await goOn(subject, id, isAskedAgain);
}

/** While a person is asked again the next sale waits; then it is printed, once. */
async function goOn(subject: Subject, id: string, isAskedAgain: boolean): Promise<void> {
  const { device } = subject;
  if (isAskedAgain) {
    const before = device.books().receipts.length;
    const waiting = await submit(subject, SALE.type, SALE.payload);
    await quieten(subject);
    expect((await lookUp(subject, waiting)).status).toBe("pending");
    expect(device.books().receipts.length).toBe(before);
    expect((await lookUp(subject, id)).resolution).toMatchObject({ outcome: null });
    expect((await resolve(subject, id, { outcome: "printed" })).status).toBe(200);
    expect((await final(subject, waiting)).status).toBe("completed");
    return;
  }
  const before = device.books().receipts.length;
  expect((await sell(subject)).status).toBe("completed");
  expect(device.books().receipts.length).toBe(before + 1);
}

async function strike(blow: Blow): Promise<void> {
  const { type } = blow.errand;
  const able = subjects.filter(({ frames }) => blow.fromEnd < (frames.get(type) ?? 0));
  const settled = (await onEvery(able, (subject) => settle(subject, blow))).flatMap(
    (one) => one ?? [],
  );
  if (blow.restart) for (const shop of shops) await time.run(shop.restart());
  await onEvery(settled, (one) => compare(one, blow));
}

/** All frames of the longest sale there is. */
const FRAMES_MAX = 16;
/** Where a receipt may have been printed. */
const LAST_FRAMES = 4;

describe("a sale that a person called not printed", () => {
  for (let fromEnd = 0; fromEnd < FRAMES_MAX; fromEnd += 1) {
    test(`is asked of the printer, ${fromEnd} frames before its end`, async () => {
      const restart = fromEnd % 2 === 0;
      await strike({ errand: A_SALE, fromEnd, when: "after", word: "not_printed", restart });
      if (fromEnd >= LAST_FRAMES) return;
      await strike({
        errand: A_SALE,
        fromEnd,
        when: "before",
        word: "not_printed",
        restart: !restart,
      });
    });
  }
});

describe("a sale that a person called printed", () => {
  for (let fromEnd = 0; fromEnd < LAST_FRAMES; fromEnd += 1) {
    for (const word of ["its number", "another number", "no number"] as const) {
      test(`under ${word} is asked of the printer, ${fromEnd} frames before its end`, async () => {
        await strike({ errand: A_SALE, fromEnd, when: "before", word, restart: false });
        await strike({ errand: A_SALE, fromEnd, when: "after", word, restart: true });
      });
    }
  }
});

describe.each([...ENTRIES])("a $type that a person settled", (errand) => {
  test.each(["not_printed", "its number"] as const)(
    "as %s is asked of the printer",
    async (word) => {
      for (let fromEnd = 0; fromEnd < LAST_FRAMES; fromEnd += 1) {
        await strike({ errand, fromEnd, when: "before", word, restart: true });
        await strike({ errand, fromEnd, when: "after", word, restart: false });
      }
    },
  );
});
