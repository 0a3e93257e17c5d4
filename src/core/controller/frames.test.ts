import { expect, test } from "bun:test";
import { isFault, readFrame } from "./frames.ts";

const NOON = "2026-01-15T12:00:00.000Z";
const entryAt = (at: unknown) => ({
  ...{ kind: "line", number: 1, at, times: 1, lastAt: at, event: "opened", text: "till:9100" },
});
const entriesAt = (at: unknown) => {
  const message = { type: "trace.entries", requestId: "r", ended: false, entries: [entryAt(at)] };
  return readFrame(JSON.stringify(message));
};

test.each([
  ["of this version", NOON],
  ["of version 0.1.0", Date.parse(NOON)],
])("the times of a line's entries are read from a controller %s", (_, at) => {
  expect(entriesAt(at)).toMatchObject({ entries: [entryAt(NOON)] });
});

test.each([["yesterday"], ["2026-02-31T12:00:00Z"], [1e300], [-1e300], [null], [{}]])(
  "%p is no time of an entry",
  (at) => {
    expect(isFault(entriesAt(at))).toBe(true);
  },
);

test.each([
  [{ ...entryAt(NOON), event: "rang" }, "entries.0.event: Expected one of: opened"],
  [{ ...entryAt(NOON), text: 7 }, "entries.0.text: Expected"],
  ["a line", "entries.0: Expected object"],
])("the fault of the entry %j is that of the kind that it is of", (entry, fault) => {
  const message = { type: "trace.entries", requestId: "r", ended: false, entries: [entry] };
  expect(readFrame(JSON.stringify(message))).toMatchObject({
    fault: expect.stringMatching(new RegExp(`^${fault}[^;]*$`)),
  });
});

test("halves of characters that no JSON may hold are read as U+FFFD, wherever they stand", () => {
  const half = "\\ud83d";
  const message = `{ "type": "command.result", "commandId": "cmd_${half}", "epoch": 1, "result": { "success": true,
    "fiscalId": "1${half}", "data": { "receiptNumber": "${half}2", "n${half}": ["a${half}", "\\ud83d\\ude00"] } } }`;
  expect(readFrame(message)).toMatchObject({
    commandId: "cmd_\ufffd",
    result: {
      fiscalId: "1\ufffd",
      data: { receiptNumber: "\ufffd2", "n\ufffd": ["a\ufffd", "😀"] },
    },
  });
  const note = {
    type: "device.note",
    deviceId: "dev_1",
    action: "line.reset",
    details: { a: "\ud800" },
  };
  expect(JSON.stringify(readFrame(JSON.stringify(note)))).not.toContain("\\ud800");
});
