/**
 * A sale that a person settled while the controller beside its printer was away from the gateway in
 * the middle of it, with the receipt open: the controller comes back, and no more of it is printed than
 * the person's word allows.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { ScriptedController } from "../modules/controllers/testing/scripted-controller.ts";
import { DEADLINE_MS } from "../platform/testing/deadline.ts";
import { SALE } from "./crash/documents.ts";
import { Box } from "./harness/box.ts";
import {
  type Gateway,
  registerDevice,
  registerShop,
  type Shop,
  startGateway,
} from "./harness/gateway.ts";
import { type LineCut, MessageProxy } from "./harness/message-proxy.ts";
import { startRemoteController } from "./harness/remote-controller.ts";
import { type SimulatedPrinter, startPrinter } from "./harness/simulator.ts";
import { until } from "./harness/until.ts";

/** A device must have been silent for a minute before a person is heard. */
const HEARD_WITHIN_MS = 60_000 + DEADLINE_MS;

const box = new Box();
let gateway: Gateway;
let shop: Shop;
const proxies: MessageProxy[] = [];
const apps: ScriptedController[] = [];

beforeAll(async () => {
  gateway = box.keep(await startGateway(box.stateDir));
  shop = await registerShop(gateway.url);
});
afterAll(async () => {
  for (const app of apps) app.close();
  for (const proxy of proxies) proxy.stop();
  await box.clear();
});

/** A test that begins with all others of this file, however many run at a time: each waits for a minute. */
function scene(name: string, play: () => Promise<void>): void {
  let played: Promise<void> | undefined;
  beforeAll(() => {
    played = play();
    // Whoever waits for it hears of it.
    played.catch(() => undefined);
  });
  test(name, () => played);
}

/** A printer, and a controller beside it whose way to the gateway can be taken away. */
interface Bar {
  readonly deviceId: string;
  readonly printer: SimulatedPrinter;
  /** Cuts the way at the first message with such words, until `mend`. @returns once it is cut */
  cutAt(side: "before" | "after", words: readonly string[]): Promise<void>;
  /** The same, with the paper taken out before that message gets through: nothing is paid behind it. */
  cutWithoutPaper(words: readonly string[]): Promise<void>;
  /** @returns once the controller is back and asked what became of what a person has settled */
  mend(): Promise<void>;
  /** Starts the controller anew: it knows nothing of what it was at. */
  restart(): Promise<void>;
}

async function openBar(name: string, driver: string): Promise<Bar> {
  const stateFile = `${box.folder}/${name}.state`;
  const { host, port, ...printer } = box.keep(await startPrinter({ driver, stateFile }));
  const deviceId = await registerDevice(
    shop.till,
    { driver, host, port, managedBy: "remote" },
    name,
  );
  let isAway = false;
  const line = new MessageProxy(() => (isAway ? undefined : gateway.url));
  proxies.push(line);
  const own = { controllerId: name, stateDir: `${box.folder}/${name}`, key: shop.key, line };
  const start = () => startRemoteController({ ...own, args: [`--device=${deviceId}`] });
  let controller = box.keep(await start());
  const { id } = await shop.till.submit(deviceId, "get_status");
  expect((await shop.till.wait(id)).status).toBe("completed");
  const cut = (how: Omit<LineCut, "at">, words: readonly string[]): Promise<void> =>
    new Promise((resolve) => {
      const at = (text: string): boolean => {
        const isThere = words.every((word) => text.includes(word));
        if (isThere) isAway = true;
        if (isThere) resolve();
        return isThere;
      };
      line.cut({ at, ...how });
    });
  const noPaper = { kind: "paper_out", mode: "refused" } as const;
  const cutAt: Bar["cutAt"] = (side, words) => cut({ side }, words);
  const cutWithoutPaper: Bar["cutWithoutPaper"] = (words) => {
    const gone = Promise.withResolvers<void>();
    const first = () => printer.fault(noPaper).then(gone.resolve, gone.reject);
    return Promise.all([cut({ side: "after", first }, words), gone.promise]).then(() => undefined);
  };
  const mend = (): Promise<void> => {
    const asked = line.passed((text) => text.includes('"command.resolve"'));
    isAway = false;
    return asked;
  };
  const restart = async (): Promise<void> => {
    await controller.kill();
    const asked = mend();
    controller = box.keep(await start());
    await asked;
  };
  return { deviceId, printer: { host, port, ...printer }, cutAt, cutWithoutPaper, mend, restart };
}

