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
