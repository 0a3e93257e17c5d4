/**
 * What a device's own state leads to, from the device to the API: the alert, the end of a command
 * that meets it, and that both are over when the state is. On every model that answers, with the
 * whole gateway, on one simulated clock. What a model has no sensor for is read off the simulator.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Baseline, Mark } from "#core/command/marks.ts";
import { ALERT_TYPES, type AlertType } from "#core/device/alerts.ts";
import type { CommandProgress, DriverEnvironment, DriverSession } from "#core/driver.ts";
import type { FiscalErrorCode } from "#core/errors.ts";
import { findDriver } from "#drivers/registry.ts";
import { UNIQUE_SALE_NUMBER } from "#drivers/testing/contract-payloads.ts";
import { EVERY_MODEL, isMute, type ModelUnderTest } from "#drivers/testing/every-model.ts";
import { SimulatedTime } from "#drivers/testing/simulated-time.ts";
import { openTcp } from "#drivers/transport/tcp.ts";
import { errorText } from "../platform/thrown.ts";
import { isFinal, type ShownCommand } from "./harness/gateway.ts";
import { Shop } from "./trade-day/shop.ts";
import type { DeviceBooks, ShopDevice } from "./trade-day/shop-device.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
/** How often the gateway looks at an idle device here. */
const LOOK_SECONDS = 600;
/** How long a receipt waits for paper or the cover here. */
const PAUSE_SECONDS = 120;
/** How long a state may take to show: no longer than the second look. */
const SHOWN_WITHIN_MS = 2 * LOOK_SECONDS * SECOND_MS;
const ASK_MS = 20 * SECOND_MS;
/** Between two questions about what comes with the gateway's next look. */
const ASK_MS_MAX = 120 * SECOND_MS;
const ASK_GROWTH = 1.5;
/** Longer than any command may take, a pause included. */
const ENDED_WITHIN_MS = 1_800 * SECOND_MS;
/** Half of the frames of this sale are lines on every model: its receipt is open and not paid. */
const MIDDLE = 0.5;
const LINES = 8;
const LINE = { name: "Water", quantity: 1, price: 1, vatGroup: "VAT2" };
const SALE = {
  uniqueSaleNumber: UNIQUE_SALE_NUMBER,
  items: Array.from({ length: LINES }, () => LINE),
  payments: [{ method: "cash", amount: LINES }],
};
const SALE_MINOR = 100 * LINES;
/** More than the five minutes that are tolerated, and less than the hour between two readings. */
const CLOCK_SHIFT_MS = 600 * SECOND_MS;

/** A command that waits for nobody. */
const NO_PAUSE = {
  ...{ mayGoOn: () => true, hasLimit: () => true },
  ...{ paused: () => undefined, pauseLimitMs: 0 },
};

/** A device in its shop. */
interface Subject {
  readonly kind: ModelUnderTest;
  readonly device: ShopDevice;
  readonly shop: Shop;
  /** Frames of a sale. */
  frames: number;
}

const time = new SimulatedTime(Date.UTC(2026, 4, 11, 6));
const shops: Shop[] = [];
const subjects: Subject[] = [];

const KINDS = EVERY_MODEL.filter((kind) => !isMute(kind));

beforeAll(async () => {
  for (const zone of new Set(KINDS.map(({ timezone }) => timezone))) {
    const kinds = KINDS.filter(({ timezone }) => timezone === zone);
    const shop = await Shop.open(time, {
      zone,
      kinds,
      settings: {
        "devices.statusSeconds": String(LOOK_SECONDS),
        "commands.pauseSeconds": String(PAUSE_SECONDS),
      },
    });
    shops.push(shop);
    for (const [index, device] of shop.devices.entries()) {
      const kind = kinds[index];
      if (kind) subjects.push({ kind, device, shop, frames: 0 });
    }
  }
  await onEvery(async (subject) => {
    await untilAlerts(subject, []);
    const before = subject.device.books().frames;
    expect(endOf(await sell(subject))).toEqual(COMPLETED);
    subject.frames = subject.device.books().frames - before;
  });
});

afterAll(async () => {
  for (const shop of shops) {
    expect(shop.errors).toEqual([]);
    await shop.close();
  }
});

