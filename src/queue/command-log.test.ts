import { expect, test } from "bun:test";
import { acceptedCommand, type Command } from "#core/command/command.ts";
import type { GatewayEvent } from "#core/events.ts";
import { createEventBus } from "../events/bus.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { logCommandEnds } from "./command-log.ts";

const ACCEPTED = acceptedCommand({
  ...{ id: "cmd_1", orgId: "org", deviceId: "dev_1", type: "print_receipt", source: "api" },
  payload: { operatorPassword: "4711" },
  ...{ createdAt: 1_000, expiresAt: 181_000, simulated: false },
});
const SENT: Command = {
  ...ACCEPTED,
  ...{ seq: 1, status: "sent", controllerId: "builtin", epoch: 1, sentAt: 1_000 },
};

/** An event that tells of a command. */
type CommandEvent = Extract<GatewayEvent, { readonly command: Command }>["type"];

function logged(type: CommandEvent, command: Command): string {
  const lines: string[] = [];
  const bus = createEventBus(() => undefined);
  const sink = { write: (line: string) => lines.push(line) };
  logCommandEnds(bus, createLog({ level: "info", clock: new FakeClock(), sink }));
  const event = { type, orgId: command.orgId, command };
  bus.publish({ seq: 1, id: "evt_1", createdAt: 0, event });
  return lines.join("");
}

test("tells how a command ended and how long it took, and nothing of its payload", () => {
  const result = { success: true, fiscalId: "27", data: { recovered: true } };
  const line = logged("command.completed", {
    ...SENT,
    status: "completed",
    finishedAt: 1_250,
    result,
  });
  expect(JSON.parse(line)).toMatchObject({
    level: "info",
    msg: "command completed",
    commandId: "cmd_1",
    ms: 250,
    fiscalId: "27",
    recovered: true,
  });
  expect(line).not.toContain("4711");
});

test("warns of one that did not complete, with its code and outcome", () => {
  const result = { success: false, errorCode: "E306", data: { outcome: "not_printed" } } as const;
  const line = logged("command.failed", { ...SENT, status: "failed", finishedAt: 1_250, result });
  expect(JSON.parse(line)).toMatchObject({
    level: "warn",
    errorCode: "E306",
    outcome: "not_printed",
  });
});

test("is silent about one that is under way", () => {
  expect(logged("command.updated", SENT)).toBe("");
});

test("tells an end once, and not again when a person is asked of it", () => {
  const result = { success: false, errorCode: "E102", data: { outcome: "not_printed" } } as const;
  const ended: Command = { ...SENT, status: "failed", finishedAt: 1_250, result };
  expect(logged("command.updated", ended)).toBe("");
});