/** What a person says. */
interface Word {
  readonly outcome: "printed" | "not_printed";
  /** The number on a paper. */
  readonly fiscalId?: string;
}
const PRINTED: Word = { outcome: "printed" };
const NOT_PRINTED: Word = { outcome: "not_printed" };
/** Of a paper that somebody has rung up by hand. */
const ON_ANOTHER_PAPER: Word = { outcome: "printed", fiscalId: "999" };

/** A person says what became of a sale, as soon as that is heard. */
async function settle(commandId: string, word: Word): Promise<void> {
  const say = () => shop.till.call("POST", `/commands/${commandId}/resolve`, { body: word });
  await until("a hearing", async () => (await say()).status === 200, HEARD_WITHIN_MS);
}

/** What the gateway has been told of a sale that was settled. */
async function answerTo(commandId: string): Promise<unknown> {
  const { entries } = await shop.owner.expect<{
    entries: { action: string; details: { answer?: string } }[];
  }>("GET", `/audit?limit=100&resource=${commandId}`);
  return entries.find(({ action }) => /^command\.(device_asked|late_result)$/.test(action));
}

const CUTS = [
  { name: "before the answer to committing", at: ['"mark.stored"', '"committing"'] },
  { name: "before committing is said", at: ['"command.mark"', '"committing"'] },
  { name: "before the answer to baseline", at: ['"mark.stored"', '"baseline"'] },
] as const;

for (const driver of ["vendorA.isl", "vendorE.zfp", "vendorF.shtrih", "custom.serial"] as const) {
  for (const { name, at } of CUTS) {
    scene(`fiscald controller at ${driver} that went ${name}: nothing is paid`, async () => {
      const bar = await openBar(`${driver}-${name.replaceAll(" ", "-")}`, driver);
      const before = await bar.printer.books();
      const cut = bar.cutAt("before", at);
      const { id } = await shop.till.submit(bar.deviceId, SALE.type, SALE.payload);
      await cut;
      await settle(id, NOT_PRINTED);
      await bar.mend();
      const asked = await until("the printer's word", () => answerTo(id));
      expect(asked).toMatchObject({ details: { answer: "agrees" } });
      const { receiptCount, openDocument } = await bar.printer.books();
      expect([receiptCount, openDocument]).toEqual([before.receiptCount, null]);
      const next = await shop.till.submit(bar.deviceId, SALE.type, SALE.payload);
      expect(await shop.till.wait(next.id)).toMatchObject({ status: "completed" });
      expect((await bar.printer.books()).receiptCount).toBe(before.receiptCount + 1);
    });
  }

  for (const { was, word, told } of [
    { was: "not printed", word: NOT_PRINTED, told: { answer: "agrees" } },
    {
      was: "printed under a number, which is another paper's",
      word: ON_ANOTHER_PAPER,
      told: { said: { fiscalId: "999" }, result: { data: { outcome: "not_printed" } } },
    },
  ]) {
    scene(`what waits for paper on ${driver} and is called ${was} is cancelled`, async () => {
      const { bar, before, id } = await waitingForPaper(`${driver}-waits-${word.outcome}`, driver);
      await settle(id, word);
      const waiting = await bar.printer.books();
      expect(waiting.receiptCount).toBe(before.receiptCount);
      expect(waiting.openDocument).toMatchObject({ paid: 0 });
      await bar.mend();
      await until("a receipt that is put away", async () => {
        const { openDocument } = await bar.printer.books();
        return openDocument === null;
      });
      await bar.printer.clear();
      const asked = await until("the printer's word", () => answerTo(id));
      expect(asked).toMatchObject({ details: told });
      expect((await bar.printer.books()).receiptCount).toBe(before.receiptCount);
      const next = await shop.till.submit(bar.deviceId, SALE.type, SALE.payload);
      expect(await shop.till.wait(next.id)).toMatchObject({ status: "completed" });
      expect((await bar.printer.books()).receiptCount).toBe(before.receiptCount + 1);
    });
  }

  scene(
    `what waits for paper on ${driver} and is called printed is printed when there is paper again`,
    async () => {
      const { bar, before, id } = await waitingForPaper(`${driver}-waits-on`, driver);
      await settle(id, PRINTED);
      await bar.mend();
      await bar.printer.clear();
      const asked = await until("the printer's word", () => answerTo(id));
      expect(asked).toMatchObject({ details: { answer: "agrees" } });
      expect((await bar.printer.books()).receiptCount).toBe(before.receiptCount + 1);
    },
  );
}