/** Puts every device through the same at the same simulated time. */
async function onEvery(story: (subject: Subject) => Promise<void>): Promise<void> {
  const told = subjects.map(async (subject) => {
    const { driver, model } = subject.kind;
    try {
      await story(subject);
      return [];
    } catch (error) {
      return [`${driver} ${model}: ${errorText(error)}`];
    } finally {
      await subject.device.mend();
    }
  });
  expect((await time.run(Promise.all(told))).flat()).toEqual([]);
}

interface ShownAlert {
  readonly type: string;
  readonly severity: string;
}

function alertsOf({ shop, device }: Subject): Promise<readonly ShownAlert[]> {
  return shop.ask(async (client) => {
    const path = `/devices/${device.id}/alerts`;
    return (await client.expect<{ alerts: ShownAlert[] }>("GET", path)).alerts;
  });
}

async function statusOf({ shop, device }: Subject): Promise<string> {
  const path = `/devices/${device.id}`;
  return (await shop.ask((client) => client.expect<{ status: string }>("GET", path))).status;
}

/** Waits until exactly these alerts stand, with their severities. */
async function untilAlerts(
  subject: Subject,
  types: readonly AlertType[],
  withinMs = SHOWN_WITHIN_MS,
): Promise<void> {
  const expected = types.map((type) => ({ type, severity: ALERT_TYPES[type].severity }));
  const endsAt = time.now() + withinMs;
  for (let askMs = ASK_MS; ; askMs = Math.min(ASK_MS_MAX, ASK_GROWTH * askMs)) {
    const shown = (await alertsOf(subject)).map(({ type, severity }) => ({ type, severity }));
    if (Bun.deepEquals(shown, expected)) return;
    if (time.now() >= endsAt) expect(shown).toEqual(expected);
    await time.sleep(askMs);
  }
}

async function submit({ shop, device }: Subject, type: string, payload: unknown): Promise<string> {
  return (await shop.ask((client) => client.submit(device.id, type, payload))).id;
}

function lookUp({ shop }: Subject, commandId: string): Promise<ShownCommand> {
  return shop.ask(async (client) => {
    const path = `/commands/${commandId}`;
    return (await client.expect<{ command: ShownCommand }>("GET", path)).command;
  });
}

async function final(subject: Subject, commandId: string): Promise<ShownCommand> {
  const endsAt = time.now() + ENDED_WITHIN_MS;
  for (;;) {
    // What was submitted a moment ago has not ended yet.
    await time.sleep(SECOND_MS);
    const command = await lookUp(subject, commandId);
    if (isFinal(command)) return command;
    if (time.now() > endsAt) throw new Error(`${command.type} has not ended: ${command.status}`);
  }
}

async function run(subject: Subject, type: string, payload: unknown = {}): Promise<ShownCommand> {
  return final(subject, await submit(subject, type, payload));
}

function sell(subject: Subject): Promise<ShownCommand> {
  return run(subject, "print_receipt", SALE);
}

const COMPLETED = { status: "completed", errorCode: undefined, outcome: undefined };

function endOf({ status, result }: ShownCommand) {
  return { status, errorCode: result?.errorCode, outcome: result?.data?.outcome };
}

function notPrinted(errorCode: FiscalErrorCode) {
  return { status: "failed", errorCode, outcome: "not_printed" };
}

/** Totals of the receipts that were printed since. */
function soldSince({ device }: Subject, before: DeviceBooks): readonly number[] {
  const { receipts, openDocument } = device.books();
  expect(openDocument).toBeNull();
  return receipts.slice(before.receipts.length).map(({ total }) => total);
}

/** A state of the device, and what it leads to. */
interface State {
  readonly fault: Readonly<Record<string, unknown>>;
  /** Undefined where this model has no sensor for it. */
  readonly alert: AlertType | undefined;
  /** How a sale fails that meets it; undefined when it does not. */
  readonly code?: FiscalErrorCode;
}

/** Brings a state about, looks at what it leads to, and at what is left when it is over. */
async function expectState(subject: Subject, { fault, alert, code }: State): Promise<void> {
  const { device } = subject;
  const before = device.books();
  await device.fault(fault);
  await untilAlerts(subject, alert ? [alert] : []);
  const isError = alert !== undefined && ALERT_TYPES[alert].severity === "error";
  expect(await statusOf(subject)).toBe(isError ? "error" : "online");
  expect(endOf(await sell(subject))).toEqual(code ? notPrinted(code) : COMPLETED);
  expect(soldSince(subject, before)).toEqual(code ? [] : [SALE_MINOR]);
  await device.mend();
  await untilAlerts(subject, []);
  expect(await statusOf(subject)).toBe("online");
  expect(endOf(await sell(subject))).toEqual(COMPLETED);
}

