import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import type { ToldCommand } from "#core/controller/told-command.ts";
import type { DeviceConfig } from "#core/device/device.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import {
  type CommandProgress,
  type Driver,
  IDENTIFIED,
  type Line,
  type Resolution,
} from "#core/driver.ts";
import { DocumentInDoubt, FiscalError, MustStayOpen } from "#core/errors.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createInProcessChannel } from "./channel.ts";
import type { KeptResult, ResultKeeper } from "./result-keeper.ts";
import { type Controller, startController } from "./runtime.ts";

const DEVICE: DeviceConfig = {
  id: "dev_1",
  orgId: "org",
  name: "Till",
  driver: "vendorA.isl",
  transport: "tcp",
  connectionParams: { host: "h", port: 1 },
  timezone: "UTC",
  currency: "RON",
};
const INFO = {
  serialNumber: "S",
  firmwareVersion: "1",
  fiscalMemorySerialNumber: "F",
  manufacturer: "M",
  model: "X",
};
const LOST = new FiscalError("E102", "lost");

/** What the device does with the next commands, in order; success when there is nothing left. */
let script: ((progress: CommandProgress) => Promise<void>)[];
let resolutions: (Resolution | FiscalError | Promise<FiscalError>)[];
/** Whether each resolution might finish what stood open. */
let finishing: (boolean | undefined)[];
/** What happened at the device. */
let events: string[];
/** Of each attempt to connect, whether the device was known from an earlier line. */
let wasIdentified: boolean[];
/** Faults of the next attempts to connect. */
let refusals: FiscalError[];
/** What the next attempts to connect wait for before they succeed or fail. */
let delays: Promise<void>[];

const driver: Driver = {
  id: "vendorA.isl",
  commands: new Set<CommandType>(),
  async connect(_line, environment) {
    await delays.shift();
    wasIdentified.push(environment.remembered.has(IDENTIFIED));
    const refusal = refusals.shift();
    if (refusal) throw refusal;
    events.push("connect");
    return {
      info: INFO,
      async execute(command, progress) {
        events.push(`execute ${command.id}`);
        await script.shift()?.(progress);
        return { data: { done: command.id }, status: FINE_STATUS };
      },
      async resolve(command, { mark }) {
        events.push(`resolve ${command.id} from ${mark}`);
        finishing.push(environment.mayFinish?.());
        const resolution = await resolutions.shift();
        if (resolution instanceof FiscalError) throw resolution;
        return resolution ?? { outcome: "not_printed", reason: "untouched" };
      },
      readStatus: () => Promise.resolve(FINE_STATUS),
      close: () => events.push("close"),
    };
  },
};
const line: Line = { write: () => undefined, listen: () => undefined, close: () => undefined };

let clock: FakeClock;
let controller: Controller;
/** Starts it anew, as after its process ended. */
let start: (results?: ResultKeeper) => void;
let told: ToGateway[];
let tell: (message: ToController) => void;
/** Answers marks, and lines that are announced, at once; off for tests that answer themselves. */
let [storesMarks, acceptsLines] = [true, true];
/** What was logged. */
let lines: string[];

beforeEach(() => {
  clock = new FakeClock();
  [script, resolutions, events, refusals, delays, told] = [[], [], [], [], [], []];
  finishing = [];
  wasIdentified = [];
  [storesMarks, acceptsLines] = [true, true];
  lines = [];
  const channel = createInProcessChannel();
  tell = channel.gateway.send;
  channel.gateway.listen((message) => {
    told.push(message);
    const isUp = message.type === "device.announce" && message.link === "up";
    if (isUp && acceptsLines) tell({ type: "announce.accepted", deviceId: message.deviceId });
    if (message.type === "command.mark" && storesMarks) {
      tell({ type: "mark.stored", commandId: message.commandId, mark: message.mark });
    }
  });
  start = (results) => {
    controller = startController(channel.controller, {
      clock,
      log: createLog({ level: "info", clock, sink: { write: (text) => lines.push(text) } }),
      random: () => 0,
      findDriver: () => driver,
      openLine: () => Promise.resolve(line),
      ...(results === undefined ? {} : { results }),
      statusPollMs: 30_000,
      pauseLimitMs: 600_000,
    });
  };
  start();
});
afterEach(() => controller.stop());

