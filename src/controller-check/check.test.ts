import { describe, expect, test } from "bun:test";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import type { Pace } from "./bench.ts";
import { checkController, type ScenarioOutcome } from "./check.ts";

/** What a controller that was written wrongly does. */
interface Fault {
  readonly query?: string;
  readonly subprotocol?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly info?: Partial<typeof INFO>;
  /** What it says to a dispatch in place of carrying it out. */
  readonly answers?: (order: Extract<ToController, { type: "command.dispatch" }>) => unknown[];
}

/** It fails at once, or has done so long before. */
const PACE: Pace = { answerMs: 200, quietMs: 20, reconnectMs: 200, awayMs: 20 };
/** As the simulated printer of the check has them. */
const INFO = {
  ...{ serialNumber: "DT577430", firmwareVersion: null, fiscalMemorySerialNumber: "02577430" },
  ...{ manufacturer: null, model: null },
};

/** Connects a controller that has no printer, and tells what the check says of it. */
async function tried(fault: Fault): Promise<readonly ScenarioOutcome[]> {
  const outcomes: ScenarioOutcome[] = [];
  const sockets: WebSocket[] = [];
  const connect = (port: number): void => {
    const { query = "controllerId=t&marks=1", subprotocol = "fdg.v1" } = fault;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/controllers/connect?${query}`, {
      protocols: [subprotocol],
      headers: fault.headers ?? { authorization: "Bearer key" },
    });
    sockets.push(socket);
    const say = (message: unknown) => socket.send(JSON.stringify(message));
    socket.addEventListener("message", ({ data }) => {
      const order: ToController = JSON.parse(String(data));
      if (order.type === "welcome") {
        for (const { id } of order.devices) {
          say({
            type: "device.announce",
            deviceId: id,
            link: "up",
            info: { ...INFO, ...fault.info },
          });
        }
      }
      if (order.type === "ping") say({ type: "pong" });
      if (order.type === "command.dispatch") for (const one of answersTo(order)) say(one);
    });
  };
  const answersTo = (order: Extract<ToController, { type: "command.dispatch" }>): unknown[] =>
    order.command.type === "print_receipt" && fault.answers
      ? fault.answers(order)
      : [resultOf(order, { success: true, data: {} })];
  const isGood = await checkController({
    ...{ listen: { host: "127.0.0.1", port: 0 }, host: "127.0.0.1" },
    ...{ patienceMs: 60_000, pace: PACE },
    listening: connect,
    told: (outcome) => outcomes.push(outcome),
  });
  expect(isGood).toBe(false);
  for (const socket of sockets) socket.terminate();
  return outcomes;
}

function resultOf(
  { command, device, epoch }: Extract<ToController, { type: "command.dispatch" }>,
  result: Extract<ToGateway, { type: "command.result" }>["result"],
) {
  return { type: "command.result", deviceId: device.id, commandId: command.id, epoch, result };
}
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
});
