import { describe, expect, test } from "bun:test";
import { connect, type NetConnectOpts, type Socket } from "node:net";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import type { Pace } from "./bench.ts";
import { checkController, type ScenarioOutcome } from "./check.ts";

/** What a controller that was written wrongly does. */
interface Fault {
  readonly query?: string;
  readonly subprotocol?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly info?: Readonly<Record<string, unknown>>;
  /** What it says to a dispatch in place of carrying it out. */
  readonly answers?: (order: Dispatch) => unknown[];
  /** What it says when a mark was stored. */
  readonly goesOn?: (order: Dispatch, mark: string) => unknown[];
  /** It carries nothing out while it has a sale. */
  readonly holdsSale?: "until refused" | "for good";
  /** It answers the first ping, and carries nothing out any more. */
  readonly stopsAtPing?: true;
  readonly comesBack?: true;
  /** It opens a connection to the printer, and closes it never. */
  readonly keepsLine?: true;
  readonly patienceMs?: number;
  /** Told of what the check says. */
  readonly hears?: (message: ToController) => void;
}

type Dispatch = Extract<ToController, { type: "command.dispatch" }>;

/** It fails at once, or has done so long before. */
const PACE: Pace = { answerMs: 200, quietMs: 20, reconnectMs: 200, awayMs: 20 };
const QUERY = "controllerId=t&marks=1";
const PATH = "/api/v1/controllers/connect";
/** As the simulated printer of the check has them. */
const INFO = {
  ...{ serialNumber: "DT577430", firmwareVersion: null, fiscalMemorySerialNumber: "02577430" },
  ...{ manufacturer: null, model: null },
};

/** A controller that has no printer. */
class Controller {
  readonly #fault: Fault;
  readonly #port: number;
  #socket: WebSocket | undefined;
  #line: Socket | undefined;
  #isOver = false;
  #hasStopped = false;
  #sale: Dispatch | undefined;
  #waiting: Dispatch[] = [];

  constructor(fault: Fault, port: number) {
    this.#fault = fault;
    this.#port = port;
    this.#connect();
  }

  end(): void {
    this.#isOver = true;
    this.#socket?.terminate();
    this.#line?.destroy();
  }

  #connect(): void {
    const { query = QUERY, subprotocol = "fdg.v1", headers } = this.#fault;
    const socket = new WebSocket(`ws://127.0.0.1:${this.#port}${PATH}?${query}`, {
      protocols: [subprotocol],
      headers: headers ?? { authorization: "Bearer key" },
    });
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#hear(JSON.parse(String(data))));
    socket.addEventListener("close", () => {
      if (this.#fault.comesBack && !this.#isOver) this.#connect();
    });
  }

  #say(messages: readonly unknown[]): void {
    for (const message of messages) this.#socket?.send(JSON.stringify(message));
  }

  #hear(order: ToController): void {
    const { hears, goesOn, info, holdsSale } = this.#fault;
    hears?.(order);
    if (order.type === "welcome") {
      for (const { id: deviceId, connectionParams } of order.devices) {
        this.#say([{ type: "device.announce", deviceId, link: "up", info: { ...INFO, ...info } }]);
        if (this.#fault.keepsLine) this.#line ??= connect(connectionParams as NetConnectOpts);
      }
    }
    if (order.type === "ping") {
      this.#say([{ type: "pong" }]);
      this.#hasStopped = this.#fault.stopsAtPing ?? false;
    }
    if (order.type === "command.dispatch") this.#take(order);
    if (order.type === "mark.stored" && this.#sale) {
      this.#say(goesOn?.(this.#sale, order.mark) ?? []);
    }
    if (order.type === "error" && holdsSale === "until refused") this.#letGo();
  }

  #take(order: Dispatch): void {
    const { answers, holdsSale } = this.#fault;
    if (this.#hasStopped || (this.#sale && holdsSale)) {
      this.#waiting.push(order);
      return;
    }
    const isSale = order.command.type === "print_receipt";
    if (isSale) this.#sale = order;
    const done = [resultOf(order, { success: true, data: {} })];
    this.#say(isSale && answers ? answers(order) : done);
  }

  #letGo(): void {
    this.#sale = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const order of waiting) this.#take(order);
  }
}