/** An open cover; on a device that does not watch it the paper does not touch the head then. */
function coverState({ kind }: Subject) {
  return kind.simulated.books.coverSensor
    ? ({ alert: "cover_open", code: "E307" } as const)
    : ({ alert: "paper_out", code: "E306" } as const);
}

/** What docs/device-states.md says of each model, from what the simulator says. */
function modelRow({ driver, model, simulated }: ModelUnderTest): string {
  const { books, senses } = simulated;
  const cells = [
    `\`${driver}\``,
    `\`${model}\``,
    books.coverSensor ? "`cover_open`, `E307`" : "as no paper",
    senses.paperLow ? "`paper_low`" : "not told",
    "`clock_drift`, `E305`",
    senses.dayOver ? "`E303`" : "`E305`",
  ];
  return `| ${cells.join(" | ")} |`;
}

test("the page on device states says of each model what its sensors tell", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../docs/device-states.md")).text();
  const rows = page.split("\n").filter((line) => /^\| `[a-zA-Z]+\.[a-z]+` \|/.test(line));
  expect(rows).toEqual(KINDS.map(modelRow));
});

describe("a state that stands before a receipt", () => {
  test("paper near its end is a warning where the device sees it, and stops nothing", () =>
    onEvery((subject) => {
      const { paperLow } = subject.kind.simulated.senses;
      const alert = paperLow ? "paper_low" : undefined;
      return expectState(subject, { fault: { kind: "paper_low" }, alert });
    }));

  test("no paper fails a receipt beforehand with E306", () =>
    onEvery((subject) =>
      expectState(subject, { fault: { kind: "paper_out" }, alert: "paper_out", code: "E306" }),
    ));

  test("an open cover fails it with E307, or E306 where only the paper is watched", () =>
    onEvery((subject) =>
      expectState(subject, { fault: { kind: "cover_open" }, ...coverState(subject) }),
    ));

  test("a fiscal memory that is near full is a warning, and stops nothing", () =>
    onEvery((subject) =>
      expectState(subject, {
        fault: { kind: "fiscal_memory_near_full" },
        alert: "fiscal_memory_near_full",
      }),
    ));

  test("a full fiscal memory fails it with E300", () =>
    onEvery((subject) =>
      expectState(subject, {
        fault: { kind: "fiscal_memory_full" },
        alert: "fiscal_memory_full",
        code: "E300",
      }),
    ));

  test("a fault of the hardware fails it with E304", () =>
    onEvery((subject) =>
      expectState(subject, {
        fault: { kind: "hardware_error" },
        alert: "hardware_error",
        code: "E304",
      }),
    ));

  test("a clock that is off is a warning, and stops nothing", () =>
    onEvery(async (subject) => {
      const { device } = subject;
      await device.fault({ kind: "clock", shiftMs: CLOCK_SHIFT_MS });
      // What is printed meanwhile tells nothing of it, and puts nothing off.
      await time.sleep((LOOK_SECONDS / 2) * SECOND_MS);
      expect(endOf(await sell(subject))).toEqual(COMPLETED);
      await time.sleep((LOOK_SECONDS / 2) * SECOND_MS);
      await untilAlerts(subject, ["clock_drift"], SECOND_MS);
      expect(await statusOf(subject)).toBe("online");
      expect(endOf(await sell(subject))).toEqual(COMPLETED);
      expect((await run(subject, "z_report")).status).toBe("completed");
      // A clock is never set before its last record.
      await time.sleep(CLOCK_SHIFT_MS);
      expect((await run(subject, "set_datetime")).status).toBe("completed");
      await untilAlerts(subject, []);
    }));

  test("a clock that has lost the time fails it with E305 until it is set", () =>
    onEvery(async (subject) => {
      const { device } = subject;
      // Not every clock can be set while the day is open.
      expect(endOf(await sell(subject))).toEqual(COMPLETED);
      expect((await run(subject, "z_report")).status).toBe("completed");
      const before = device.books();
      await device.fault({ kind: "clock_lost" });
      await untilAlerts(subject, ["clock_drift"]);
      expect(await statusOf(subject)).toBe("online");
      expect(endOf(await sell(subject))).toEqual(notPrinted("E305"));
      expect(soldSince(subject, before)).toEqual([]);
      expect((await run(subject, "set_datetime")).status).toBe("completed");
      await untilAlerts(subject, []);
      expect(endOf(await sell(subject))).toEqual(COMPLETED);
    }));
});