const order = (id: string, type: CommandType = "print_receipt"): ToldCommand => ({
  id,
  type,
  payload: {},
});
async function welcome(devices: readonly DeviceConfig[] = [DEVICE]): Promise<void> {
  tell({ type: "welcome", controllerId: "builtin", devices, heartbeatSeconds: 15 });
  await clock.advanceAsync(0);
}
async function dispatch(id: string, type?: CommandType, begun = false): Promise<void> {
  await handOver({ command: order(id, type), begun, epoch: 1 });
}
/** Hands a receipt over that the controller may know. */
async function dispatchAgain(id: string, epoch: number): Promise<void> {
  await handOver({ command: order(id), begun: true, epoch });
}
type Dispatch = Extract<ToController, { type: "command.dispatch" }>;
async function handOver(what: Pick<Dispatch, "command" | "begun" | "epoch">): Promise<void> {
  // A controller's own clock may show any time.
  const times = { expiresAt: "1970-01-01T00:00:00.000Z", expiresInMs: 180_000 };
  tell({ type: "command.dispatch", device: DEVICE, ...what, ...times });
  await clock.advanceAsync(0);
}
/** Asks what became of a command. @param disowned a person called it not printed */
async function ask(id: string, disowned: boolean): Promise<void> {
  const never = disowned ? { neverFinish: true } : {};
  tell({
    ...{ type: "command.resolve", command: order(id), device: DEVICE, epoch: 2 },
    ...{ mark: "committing", baseline: {}, ...never },
  });
  await clock.advanceAsync(2_000);
}
/** The device's address is changed. */
async function move(): Promise<void> {
  const device = { ...DEVICE, connectionParams: { host: "other", port: 2 } };
  tell({ type: "device.assigned", device });
  await clock.advanceAsync(0);
}
const results = () =>
  told.flatMap((message) =>
    message.type === "command.result" ? [{ id: message.commandId, ...message.result }] : [],
  );
const doubt = async (progress: CommandProgress) => {
  await progress.mark("baseline", { ownNumber: 26 });
  throw new DocumentInDoubt(LOST);
};

describe("a device of the built-in controller", () => {
  test("is announced when its line is up, with what it says of itself", async () => {
    await welcome();
    expect(told).toContainEqual({
      type: "device.announce",
      deviceId: "dev_1",
      link: "up",
      info: INFO,
    });
  });

  test("carries out a command and reports its result and state", async () => {
    await welcome();
    await dispatch("c1");
    expect(results()).toEqual([{ id: "c1", success: true, data: { done: "c1" } }]);
    expect(told.map((message) => message.type)).toContain("device.status");
  });

  test("does nothing on a line before the gateway has accepted it", async () => {
    acceptsLines = false;
    await welcome();
    await dispatch("c1");
    await clock.advanceAsync(60_000);
    expect([results(), told.map(({ type }) => type)]).toEqual([[], ["device.announce"]]);
    tell({ type: "announce.accepted", deviceId: "dev_1" });
    await clock.advanceAsync(0);
    expect(results()).toEqual([{ id: "c1", success: true, data: { done: "c1" } }]);
  });

  const reported = (): string[] =>
    told.flatMap((message) => {
      if (message.type === "command.mark") return [message.mark];
      return message.type === "command.ack" || message.type === "command.result"
        ? [message.type]
        : [];
    });

  test("reports that a command has begun when that takes longer than a moment", async () => {
    const over = Promise.withResolvers<void>();
    script = [() => over.promise];
    await welcome();
    await dispatch("c1");
    expect(reported()).toEqual([]);
    await clock.advanceAsync(20);
    expect(reported()).toEqual(["command.ack"]);
    over.resolve();
    await clock.advanceAsync(0);
    expect(reported()).toEqual(["command.ack", "command.result"]);
  });

  test("reports of a quick document only the marks that are waited for, and its result", async () => {
    script = [
      async ({ mark }) => {
        await mark("baseline", { number: 1 });
        await mark("opened", { ownNumber: 2 });
        await mark("committing");
        await mark("committed");
      },
    ];
    await welcome();
    await dispatch("c1");
    expect(reported()).toEqual(["baseline", "committing", "command.result"]);
    // What was read meanwhile is not lost.
    expect(told).toContainEqual(
      expect.objectContaining({ mark: "committing", baseline: { number: 1, ownNumber: 2 } }),
    );
  });

  test("reports a mark that is not waited for when the document stands still behind it", async () => {
    const over = Promise.withResolvers<void>();
    script = [
      async ({ mark }) => {
        await mark("baseline", { number: 1 });
        await mark("opened", { ownNumber: 2 });
        await over.promise;
      },
    ];
    await welcome();
    await dispatch("c1");
    await clock.advanceAsync(20);
    expect(reported()).toEqual(["baseline", "opened"]);
    over.resolve();
  });

  test("reports how far a document got before it reports that it failed", async () => {
    script = [
      async ({ mark }) => {
        await mark("baseline", {});
        await mark("committing");
        await mark("committed");
        throw new FiscalError("E305", "refused");
      },
    ];
    await welcome();
    await dispatch("c1");
    expect(reported()).toEqual(["baseline", "committing", "committed", "command.result"]);
  });

  test("is tried again and again while it cannot be reached", async () => {
    refusals = [1, 2, 3].map(() => new FiscalError("E100", "refused"));
    await welcome();
    expect(events).toEqual([]);
    await clock.advanceAsync(250 + 500 + 1_000);
    expect(events).toEqual(["connect"]);
  });

  test("fails commands at once when it speaks another protocol", async () => {
    refusals = [new FiscalError("E200", "no"), new FiscalError("E200", "no")];
    await welcome();
    await dispatch("c1");
    expect(results()).toMatchObject([{ errorCode: "E200", data: { outcome: "not_printed" } }]);
  });

  test("is read while idle, at the given interval", async () => {
    await welcome();
    const statuses = () => told.filter((message) => message.type === "device.status").length;
    expect(statuses()).toBe(1);
    await clock.advanceAsync(29_999);
    expect(statuses()).toBe(1);
    await clock.advanceAsync(1);
    expect(statuses()).toBe(2);
  });
});

