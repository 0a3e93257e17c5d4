/** What a controller is tried with, first to last; each begins with a device that is reached and idle. */

import { Value } from "@sinclair/typebox/value";
import { CATALOGUE } from "#core/command/catalogue.ts";
import { isInstant } from "#core/command/instant.ts";
import { CONTROLLER_SUBPROTOCOL } from "#core/controller/messages.ts";
import type { ToldCommand } from "#core/controller/told-command.ts";
import type { DeviceInfo } from "#core/device/device.ts";
import { isoTime } from "#core/iso-time.ts";
import { schemaIssues } from "#core/schema-issues.ts";
import type { Books, CheckBench } from "./bench.ts";
import { CheckFailed, type Handshake } from "./gateway-end.ts";

export interface Scenario {
  readonly name: string;
  /** What it asks for, as docs/controller-protocol.md has it. */
  readonly rule: string;
  /** @throws CheckFailed when the controller does something else */
  run(bench: CheckBench): Promise<void>;
}

/** The device's command that pays. */
const PAYMENT = 53;
/** Attempts at a gateway that is away which are no flood, in a second. */
const ATTEMPTS_MAX = 4;

/** How a controller introduces itself. */
export function checkHandshake({ url, authorization, apiKey, subprotocols }: Handshake): void {
  if (!/^Bearer \S+$/.test(authorization ?? "") && !apiKey) {
    throw new CheckFailed("it sends no header Authorization: Bearer KEY, and no X-Api-Key");
  }
  if (!subprotocols.includes(CONTROLLER_SUBPROTOCOL)) {
    throw new CheckFailed(`it does not offer the subprotocol ${CONTROLLER_SUBPROTOCOL}`);
  }
  if (url.searchParams.get("marks") !== "1") {
    throw new CheckFailed("it does not say marks=1: no failure of it can be believed");
  }
}

/** @throws CheckFailed when the controller takes the printer for another one */
function requireTrueInfo(info: DeviceInfo, { device }: Books): void {
  for (const [field, said, is] of [
    ["serialNumber", info.serialNumber, device.serialNumber],
    ["fiscalMemorySerialNumber", info.fiscalMemorySerialNumber, device.fiscalMemory],
  ] as const) {
    if (said !== is) throw new CheckFailed(`info.${field} is ${said}, and the printer's is ${is}`);
  }
}