/** A sale that waits for paper behind the mark that lets it pay, with its controller away. */
async function waitingForPaper(name: string, driver: string) {
  const bar = await openBar(name, driver);
  const before = await bar.printer.books();
  const cut = bar.cutWithoutPaper(['"mark.stored"', '"committing"']);
  const { id } = await shop.till.submit(bar.deviceId, SALE.type, SALE.payload);
  await cut;
  return { bar, before, id };
}

/** People are told of a sale that stands in the books without a paper. */
async function isToldMissing({ deviceId }: Bar, commandId: string): Promise<boolean> {
  const path = `/devices/${deviceId}/alerts`;
  const { alerts } = await shop.till.expect<{ alerts: Record<string, unknown>[] }>("GET", path);
  return alerts.some(
    (alert) => alert.commandId === commandId && alert.outcome === "not_printed" && isHowTo(alert),
  );
}
const isHowTo = ({ message }: Record<string, unknown>): boolean =>
  String(message).includes("at the printer by hand, not at the till");

for (const { was, word, told } of [
  { was: "not printed is left open, and asked of again", word: NOT_PRINTED, told: undefined },
  { was: "printed is finished", word: PRINTED, told: { answer: "agrees" } },
  {
    was: "printed under another number is finished too, and told",
    word: ON_ANOTHER_PAPER,
    told: { said: { fiscalId: "999" }, result: { success: true } },
  },
]) {
  scene(`what waits for paper with a part paid and is called ${was}`, async () => {
    const bar = await openBar(`part-paid-${was.length}`, "vendorE.zfp");
    const { receiptCount } = await bar.printer.books();
    // At the second of its two payments.
    await bar.printer.fault({ kind: "paper_out", mode: "refused", at: 2, command: 0x35 });
    const cut = bar.cutAt("after", ['"mark.stored"', '"committing"']);
    const { id } = await shop.till.submit(bar.deviceId, SALE.type, SALE.payload);
    await cut;
    await until("a part of it paid", async () => {
      const { openDocument } = await bar.printer.books();
      return (openDocument?.paid ?? 0) > 0;
    });
    await settle(id, word);
    expect((await bar.printer.books()).openDocument).toMatchObject({ paid: 1_000 });
    await bar.mend();
    await bar.printer.clear();
    const asked = await until("the printer's word", () => answerTo(id));
    expect(asked).toMatchObject({ details: told ?? { answer: "stands_open" } });
    const { openDocument, ...books } = await bar.printer.books();
    expect(books.receiptCount).toBe(receiptCount + (told === undefined ? 0 : 1));
    expect(openDocument?.paid).toBe(told === undefined ? 1_000 : undefined);
  });
}

scene(
  "what waits for paper and was called printed is not printed by a controller that is started anew",
  async () => {
    const { bar, before, id } = await waitingForPaper("starts-anew", "vendorA.isl");
    await settle(id, PRINTED);
    await bar.restart();
    await until("people that are told", () => isToldMissing(bar, id));
    await bar.printer.clear();
    const { receiptCount } = before;
    expect(await bar.printer.books()).toMatchObject({ receiptCount, openDocument: null });
    const next = await shop.till.submit(bar.deviceId, SALE.type, SALE.payload);
    expect(await shop.till.wait(next.id)).toMatchObject({ status: "completed" });
  },
);