describe("a fault of the line", () => {
  test("before any mark: the command is done on the next line", async () => {
    script = [() => Promise.reject(LOST)];
    await welcome();
    await dispatch("c1");
    expect(events).toEqual(["connect", "execute c1", "close", "connect", "execute c1"]);
    expect(results()).toMatchObject([{ id: "c1", success: true }]);
    // So that the late rest of an answer is not taken for another device.
    expect(wasIdentified).toEqual([false, true]);
  });

  test("before any mark, and no line in time: the command fails as not printed", async () => {
    script = [() => Promise.reject(LOST)];
    await welcome();
    refusals = Array.from({ length: 100 }, () => new FiscalError("E100", "refused"));
    await dispatch("c1");
    await clock.advanceAsync(190_000);
    expect(results()).toMatchObject([{ errorCode: "E100", data: { outcome: "not_printed" } }]);
    expect(events).toEqual(["connect", "execute c1", "close"]);
  });

  test("after a mark: the document is resolved on the next line, never done again", async () => {
    script = [doubt];
    resolutions = [{ outcome: "printed", success: { data: {}, fiscalId: "27" } }];
    await welcome();
    await dispatch("c1");
    expect(events).toEqual([
      "connect",
      "execute c1",
      "close",
      "connect",
      "resolve c1 from baseline",
    ]);
    expect(results()).toEqual([
      { id: "c1", success: true, fiscalId: "27", data: { recovered: true } },
    ]);
  });

  test("while resolving: the device is asked again, before any other command", async () => {
    script = [doubt];
    resolutions = [LOST, { outcome: "not_printed", reason: "untouched" }];
    await welcome();
    await dispatch("c1");
    await dispatch("c2");
    await clock.advanceAsync(10_000);
    expect(events.filter((event) => event !== "connect" && event !== "close")).toEqual([
      "execute c1",
      "resolve c1 from baseline",
      "resolve c1 from baseline",
      "execute c2",
    ]);
    expect(results()[0]).toMatchObject({ errorCode: "E102", data: { outcome: "not_printed" } });
  });

  test("a device that cannot tell for ten minutes leaves the outcome unknown", async () => {
    const NOT_TOLD = { outcome: "unknown", doubt: { code: "not_told_in_time", params: {} } };
    script = [doubt];
    resolutions = Array.from({ length: 1_000 }, () => new FiscalError("E305", "busy"));
    await welcome();
    await dispatch("c1");
    await clock.advanceAsync(599_000);
    expect(results()).toEqual([]);
    await clock.advanceAsync(2_000);
    expect(results()).toMatchObject([{ errorCode: "E102", data: NOT_TOLD }]);
  });

  test("a machine that sleeps during an attempt has not asked all that time", async () => {
    script = [doubt];
    const slept = Promise.withResolvers<FiscalError>();
    const busy = Array.from({ length: 1_000 }, () => new FiscalError("E305", "busy"));
    resolutions = [slept.promise, ...busy];
    await welcome();
    await dispatch("c1");
    await clock.advanceAsync(660_000);
    slept.resolve(new FiscalError("E305", "busy"));
    await clock.advanceAsync(530_000);
    expect(results()).toEqual([]);
    await clock.advanceAsync(15_000);
    expect(results()).toMatchObject([{ errorCode: "E102", data: { outcome: "unknown" } }]);
  });

  test("a wall clock that is set right meanwhile does not end the doubt", async () => {
    script = [doubt];
    resolutions = Array.from({ length: 1_000 }, () => new FiscalError("E305", "busy"));
    await welcome();
    await dispatch("c1");
    await clock.advanceAsync(10_500);
    clock.jumpTo(clock.now() + 86_400_000);
    await clock.advanceAsync(10_000);
    expect(results()).toEqual([]);
  });

  test("time without a line does not count against the resolution", async () => {
    script = [doubt];
    await welcome();
    refusals = Array.from({ length: 300 }, () => new FiscalError("E100", "refused"));
    await dispatch("c1");
    await clock.advanceAsync(1_200_000);
    expect(results()).toEqual([]);
  });
});