/** Connects a controller, and tells what the check says of it. */
async function tried(fault: Fault): Promise<readonly ScenarioOutcome[]> {
  const outcomes: ScenarioOutcome[] = [];
  let controller: Controller | undefined;
  const end = await checkController({
    ...{ listen: { host: "127.0.0.1", port: 0 }, host: "127.0.0.1" },
    ...{ patienceMs: fault.patienceMs ?? 60_000, pace: PACE },
    listening: (port) => {
      controller = new Controller(fault, port);
    },
    told: (outcome) => outcomes.push(outcome),
  });
  controller?.end();
  expect(end).toBe("failed");
  return outcomes;
}

function resultOf(
  { command, device, epoch }: Dispatch,
  result: Extract<ToGateway, { type: "command.result" }>["result"],
) {
  return { type: "command.result", deviceId: device.id, commandId: command.id, epoch, result };
}
const markOf = ({ command, epoch }: Dispatch, mark: string) => ({
  ...{ type: "command.mark", commandId: command.id, epoch, mark },
});
const failureOf = (outcomes: readonly ScenarioOutcome[], name: string) =>
  outcomes.find((outcome) => outcome.name === name)?.failure;

describe("a controller that", () => {
  test("does not say how far it is", async () => {
    const outcomes = await tried({ query: "controllerId=t" });
    expect(failureOf(outcomes, "connects")).toContain("marks=1");
  });

  test("does not offer the subprotocol", async () => {
    const outcomes = await tried({ subprotocol: "other" });
    expect(failureOf(outcomes, "connects")).toContain("subprotocol fdg.v1");
  });

  test("sends no key, or sends it as the till does", async () => {
    const [without, asTills] = await Promise.all([
      tried({ headers: {} }),
      tried({ headers: { "x-api-key": "key" }, info: { serialNumber: "DT1" } }),
    ]);
    expect(failureOf(without, "connects")).toContain("Authorization: Bearer KEY");
    expect(failureOf(asTills, "connects")).toBeUndefined();
  });

  test("takes its printer for another one", async () => {
    const outcomes = await tried({ info: { fiscalMemorySerialNumber: "00000000" } });
    expect(failureOf(outcomes, "serves its device")).toBe(
      "info.fiscalMemorySerialNumber is 00000000, and the printer's is 02577430",
    );
  });

  test("prints without asking", async () => {
    const outcomes = await tried({
      answers: (order) => [resultOf(order, { success: true, fiscalId: "1" })],
    });
    expect(failureOf(outcomes, "serves its device")).toBeUndefined();
    expect(failureOf(outcomes, "answers a ping")).toBeUndefined();
    expect(failureOf(outcomes, "prints a sale")).toBe(
      "the command ended before the mark that is due: success",
    );
    expect(failureOf(outcomes, "prints no repeated dispatch")).toBe(
      "the result says printed, and the printer says not_printed",
    );
  });

  test("repeats another epoch", async () => {
    const outcomes = await tried({
      answers: (order) => [{ ...resultOf(order, { success: false }), epoch: 7 }],
    });
    expect(failureOf(outcomes, "prints no repeated dispatch")).toBe(
      "the result repeats epoch 7, and the command was handed over as 1",
    );
  });

  test("begins with another mark", async () => {
    const outcomes = await tried({
      answers: ({ command, epoch }) => [
        { type: "command.mark", commandId: command.id, epoch, mark: "opened" },
      ],
    });
    expect(failureOf(outcomes, "prints a sale")).toBe("its first mark is opened");
  });

  test("says what is no message", async () => {
    const outcomes = await tried({ answers: () => [{ type: "command.done" }] });
    expect(failureOf(outcomes, "speaks the protocol")).toContain("UNKNOWN_TYPE");
  });

  test("announces its device in no message", async () => {
    const errors: unknown[] = [];
    const outcomes = await tried({
      info: { model: undefined },
      hears: (message) => {
        if (message.type === "error") errors.push(message);
      },
    });
    expect(failureOf(outcomes, "connects")).toBeUndefined();
    expect(failureOf(outcomes, "serves its device")).toMatch(
      /^no device.announce within 0.2 s; refused was INVALID_MESSAGE: info.model: /,
    );
    expect(errors).toMatchObject([{ code: "INVALID_MESSAGE", deviceId: "dev_check" }]);
  });

  test("has a name that is none", async () => {
    const outcomes = await tried({ query: "controllerId=counter%20tablet", patienceMs: 1_000 });
    expect(failureOf(outcomes, "connects")).toBe(
      "no controller within 1 s; refused was VALIDATION_ERROR: controllerId: Expected 1 to 128 " +
        'characters of A-Z, a-z, 0-9, point, _ and -, not "counter tablet"',
    );
  });

  test("calls a success what it does not know", async () => {
    const outcomes = await tried({});
    expect(failureOf(outcomes, "refuses what it does not know")).toBe("it calls it a success");
  });

  test("keeps its line to a printer that is another's", async () => {
    const outcomes = await tried({ keepsLine: true });
    expect(failureOf(outcomes, "gives a device up")).toBe(
      "no end of its connection to the printer within 0.2 s",
    );
  });

  test("tells a result only when it is asked", async () => {
    const outcomes = await tried({
      comesBack: true,
      answers: (order) => [markOf(order, "baseline")],
      goesOn: (order, mark) =>
        mark === "baseline"
          ? [markOf(order, "committing")]
          : [resultOf(order, { success: true, fiscalId: "1" })],
    });
    expect(failureOf(outcomes, "keeps a result")).toBe(
      "no command.result behind the new welcome, unasked",
    );
  });

  test("is left waiting by one failure is tried with the rest all the same", async () => {
    const outcomes = await tried({
      holdsSale: "until refused",
      comesBack: true,
      answers: (order) => [markOf(order, "opened")],
    });
    expect(failureOf(outcomes, "prints a sale")).toBe("its first mark is opened");
    expect(failureOf(outcomes, "stops when it is refused")).toBeUndefined();
    expect(outcomes.every(({ isTried }) => isTried)).toBe(true);
  });

  test("never lets go of a sale is tried with nothing more", async () => {
    const outcomes = await tried({
      holdsSale: "for good",
      comesBack: true,
      answers: (order) => [markOf(order, "opened")],
    });
    const at = outcomes.findIndex(({ name }) => name === "prints a sale");
    expect(outcomes[at]?.failure).toBe("its first mark is opened");
    const others = outcomes.slice(at + 1, -1);
    expect(others.length).toBeGreaterThan(10);
    for (const { failure, isTried } of others) {
      expect(failure).toMatch(
        /^the controller still holds cmd_check_\d{4}: no result of get_status/,
      );
      expect(isTried).toBe(false);
    }
    expect(outcomes.at(-1)).toMatchObject({ name: "speaks the protocol", failure: undefined });
  });

  test("stops behind what it passed is tried with nothing more", async () => {
    const outcomes = await tried({ stopsAtPing: true });
    const at = outcomes.findIndex(({ name }) => name === "answers a ping");
    expect(outcomes[at]).toMatchObject({ failure: undefined, isTried: true });
    const others = outcomes.slice(at + 1, -1).map(({ failure, isTried }) => ({ failure, isTried }));
    const failure = "no result of get_status within 0.2 s";
    expect(others.length).toBeGreaterThan(10);
    expect(others).toEqual(others.map(() => ({ failure, isTried: false })));
  });
});

test("whoever asks with curl why is told what is wrong with the name", async () => {
  let answer: Promise<Response> | undefined;
  await checkController({
    ...{ listen: { host: "127.0.0.1", port: 0 }, host: "127.0.0.1" },
    ...{ patienceMs: 200, pace: PACE },
    listening: (port) => {
      answer = fetch(`http://127.0.0.1:${port}${PATH}?controllerId=counter%20tablet`);
    },
    told: () => undefined,
  });
  const body = await (await answer)?.json();
  expect(body).toMatchObject({ error: { code: "VALIDATION_ERROR" } });
});

test("a check to which no controller came says so", async () => {
  const end = await checkController({
    ...{ listen: { host: "127.0.0.1", port: 0 }, host: "127.0.0.1" },
    ...{ patienceMs: 20, pace: PACE, listening: () => undefined, told: () => undefined },
  });
  expect(end).toBe("nobody");
});