scene(
  "what was called printed before it might pay waits for no paper, and people are told",
  async () => {
    const bar = await openBar("not-allowed", "vendorA.isl");
    const { receiptCount } = await bar.printer.books();
    const cut = bar.cutWithoutPaper(['"mark.stored"', '"baseline"']);
    const { id } = await shop.till.submit(bar.deviceId, SALE.type, SALE.payload);
    await cut;
    await settle(id, PRINTED);
    await bar.mend();
    await until("people that are told", () => isToldMissing(bar, id));
    expect(await bar.printer.books()).toMatchObject({ receiptCount, openDocument: null });
  },
);

scene("what was called printed is not printed after that, and people are told", async () => {
  const bar = await openBar("called-printed", "vendorA.isl");
  const { receiptCount } = await bar.printer.books();
  const cut = bar.cutAt("before", ['"command.mark"', '"committing"']);
  const { id } = await shop.till.submit(bar.deviceId, SALE.type, SALE.payload);
  await cut;
  await settle(id, PRINTED);
  await bar.mend();
  await until("people that are told", () => isToldMissing(bar, id));
  expect(await bar.printer.books()).toMatchObject({ receiptCount, openDocument: null });
  const next = await shop.till.submit(bar.deviceId, SALE.type, SALE.payload);
  expect(await shop.till.wait(next.id)).toMatchObject({ status: "completed" });
});

/** An app that keeps to the protocol, with the mark of a sale unanswered, at a printer of its own. */
async function appAway(name: string, port: number) {
  const target = {
    driver: "vendorA.isl",
    host: "127.0.0.1",
    port,
    managedBy: "remote",
  } as const;
  const deviceId = await registerDevice(shop.till, target, name);
  const connect = async (): Promise<ScriptedController> => {
    const app = await ScriptedController.connect(gateway.url, {
      ...{ credential: shop.key, controllerId: name },
    });
    apps.push(app);
    app.announce(deviceId);
    return app;
  };
  const app = await connect();
  const { id: commandId } = await shop.till.submit(deviceId, SALE.type, SALE.payload);
  const { epoch } = await app.next("command.dispatch");
  for (const mark of ["baseline", "committing"]) {
    app.say({ type: "command.mark", deviceId, commandId, epoch, mark, baseline: { last: 26 } });
    // The app never gets to see the second one.
    await app.next("mark.stored");
  }
  app.close();
  await settle(commandId, NOT_PRINTED);
  return { deviceId, commandId, app: await connect() };
}

scene(
  "an app that asks to go on is refused each time, and asked anew what became of it",
  async () => {
    const { deviceId, commandId, app } = await appAway("goes-on", 1);
    const asked = await app.next("command.resolve");
    expect(asked).toMatchObject({ mark: "committing", neverFinish: true, settled: true });
    // It knows the command, and tells again what it waits for.
    const mark = { type: "command.mark", deviceId, commandId, mark: "committing" };
    app.say({ ...mark, epoch: asked.epoch, baseline: { last: 26 } });
    expect(await app.next("error")).toMatchObject({ code: "FINAL", epoch: asked.epoch });
    const again = await app.next("command.resolve");
    expect(again.epoch).toBe(asked.epoch + 1);
    const result = { success: false, errorCode: "E102", data: { outcome: "not_printed" } };
    app.say({ type: "command.result", deviceId, commandId, epoch: again.epoch, result });
    await app.next("result.stored");
    expect(await answerTo(commandId)).toMatchObject({ details: { answer: "agrees" } });
    await shop.till.submit(deviceId, SALE.type, SALE.payload);
    expect((await app.next("command.dispatch")).command.id).not.toBe(commandId);
  },
);

scene("what an app learns while it finds out is kept for the next time it is asked", async () => {
  const { deviceId, commandId, app } = await appAway("learns", 2);
  const asked = await app.next("command.resolve");
  const learned = { deviceId, commandId, epoch: asked.epoch, mark: "committing", learned: true };
  app.say({ type: "command.mark", ...learned, baseline: { last: 26, seen: 27 } });
  expect(await app.next("mark.stored")).toMatchObject({ commandId });
  app.close();
  const next = await ScriptedController.connect(gateway.url, {
    ...{ credential: shop.key, controllerId: "learns" },
  });
  apps.push(next);
  next.announce(deviceId);
  expect((await next.next("command.resolve")).baseline).toEqual({ last: 26, seen: 27 });
});