test("a device that answers only when it connects is not asked again without a pause", async () => {
  script = Array.from({ length: 1_000 }, () => () => Promise.reject(LOST));
  await welcome();
  await dispatch("c1");
  await clock.advanceAsync(10_000);
  expect(events.filter((event) => event === "connect").length).toBeLessThan(10);
});

describe("a defect of a driver", () => {
  test("in the middle of a document is a doubt, not an answer", async () => {
    script = [
      async (progress) => {
        await progress.mark("baseline", {});
        throw new TypeError("oops");
      },
    ];
    await welcome();
    await dispatch("c1");
    expect(events).toContain("resolve c1 from baseline");
  });

  test("elsewhere fails the command with E901", async () => {
    script = [() => Promise.reject(new TypeError("oops"))];
    await welcome();
    await dispatch("c1", "get_info");
    expect(results()).toMatchObject([{ errorCode: "E901" }]);
  });
});

describe("a device in doubt that is answered for by another", () => {
  test("stays in doubt for ten minutes of that, and is unknown then", async () => {
    script = [doubt];
    await welcome();
    refusals = Array.from({ length: 1_000 }, () => new FiscalError("E200", "no"));
    await dispatch("c1");
    await clock.advanceAsync(590_000);
    expect(results()).toEqual([]);
    await clock.advanceAsync(20_000);
    expect(results()).toMatchObject([{ errorCode: "E102", data: { outcome: "unknown" } }]);
  });

  test("is resolved when the right one is back in time", async () => {
    script = [doubt];
    await welcome();
    refusals = Array.from({ length: 20 }, () => new FiscalError("E200", "no"));
    await dispatch("c1");
    await clock.advanceAsync(200_000);
    expect(results()).toMatchObject([{ errorCode: "E102", data: { outcome: "not_printed" } }]);
  });
});

