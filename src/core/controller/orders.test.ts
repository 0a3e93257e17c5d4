import { expect, test } from "bun:test";
import { readOrder } from "./orders.ts";

test.each([
  ["", "not a JSON object"],
  ["[]", 'no message of type ""'],
  ["7", "not a JSON object"],
  ['{"type":"constructor"}', 'no message of type "constructor"'],
  ['{"type":"later.version"}', 'no message of type "later.version"'],
  [
    '{"type":"mark.stored","commandId":"c","mark":"torn"}',
    "mark.stored with something else at mark",
  ],
])("%p is no message: %s", (text, fault) => {
  expect(readOrder(text)).toEqual({ fault });
});

test("a message of the gateway is read, with what a newer version adds", () => {
  const text = '{"type":"result.stored","commandId":"c","new":1}';
  expect(readOrder(text)).toMatchObject({ type: "result.stored", commandId: "c" });
});

test.each([
  ["of this version", "2026-01-15T10:03:00.000Z"],
  ["of version 0.1.0", Date.parse("2026-01-15T10:03:00Z")],
])("the end of a command's time is read from a gateway %s", (_, expiresAt) => {
  const device = {
    ...{ id: "dev_1", orgId: "org", name: "Till", driver: "vendorA.isl", transport: "tcp" },
    ...{ connectionParams: { host: "h", port: 1 }, timezone: "UTC", currency: "RON" },
  };
  const command = { id: "cmd_1", type: "get_status", payload: {} };
  const times = { expiresAt, expiresInMs: 180_000, begun: false };
  const text = JSON.stringify({ type: "command.dispatch", command, device, epoch: 1, ...times });
  expect(readOrder(text)).toMatchObject({ expiresAt: "2026-01-15T10:03:00.000Z" });
});