/** Ways in which a device can be kept from printing in the middle of a receipt. */
const STOPPERS = [
  { kind: "paper_out", mode: "refused" },
  { kind: "paper_out", mode: "registered" },
  { kind: "cover_open" },
] as const;

describe.each([...STOPPERS])("%p in the middle of a receipt", (fault) => {
  const stateOf = (subject: Subject) =>
    fault.kind === "cover_open"
      ? coverState(subject)
      : ({ alert: "paper_out", code: "E306" } as const);
  const strike = async (subject: Subject): Promise<string> => {
    const at = Math.ceil(MIDDLE * subject.frames);
    await subject.device.fault({ ...fault, at });
    return submit(subject, "print_receipt", SALE);
  };

  test("lets it wait, and it is printed once when that is mended", () =>
    onEvery(async (subject) => {
      const before = subject.device.books();
      const id = await strike(subject);
      await untilAlerts(subject, [stateOf(subject).alert]);
      expect((await lookUp(subject, id)).status).toBe("processing");
      expect(await statusOf(subject)).toBe("busy");
      expect(subject.device.books().receipts).toHaveLength(before.receipts.length);
      await subject.device.mend();
      const command = await final(subject, id);
      expect(endOf(command)).toEqual(COMPLETED);
      expect(command.result?.data?.recovered).toBeUndefined();
      expect(soldSince(subject, before)).toEqual([SALE_MINOR]);
      await untilAlerts(subject, []);
    }));

  test("cancels it when nobody comes, and says so", () =>
    onEvery(async (subject) => {
      const { alert, code } = stateOf(subject);
      const before = subject.device.books();
      const id = await strike(subject);
      await time.sleep(PAUSE_SECONDS * SECOND_MS);
      expect((await lookUp(subject, id)).status).toBe("processing");
      expect(endOf(await final(subject, id))).toEqual(notPrinted(code));
      expect(soldSince(subject, before)).toEqual([]);
      await untilAlerts(subject, [alert]);
      await subject.device.mend();
      await untilAlerts(subject, []);
      expect(endOf(await sell(subject))).toEqual(COMPLETED);
    }));
});

/** Where the device only says "not permitted", that is all that can be told. */
function dayCode({ kind }: Subject): FiscalErrorCode {
  return kind.simulated.senses.dayOver ? "E303" : "E305";
}

/** Somebody else's hands at the device: to the gateway no other than those at its keys. */
async function otherHands({ device, kind }: Subject): Promise<DriverSession> {
  const driver = findDriver(kind.driver);
  if (!driver) throw new RangeError(`no driver ${kind.driver}`);
  const setTimer = (ms: number, callback: () => void) => time.clock.setTimer(ms, callback);
  const environment: DriverEnvironment = {
    now: () => time.now(),
    setTimer,
    random: () => 0,
    timezone: kind.timezone,
    currency: "EUR",
    remembered: new Map(),
    note() {},
    log() {},
  };
  const place = { host: "127.0.0.1", port: device.wire.port };
  const line = await device.wire.open(() => openTcp(place, { setTimer }));
  return driver.connect(line, environment);
}

/** They make the Z report. */
async function closeElsewhere(subject: Subject): Promise<void> {
  const session = await otherHands(subject);
  const command = { id: "cmd_1", type: "z_report", payload: {}, original: undefined } as const;
  const mark = () => Promise.resolve();
  await session.execute(command, { ...NO_PAUSE, mark });
  session.close();
}

/** The line breaks, and is opened anew. */
async function breakLine(subject: Subject): Promise<void> {
  await subject.device.fault({ kind: "drop_before" });
  await time.sleep(SHOWN_WITHIN_MS);
  expect(await statusOf(subject)).toBe("online");
}

/** Somebody makes the Z report at the keys, and nobody sees it before the next line. */
async function closeUnseen(subject: Subject): Promise<void> {
  await subject.device.fault({ kind: "other_hands", deed: "z_report", when: "before" });
  await breakLine(subject);
}

async function closeElsewhereAndSell(subject: Subject): Promise<void> {
  await closeElsewhere(subject);
  expect(endOf(await sell(subject))).toEqual(COMPLETED);
}