describe("a device in doubt that waits for a person", () => {
  const noPaper = () =>
    Array.from({ length: 3_600 }, () => new FiscalError("E306", "The device is out of paper"));

  test("stays in doubt until there is paper, and shows meanwhile what it lacks", async () => {
    script = [doubt];
    await welcome();
    resolutions = [...noPaper(), { outcome: "printed", success: { data: {} } }];
    const shown = told.length;
    await dispatch("c1");
    await clock.advanceAsync(3_599_000);
    expect(results()).toEqual([]);
    expect(told.slice(shown)).toContainEqual(expect.objectContaining({ type: "device.status" }));
    await clock.advanceAsync(2_000);
    expect(results()).toMatchObject([{ id: "c1", success: true }]);
  });

  test("is one line in the log for each thing that is missing, with the device's name", async () => {
    script = [
      async (progress) => {
        await progress.mark("baseline", {});
        for (let look = 0; look < 10; look += 1) progress.paused("paper_out");
        progress.paused("cover_open");
        throw new DocumentInDoubt(LOST);
      },
    ];
    await welcome();
    resolutions = [...noPaper().slice(0, 10), { outcome: "not_printed", reason: "untouched" }];
    await dispatch("c1");
    await clock.advanceAsync(60_000);
    const waits = lines.map((line) => JSON.parse(line)).filter(({ missing }) => missing);
    const where = { device: "Till", deviceId: "dev_1", commandId: "c1" };
    expect(waits).toMatchObject([
      { ...where, missing: "paper" },
      { ...where, missing: "a closed cover" },
      { ...where, missing: "paper" },
    ]);
  });

  test("still has its ten minutes when that does not help", async () => {
    script = [doubt];
    await welcome();
    const refused = Array.from({ length: 3_600 }, () => new FiscalError("E305", "refused"));
    resolutions = [...noPaper(), ...refused];
    await dispatch("c1");
    await clock.advanceAsync(3_600_000 + 590_000);
    expect(results()).toEqual([]);
    await clock.advanceAsync(20_000);
    expect(results()).toMatchObject([{ errorCode: "E102", data: { outcome: "unknown" } }]);
  });
});

describe("a session that is replaced", () => {
  test("while it connects says nothing of the device afterwards", async () => {
    const first = Promise.withResolvers<void>();
    delays = [first.promise];
    refusals = [];
    await welcome();
    await dispatch("c1");
    await move();
    refusals = [new FiscalError("E200", "no")];
    const before = told.length;
    first.resolve();
    await clock.advanceAsync(0);
    expect(told.slice(before)).toEqual([]);
    expect(results()).toEqual([]);
  });

  test("while a mark is stored leaves the command to the next one", async () => {
    storesMarks = false;
    script = [doubt];
    await welcome();
    await dispatch("c1");
    await move();
    expect(results()).toEqual([]);
    tell({
      type: "command.resolve",
      command: order("c1"),
      device: DEVICE,
      epoch: 2,
      mark: "baseline",
      baseline: {},
    });
    await clock.advanceAsync(0);
    expect(events).toContain("resolve c1 from baseline");
    expect(results()).toMatchObject([{ id: "c1", data: { outcome: "not_printed" } }]);
  });

  test("reports the end of what had begun before, however it ends", async () => {
    refusals = Array.from({ length: 100 }, () => new FiscalError("E100", "refused"));
    await welcome();
    await dispatch("c1", "print_receipt", true);
    await clock.advanceAsync(190_000);
    expect(results()).toMatchObject([{ errorCode: "E100", data: { outcome: "not_printed" } }]);
  });
});

describe("a controller that stops", () => {
  test.each(["baseline", "opened", "committing"] as const)(
    "does not wait for a driver that reports %s afterwards",
    async (mark) => {
      const answered = Promise.withResolvers<void>();
      script = [
        async (progress) => {
          await answered.promise;
          await progress.mark(mark, {}).catch((refusal: Error) => {
            events.push(`refused: ${refusal.message}`);
            throw refusal;
          });
        },
      ];
      await welcome();
      await dispatch("c1");
      const stopping = controller.stop().then(() => events.push("stopped"));
      await clock.advanceAsync(0);
      const before = told.length;
      answered.resolve();
      await clock.advanceAsync(1_000);
      expect(events.slice(-2)).toEqual(["refused: the controller stops", "stopped"]);
      // What stands stored of the command says how far it got: nothing is told behind that.
      expect(told.slice(before)).toEqual([]);
      await stopping;
    },
  );
});

