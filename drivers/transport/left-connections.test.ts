import { expect, test } from "bun:test";
import { hasUnheld, isLeftSending } from "./left-connections.ts";

const HEAD =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
/** The new line: from 10.213.7.1:55916 to port 9100 of 10.213.7.2. */
const OPEN =
  " 206: 0107D50A:DA6C 0207D50A:238C 01 00000000:00000000 00:00000000 00000000     0        0 3935392 1 00000000f9c5f843 20 0 0 11 -1";
const LINE = { family: "IPv4", ownPort: 0xda6c, port: 9100 } as const;

/** As the system lists it behind a process that was killed while the other end was away. */
function left(unacknowledged: string): string {
  return ` 210: 0107D50A:DA6B 0207D50A:238C 04 ${unacknowledged}:00000000 01:000012C8 00000008     0        0 0 2 00000000f9c5f844 5222 0 0 1 -1`;
}

test.each([
  ["bytes that it had sent", "0000000B", true],
  ["a single byte", "00000002", true],
  ["nothing but its end", "00000001", false],
  ["nothing", "00000000", false],
])("a killed process has left sending %s", (_title, unacknowledged, isSending) => {
  const list = [HEAD, OPEN, left(unacknowledged), ""].join("\n");
  expect(isLeftSending(LINE, list)).toBe(isSending);
});

test("what goes to another address holds up no line", () => {
  const other = left("0000000B").replace("0207D50A", "0307D50A");
  expect(isLeftSending(LINE, [HEAD, OPEN, other, ""].join("\n"))).toBe(false);
});

test.each([
  [
    "sockets: used 428\nTCP: inuse 198 orphan 0 tw 201 alloc 200 mem 0\nUDP: inuse 0 mem 0\n",
    false,
  ],
  [
    "sockets: used 428\nTCP: inuse 198 orphan 10 tw 201 alloc 200 mem 0\nUDP: inuse 0 mem 0\n",
    true,
  ],
  // A system that does not count them may list them.
  ["", true],
])("connections are looked for where the system counts %p", (counts, isLookedFor) => {
  expect(hasUnheld(counts)).toBe(isLookedFor);
});