/** @throws CheckFailed when something is missing that the till gets with every receipt */
function requireWhole(data: Readonly<Record<string, unknown>> = {}): void {
  const { issuedAt } = data;
  // The protocol takes it with any offset.
  const isTold = typeof issuedAt === "string" && isInstant(issuedAt);
  const whole = isTold ? { ...data, issuedAt: isoTime(Date.parse(issuedAt)) } : data;
  const [issue] = schemaIssues(Value.Errors(CATALOGUE.print_receipt.result, whole), "data");
  if (issue) throw new CheckFailed(`the result's ${issue.path}: ${issue.message}`);
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "serves its device",
    rule: "a device of the welcome is announced, up, with what it tells of itself",
    async run({ gateway, device, printer, pace: { answerMs: withinMs } }) {
      const announced = () => gateway.next("device.announce", { withinMs });
      for (let one = await announced(); ; one = await announced()) {
        if (one.deviceId !== device.id) throw new CheckFailed(`it announces ${one.deviceId}`);
        if (one.link === "down") continue;
        if (!one.info) throw new CheckFailed("it says nothing of the device (info)");
        requireTrueInfo(one.info, printer.books());
        return;
      }
    },
  },
  {
    name: "answers a ping",
    rule: "a ping is answered with a pong",
    async run({ gateway, pace: { answerMs: withinMs } }) {
      gateway.say({ type: "ping" });
      await gateway.next("pong", { withinMs });
    },
  },
  {
    name: "passes over what is new",
    rule: "a message of a type that it does not know changes nothing",
    async run(bench) {
      bench.gateway.sayText('{"type":"of.a.later.version","x":1}');
      await bench.carriesOut("get_status");
    },
  },
  {
    name: "refuses what it does not know",
    rule: "a command of a type that it does not know ends as a failure, with E201",
    async run(bench) {
      // As a gateway of a later version may hand it over.
      const command = { ...bench.command("get_status"), type: "of_a_later_version" };
      bench.dispatch(command as unknown as ToldCommand);
      const result = await bench.result(command as unknown as ToldCommand, 1);
      const { success, errorCode } = result.result;
      bench.keep(result);
      if (success) throw new CheckFailed("it calls it a success");
      if (errorCode !== "E201") throw new CheckFailed(`it fails as ${errorCode}`);
    },
  },
  {
    name: "prints a sale",
    rule: "nothing opens before baseline is stored, nothing is paid before committing is",
    async run(bench) {
      const { printer } = bench;
      const before = printer.books();
      const sale = bench.sale();
      bench.dispatch(sale);
      const first = await bench.mark(sale);
      if (first.mark !== "baseline") throw new CheckFailed(`its first mark is ${first.mark}`);
      await bench.quiet();
      bench.requireUntouched(before, "before baseline was stored");
      bench.stored(first);
      await bench.upTo(sale, "committing");
      await bench.quiet();
      if (printer.books().receiptCount !== before.receiptCount) {
        throw new CheckFailed("it printed before committing was stored");
      }
      bench.gateway.say({ type: "mark.stored", commandId: sale.id, mark: "committing" });
      const result = await bench.result(sale, 1);
      bench.requirePrinted(result, before);
      if (!result.result.fiscalId) throw new CheckFailed("the result has no fiscalId");
      requireWhole(result.result.data);
      bench.keep(result);
    },
  },
  {
    name: "prints no repeated dispatch",
    rule: "a command that it knows is answered with what it has, under the new epoch",
    async run(bench) {
      const before = bench.printer.books();
      const sale = bench.sale();
      bench.dispatch(sale);
      await bench.result(sale, 1);
      bench.dispatch(sale, { epoch: 2, begun: true });
      const again = await bench.result(sale, 2);
      bench.requirePrinted(again, before);
      bench.keep(again);
    },
  },
  {
    name: "keeps a result",
    rule: "a result that was not stored is told again after each welcome, unasked, until it is stored",
    async run(bench) {
      const { gateway, printer, pace } = bench;
      const before = printer.books();
      const sale = bench.sale();
      bench.dispatch(sale);
      const { baseline } = await bench.upTo(sale, "committing");
      bench.gateway.say({ type: "mark.stored", commandId: sale.id, mark: "committing" });
      await bench.result(sale, 1);
      await reconnected(bench, () => gateway.cut());
      // Of what ended at the gateway meanwhile it is not asked: it has to tell of that by itself.
      const what = "command.result behind the new welcome, unasked";
      await gateway.until(what, pace.answerMs, () => gateway.has("command.result", sale.id));
      const told = await gateway.next("command.result", { commandId: sale.id, withinMs: 0 });
      bench.resolve(sale, { epoch: 2, mark: "committing", baseline });
      bench.refuse(told, "STALE");
      const result = await lastResult(bench, sale.id, 2);
      bench.requirePrinted(result, before);
      bench.keep(result);
    },
  },
  {
    name: "waits for a mark over a lost connection",
    rule: "what was handed over again goes on under the new epoch, or ends as what it came to",
    async run(bench) {
      const { gateway, printer } = bench;
      const before = printer.books();
      const sale = bench.sale();
      bench.dispatch(sale);
      const { baseline, before: mark } = await bench.upTo(sale, "committing");
      await reconnected(bench, () => gateway.cut());
      if (printer.books().receiptCount !== before.receiptCount) {
        throw new CheckFailed("it printed before committing was stored");
      }
      bench.resolve(sale, { epoch: 2, mark, baseline });
      const result = await bench.result(sale, 2);
      bench.requireTrue(result, before);
      bench.keep(result);
    },
  },
  {
    name: "asks again for a lost answer",
    rule: "a mark that was not answered is told again after the connection broke, unasked",
    async run(bench) {
      const { gateway, printer } = bench;
      const before = printer.books();
      const sale = bench.sale();
      bench.dispatch(sale);
      await bench.mark(sale);
      await reconnected(bench, () => gateway.cut());
      // The command ended while nobody was connected: it is not handed over again.
      bench.refuse(await bench.mark(sale), "FINAL");
      await bench.quiet();
      bench.requireUntouched(before, "after FINAL");
      await bench.carriesOut("get_status");
    },
  },
  {
    name: "stops when it is refused",
    rule: "after FINAL nothing is opened or paid for the command, and the next one is carried out",
    async run(bench) {
      const before = bench.printer.books();
      const sale = bench.sale();
      bench.dispatch(sale);
      bench.refuse(await bench.mark(sale), "FINAL");
      await bench.quiet();
      bench.requireUntouched(before, "after FINAL");
      await bench.carriesOut("get_status");
    },
  },
  {
    name: "gives up what a person settled",
    rule: "after command.resolve with settled nothing is paid, and the result says what became of it",
    async run(bench) {
      const { gateway, printer } = bench;
      const before = printer.books();
      const sale = bench.sale();
      bench.dispatch(sale);
      const { baseline } = await bench.upTo(sale, "committing");
      await reconnected(bench, () => gateway.cut());
      const result = await bench.settled(sale, baseline);
      bench.requireUntouched(before, "what a person had called not printed");
      bench.requireTrue(result, before);
      bench.keep(result);
      await bench.carriesOut("get_status");
    },
  },
  {
    name: "gives up what waits for paper",
    rule: "after command.resolve with settled alone what may pay and has not is taken off the device",
    async run(bench) {
      const { printer } = bench;
      const before = printer.books();
      const { sale, baseline } = await waitingForPaper(bench);
      const result = await bench.settled(sale, baseline, {});
      bench.requireUntouched(before, "what a person had found on another paper");
      await printer.clear();
      await bench.quiet();
      bench.requireTrue(result, before);
      bench.keep(result);
      await bench.carriesOut("get_status");
    },
  },
  {
    name: "prints what waits for paper",
    rule: "after command.resolve with mayPrint it is printed when there is paper again",
    async run(bench) {
      const { printer } = bench;
      const before = printer.books();
      const { sale, baseline } = await waitingForPaper(bench);
      const ended = bench.settled(sale, baseline, { mayPrint: true });
      // Who does not know the word takes it off the device.
      ended.catch(() => undefined);
      await bench.quiet();
      await printer.clear();
      const result = await ended;
      bench.requireTrue(result, before);
      bench.keep(result);
    },
  },
  {
    name: "begins nothing too late",
    rule: "a command whose time is over is not begun",
    async run(bench) {
      const before = bench.printer.books();
      const sale = bench.sale();
      bench.dispatch(sale, { inMs: 0 });
      await bench.quiet();
      bench.requireUntouched(before, "after the time of the command");
      if (bench.gateway.has("command.mark", sale.id)) throw new CheckFailed("it began");
      await bench.carriesOut("get_status");
    },
  },
  {
    name: "finds out after a lost answer",
    rule: "a document in doubt is asked of the device, and the result says what the paper says",
    async run(bench) {
      const { printer } = bench;
      const before = printer.books();
      const sale = bench.sale();
      bench.dispatch(sale);
      await bench.upTo(sale, "committing");
      // The line breaks behind the frame that pays, whatever is asked before it.
      await printer.fault({ kind: "drop_after", at: 1, command: PAYMENT });
      bench.gateway.say({ type: "mark.stored", commandId: sale.id, mark: "committing" });
      const result = await bench.result(sale, 1);
      bench.requireTrue(result, before);
      bench.keep(result);
    },
  },
  {
    name: "tells what it does not know",
    rule: "command.resolve of a command that it never had is answered from the device",
    async run(bench) {
      const { printer } = bench;
      const first = bench.sale();
      bench.dispatch(first);
      const { baseline } = await bench.upTo(first, "committing");
      bench.gateway.say({ type: "mark.stored", commandId: first.id, mark: "committing" });
      bench.keep(await bench.result(first, 1));
      const before = printer.books();
      // As if the sale had been another controller's, which is gone.
      const same = { ...first, id: bench.sale().id };
      bench.resolve(same, { epoch: 2, mark: "committing", baseline });
      const { result } = await bench.result(same, 2);
      if (printer.books().receiptCount !== before.receiptCount) {
        throw new CheckFailed("it printed what it was only asked about");
      }
      if (!result.success && result.data?.outcome !== "unknown") {
        throw new CheckFailed("it says that a printed receipt was not printed");
      }
    },
  },
  {
    name: "gives a device up",
    rule: "the line to a released device is closed, and it is left alone until it is assigned again",
    async run(bench) {
      const { gateway, device, printer, pace } = bench;
      const { answerMs: withinMs } = pace;
      gateway.say({ type: "device.released", deviceId: device.id });
      const what = `end of its connection to the printer within ${withinMs / 1_000} s`;
      await gateway.until(what, withinMs, () => !printer.hasHost());
      const { frames } = printer.books();
      gateway.forget();
      await bench.quiet();
      const isRead = gateway.has("device.status") || printer.books().frames > frames;
      if (isRead || printer.hasHost()) throw new CheckFailed("it goes on reading the device");
      gateway.say({ type: "device.assigned", device });
      const { link } = await gateway.next("device.announce", { withinMs });
      if (link !== "up") await gateway.next("device.announce", { withinMs });
    },
  },
  {
    name: "comes back",
    rule: "it connects again when the gateway is there again, and does not flood it meanwhile",
    async run(bench) {
      const { gateway, pace } = bench;
      const before = gateway.attempts;
      gateway.close();
      await Bun.sleep(pace.awayMs);
      const attempts = gateway.attempts - before;
      const seconds = pace.awayMs / 1_000;
      if (attempts > ATTEMPTS_MAX * Math.max(1, seconds)) {
        throw new CheckFailed(`it tried ${attempts} times in ${seconds} s`);
      }
      await reconnected(bench, () => gateway.open());
    },
  },
];

/** Has a sale wait for paper that may pay, and has not. */
async function waitingForPaper(bench: CheckBench) {
  const { gateway, printer } = bench;
  const sale = bench.sale();
  bench.dispatch(sale);
  const { baseline } = await bench.upTo(sale, "committing");
  await printer.fault({ kind: "paper_out", mode: "refused" });
  gateway.say({ type: "mark.stored", commandId: sale.id, mark: "committing" });
  await bench.quiet();
  return { sale, baseline };
}

/** Does something after which the controller has to connect once more, and waits for that. */
async function reconnected({ gateway, pace }: CheckBench, act: () => void): Promise<void> {
  const { reconnectMs } = pace;
  const before = gateway.connections;
  act();
  const what = `new connection within ${reconnectMs / 1_000} s`;
  await gateway.until(what, reconnectMs, () => gateway.connections > before);
}

/** The result under this hand-over; those of older ones are passed over. */
async function lastResult({ gateway, pace }: CheckBench, commandId: string, epoch: number) {
  for (;;) {
    const result = await gateway.next("command.result", { commandId, withinMs: pace.answerMs });
    if (result.epoch === epoch) return result;
  }
}