describe("an error of the last line while its mark is being stored", () => {
  const refused = new FiscalError("E305", "no such VAT group");
  const failing = async (progress: CommandProgress) => {
    await progress.mark("baseline", {});
    storesMarks = false;
    progress.mark("committing").catch(() => events.push("refusal heard"));
    throw refused;
  };

  test("is the command's result, and the late word on the mark disturbs nobody", async () => {
    script = [failing, (progress) => progress.mark("baseline", {})];
    await welcome();
    await dispatch("c1");
    expect(results()).toMatchObject([{ id: "c1", errorCode: "E305" }]);
    [storesMarks, acceptsLines] = [true, true];
    tell({ type: "result.stored", commandId: "c1" });
    tell({ type: "mark.stored", commandId: "c1", mark: "committing" });
    await dispatch("c2");
    expect(results().at(-1)).toMatchObject({ id: "c2", success: true });
  });

  test("does not leave the mark waiting for ever", async () => {
    script = [failing];
    await welcome();
    await dispatch("c1");
    expect(events).toContain("refusal heard");
  });

  test("is told even when the mark is refused", async () => {
    script = [failing];
    await welcome();
    await dispatch("c1");
    tell({ type: "error", code: "NOT_STORED", message: "disk full", commandId: "c1" });
    await clock.advanceAsync(1_000);
    tell({ type: "result.stored", commandId: "c1" });
    await dispatch("c2");
    expect(results().map(({ id }) => id)).toEqual(["c1", "c1", "c2"]);
  });
});

describe("a receipt that a person called not printed", () => {
  const OPEN = new MustStayOpen();

  test("is left as it stands, and that is told at once", async () => {
    resolutions = [OPEN];
    await welcome();
    await ask("c1", true);
    expect(finishing).toEqual([false]);
    expect(results()).toMatchObject([{ errorCode: "E301", data: { outcome: "unknown" } }]);
  });

  test("is left so too when it was in doubt here already", async () => {
    script = [doubt];
    resolutions = [OPEN];
    await welcome();
    refusals = [new FiscalError("E100", "refused")];
    await dispatch("c1");
    await ask("c1", true);
    expect(finishing).toEqual([false]);
    expect(results()).toMatchObject([{ id: "c1", errorCode: "E301" }]);
  });

  test.each([true, false])("is asked again where it need not stay open: %p", async (called) => {
    resolutions = [new FiscalError("E301", "a receipt is open")];
    await welcome();
    await ask("c1", called);
    expect(finishing).toEqual([!called, !called]);
    expect(results()).toMatchObject([{ errorCode: "E102", data: { outcome: "not_printed" } }]);
  });
});

describe("what the gateway says", () => {
  test("a refused mark ends the command without a result, because it has ended already", async () => {
    storesMarks = false;
    script = [(progress) => progress.mark("baseline", {})];
    await welcome();
    await dispatch("c1");
    tell({ type: "error", code: "FINAL", message: "ended", commandId: "c1" });
    await clock.advanceAsync(0);
    expect(results()).toEqual([]);
    await dispatch("c2");
    expect(results()).toMatchObject([{ id: "c2", success: true }]);
  });

  test("a mark that could not be written fails the command as not printed", async () => {
    storesMarks = false;
    script = [(progress) => progress.mark("baseline", {})];
    await welcome();
    await dispatch("c1");
    tell({ type: "error", code: "NOT_STORED", message: "disk full", commandId: "c1" });
    await clock.advanceAsync(0);
    expect(results()).toMatchObject([{ errorCode: "E901", data: { outcome: "not_printed" } }]);
  });

  test("a repeated dispatch is answered with the result until that is stored", async () => {
    await welcome();
    await dispatch("c1");
    await dispatch("c1");
    expect(events.filter((event) => event === "execute c1")).toHaveLength(1);
    expect(results()).toHaveLength(2);
  });

  test("a command whose time is over is not begun", async () => {
    refusals = Array.from({ length: 60 }, () => new FiscalError("E100", "refused"));
    await welcome();
    await dispatch("c1");
    await clock.advanceAsync(400_000);
    expect(events.filter((event) => event.startsWith("execute"))).toEqual([]);
    expect(results()).toEqual([]);
  });

  test("new settings open another line, and what was out is taken up there", async () => {
    await welcome();
    const moved = { ...DEVICE, connectionParams: { host: "other", port: 2 } };
    tell({ type: "device.assigned", device: moved });
    await clock.advanceAsync(0);
    expect(events).toEqual(["connect", "close", "connect"]);
  });

  test("a new name leaves the line alone", async () => {
    await welcome();
    tell({ type: "device.assigned", device: { ...DEVICE, name: "Bar" } });
    await clock.advanceAsync(0);
    expect(events).toEqual(["connect"]);
  });
});