/** They begin a receipt, and are gone before it is paid. */
async function beginElsewhere(subject: Subject): Promise<void> {
  const session = await otherHands(subject);
  const command = {
    id: "cmd_1",
    type: "print_receipt",
    payload: SALE,
    original: undefined,
  } as const;
  const gone = Promise.withResolvers<void>();
  const progress: CommandProgress = {
    mark: (mark: Mark, _baseline?: Baseline) => {
      if (mark !== "committing") return Promise.resolve();
      session.close();
      gone.resolve();
      return Promise.resolve();
    },
    ...NO_PAUSE,
  };
  const ended = session.execute(command, progress).catch((error: unknown) => error);
  await Promise.all([gone.promise, ended]);
}

describe("a fiscal day", () => {
  test("that the device counts as too long fails a receipt with E303 until the Z report", () =>
    onEvery(async (subject) => {
      const { device } = subject;
      expect(endOf(await sell(subject))).toEqual(COMPLETED);
      const before = device.books();
      await device.fault({ kind: "day_over" });
      const told = dayCode(subject);
      expect(endOf(await sell(subject))).toEqual(notPrinted(told));
      expect(soldSince(subject, before)).toEqual([]);
      await untilAlerts(subject, told === "E303" ? ["z_report_overdue"] : []);
      expect((await run(subject, "z_report")).status).toBe("completed");
      await untilAlerts(subject, []);
      expect(endOf(await sell(subject))).toEqual(COMPLETED);
    }));

  test("that is open for 24 hours is overdue, told before anybody is refused", async () => {
    await onEvery(async (subject) => {
      expect(endOf(await sell(subject))).toEqual(COMPLETED);
      await time.sleep(ASK_MS);
      await breakLine(subject);
    });
    // The machine sleeps over night.
    time.clock.stall(22 * HOUR_MS);
    await onEvery(async (subject) => {
      const { device } = subject;
      await time.sleep(2 * HOUR_MS);
      await untilAlerts(subject, ["z_report_overdue"]);
      const before = device.books();
      expect(endOf(await sell(subject))).toEqual(notPrinted(dayCode(subject)));
      expect(soldSince(subject, before)).toEqual([]);
      expect((await run(subject, "z_report")).status).toBe("completed");
      await untilAlerts(subject, []);
      expect(endOf(await sell(subject))).toEqual(COMPLETED);
    });
  });

  test.each([
    ["is not overdue, and hides no Z report that is due", closeElsewhere],
    ["is not overdue where the line broke over it", closeUnseen],
    ["is not overdue where a sale follows at once", closeElsewhereAndSell],
  ])("that is closed at the keys %s", async (_title, close) => {
    await onEvery(async (subject) => {
      expect(endOf(await sell(subject))).toEqual(COMPLETED);
      await time.sleep(HOUR_MS);
      await close(subject);
      await time.sleep(SHOWN_WITHIN_MS);
    });
    // The machine sleeps over night.
    time.clock.stall(22 * HOUR_MS);
    await onEvery(async (subject) => {
      await time.sleep(HOUR_MS / 2);
      expect(endOf(await sell(subject))).toEqual(COMPLETED);
      await time.sleep(SHOWN_WITHIN_MS);
      await untilAlerts(subject, [], 0);
    });
    await closingTime("12:00");
    await onEvery(async (subject) => {
      await untilAlerts(subject, ["z_report_due"]);
      expect((await run(subject, "z_report")).status).toBe("completed");
      await untilAlerts(subject, []);
    });
    await closingTime(null);
  });
});

function closingTime(local: string | null): Promise<unknown> {
  const set = (shop: Shop) =>
    shop.asOwner((owner) => owner.expect("PATCH", "/org", { closingTime: local }));
  return time.run(Promise.all(shops.map(set)));
}

test("a receipt that somebody else left open is put away, and is no part of ours", () =>
  onEvery(async (subject) => {
    const { device } = subject;
    const before = device.books();
    await beginElsewhere(subject);
    expect(device.books().openDocument).not.toBeNull();
    expect((await run(subject, "get_status")).result?.data).toMatchObject({
      fiscalReceiptOpen: true,
    });
    await untilAlerts(subject, []);
    expect(endOf(await sell(subject))).toEqual(COMPLETED);
    expect(soldSince(subject, before)).toEqual([SALE_MINOR]);
    expect(device.books().cancelled.length).toBe(before.cancelled.length + 1);
  }));
