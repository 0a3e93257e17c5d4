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

const NOON = "2026-01-15T12:00:00.000Z";
const device = {
  ...{ id: "dev_1", orgId: "org", name: "Till", driver: "vendorA.isl", transport: "tcp" },
  ...{ connectionParams: { host: "h", port: 1 }, timezone: "UTC", currency: "RON" },
};

test.each([
  ["of this version", NOON],
  ["of version 0.1.0", Date.parse(NOON)],
])("the instants of a command are read from a gateway %s", (_, at) => {
  const original = { id: "rcp_1", issuedAt: at, createdAt: at, totalMinor: 300 };
  const command = { id: "cmd_1", type: "void_receipt", payload: { receiptId: "27" }, original };
  const order = { command, device, epoch: 1 };
  const times = { expiresAt: at, expiresInMs: 180_000, begun: false };
  const asText = { ...command, original: { ...original, issuedAt: NOON, createdAt: NOON } };
  const dispatch = { type: "command.dispatch", ...order, ...times };
  expect<unknown>(readOrder(JSON.stringify(dispatch))).toEqual({
    ...dispatch,
    ...{ command: asText, expiresAt: NOON },
  });
  const resolve = { type: "command.resolve", ...order, mark: "committing", baseline: { at } };
  expect<unknown>(readOrder(JSON.stringify(resolve))).toEqual({ ...resolve, command: asText });
});

test.each([
  ["no instant", "yesterday"],
  ["no number that a date can hold", 1e300],
  ["nothing", null],
])("an original with %s in it is no receipt", (_, issuedAt) => {
  const original = { issuedAt, createdAt: NOON };
  const command = { id: "cmd_1", type: "void_receipt", payload: {}, original };
  const rest = { device, epoch: 1, mark: "committing", baseline: {} };
  expect(readOrder(JSON.stringify({ type: "command.resolve", command, ...rest }))).toEqual({
    fault: "command.resolve with something else at command.original.issuedAt",
  });
});