describe("a connection that was made anew", () => {
  const marks = () =>
    told.flatMap((message) => (message.type === "command.mark" ? [message.epoch] : []));

  test("leaves the lines alone, and hears how things stand and what has ended", async () => {
    await welcome();
    await dispatch("c1");
    told.length = 0;
    await welcome();
    expect(events.filter((event) => event === "connect")).toHaveLength(1);
    const types = told.map(({ type }) => type);
    expect(types).toEqual(["device.announce", "device.status", "command.result"]);
    expect(told[0]).toMatchObject({ link: "up", info: INFO });
  });

  test("hears of a line that is down why it is", async () => {
    refusals = Array.from({ length: 9 }, () => LOST);
    await welcome();
    told.length = 0;
    await welcome();
    expect(told).toMatchObject([{ type: "device.announce", link: "down", reason: "lost" }]);
  });

  test("ends the line to a device that is another controller's now", async () => {
    await welcome();
    await welcome([]);
    expect(events).toEqual(["connect", "close"]);
  });

  test("a mark that nobody answered is told again when the command is handed over again", async () => {
    storesMarks = false;
    script = [(progress) => progress.mark("baseline", {})];
    await welcome();
    await dispatch("c1");
    await welcome();
    await dispatchAgain("c1", 2);
    expect(marks()).toEqual([1, 1, 2]);
    tell({ type: "mark.stored", commandId: "c1", mark: "baseline" });
    await clock.advanceAsync(0);
    expect(events.filter((event) => event === "execute c1")).toHaveLength(1);
    expect(results()).toMatchObject([{ id: "c1", success: true }]);
  });

  test("a mark of a command that ended meanwhile is told again, and its refusal sets the device free", async () => {
    storesMarks = false;
    script = [(progress) => progress.mark("baseline", {})];
    await welcome();
    await dispatch("c1");
    // The refusal got lost with the connection, and nothing of the command is handed over again.
    await welcome();
    expect(marks()).toEqual([1, 1]);
    tell({ type: "error", code: "FINAL", message: "ended", commandId: "c1", epoch: 1 });
    await clock.advanceAsync(0);
    expect(results()).toEqual([]);
    await dispatch("c2", "get_status");
    expect(results()).toMatchObject([{ id: "c2", success: true }]);
  });

  test("what was said under the hand-over before may be refused: the command goes on", async () => {
    storesMarks = false;
    script = [(progress) => progress.mark("baseline", {})];
    await welcome();
    await dispatch("c1");
    await dispatchAgain("c1", 2);
    tell({ type: "error", code: "STALE", message: "anew", commandId: "c1", epoch: 1 });
    tell({ type: "mark.stored", commandId: "c1", mark: "baseline" });
    await clock.advanceAsync(0);
    expect(results()).toMatchObject([{ id: "c1", success: true }]);
    tell({ type: "error", code: "STALE", message: "anew", commandId: "c1", epoch: 1 });
    await dispatchAgain("c1", 3);
    expect(results()).toHaveLength(2);
  });
});

test("a result that was kept is told after a restart, and the device is left alone", async () => {
  const kept = new Map<string, KeptResult>();
  const keeper: ResultKeeper = {
    all: () => [...kept.values()],
    keep: (one) => kept.set(one.commandId, one),
    answered: () => undefined,
    forget: (commandId) => kept.delete(commandId),
  };
  await controller.stop();
  start(keeper);
  await welcome();
  await dispatch("c1");
  await controller.stop();
  start(keeper);
  await welcome();
  await dispatchAgain("c1", 2);
  expect(events.filter((event) => event === "execute c1")).toHaveLength(1);
  expect(told.at(-1)).toMatchObject({ type: "command.result", commandId: "c1", epoch: 2 });
  tell({ type: "result.stored", commandId: "c1" });
  await clock.advanceAsync(0);
  expect(kept.size).toBe(0);
});
