import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LINE, OPEN, removeFolders, SmallDevice } from "../testing/small-device.ts";
import { cancelReceipt, openSale, sellLine } from "./receipt-rules.ts";
import { closeDay, moveCash, printDuplicate } from "./service-rules.ts";
import { StateFileError } from "./state-file.ts";

afterAll(removeFolders);

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-state-"));
  path = join(folder, "device.state");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Something of everything, as separate changes. */
const CHANGES: readonly ((device: SmallDevice) => void)[] = [
  (device) => device.allow(moveCash(device.context, 500)),
  (device) => device.print({ name: "Кафе" }),
  (device) => device.allow(printDuplicate(device.context)),
  (device) => device.memory.setConditions({ paper: "low" }),
  (device) => device.allow(closeDay(device.context)),
  (device) => device.print({ priceMinor: 250 }),
  (device) => device.allow(openSale(device.context, OPEN)),
  (device) => device.allow(sellLine(device.context, LINE)),
  (device) => device.allow(cancelReceipt(device.context)),
  (device) => device.allow(openSale(device.context, OPEN)),
  (device) => device.allow(sellLine(device.context, LINE)),
];

describe("the state file", () => {
  test("gives the same books again, open receipt and paper included", () => {
    const device = new SmallDevice({ path });
    for (const change of CHANGES) change(device);
    const before = device.plain();
    device.file.close();
    const again = new SmallDevice({ path });
    expect(again.plain()).toEqual(before);
    again.file.close();
  });

  test("holds a change whole or not at all, wherever the process is killed", () => {
    const device = new SmallDevice({ path });
    const states = [{ bytes: statSync(path).size, books: device.plain() }];
    for (const change of CHANGES) {
      change(device);
      states.push({ bytes: statSync(path).size, books: device.plain() });
    }
    device.file.close();
    const content = readFileSync(path);
    const begin = states[0]?.bytes ?? 0;
    const torn = join(folder, "torn.state");
    for (let bytes = begin; bytes <= content.length; bytes += 1) {
      writeFileSync(torn, content.subarray(0, bytes));
      const expected = states.findLast((state) => state.bytes <= bytes);
      // Changes of several lines stand between two states; there the last whole line counts.
      const lineEnd = content.subarray(0, bytes).lastIndexOf("\n") + 1;
      const again = new SmallDevice({ path: torn });
      expect(statSync(torn).size).toBe(lineEnd);
      if (expected?.bytes === lineEnd) expect(again.plain()).toEqual(expected.books);
      again.file.close();
    }
  });

  test("goes on after a torn line as if it had never begun", () => {
    const device = new SmallDevice({ path });
    device.print();
    device.file.close();
    const whole = readFileSync(path);
    writeFileSync(path, Buffer.concat([whole, Buffer.from('{"entry":"cash_mo')]));
    const again = new SmallDevice({ path });
    again.print();
    again.file.close();
    const last = new SmallDevice({ path });
    expect(last.books.receipts.count).toBe(2);
    last.file.close();
  });

  test("ends where a power cut kept bytes from the disk, and goes on from there", () => {
    const device = new SmallDevice({ path });
    device.print();
    const whole = device.plain();
    const { size } = statSync(path);
    device.print({ priceMinor: 250 });
    device.file.close();
    const content = readFileSync(path);
    // The first bytes of the second receipt are missing; the rest of it got there.
    writeFileSync(path, content.fill(0, size + 3, size + 40));
    const again = new SmallDevice({ path });
    expect(again.plain()).toEqual(whole);
    again.print();
    expect(again.books.receipts.count).toBe(2);
    again.file.close();
  });

  test("is written anew when it has grown, and holds the same", () => {
    const device = new SmallDevice({ path, compactBytes: 4_000 });
    let largest = 0;
    let shrank = false;
    for (let round = 0; round < 400; round += 1) {
      const before = statSync(path).size;
      device.allow(
        openSale({ ...device.context, model: { ...device.memory.model, documentsMax: 1e6 } }, OPEN),
      );
      device.allow(cancelReceipt(device.context));
      device.memory.setConditions({ paper: round % 2 === 0 ? "low" : "ok" });
      const size = statSync(path).size;
      if (size < before) shrank = true;
      largest = Math.max(largest, size);
    }
    expect(shrank).toBe(true);
    expect(existsSync(`${path}.new`)).toBe(false);
    const before = device.plain();
    device.file.close();
    const again = new SmallDevice({ path });
    expect(again.plain()).toEqual(before);
    again.file.close();
  });

  test("keeps finished receipts when it is written anew", () => {
    const device = new SmallDevice({ path, compactBytes: 3_000 });
    for (let count = 0; count < 15; count += 1) device.print();
    const before = device.plain();
    device.file.close();
    expect(readFileSync(path, "utf8")).toContain('{"receipt":');
    const again = new SmallDevice({ path });
    expect(again.plain()).toEqual(before);
    again.file.close();
  });

  test("is not left damaged by a write that failed half-way through being made anew", () => {
    const device = new SmallDevice({ path });
    device.print();
    device.file.close();
    writeFileSync(`${path}.new`, "half of a new fi");
    const again = new SmallDevice({ path });
    expect(again.books.receipts.count).toBe(1);
    again.file.close();
  });

  test.each([
    ["another model's", { driver: "vendorA.isl", model: "large" }, /belongs to/],
    ["another driver's", { driver: "vendorB.isl", model: "small" }, /belongs to/],
  ])("is refused when it is %s", (_, identity, message) => {
    new SmallDevice({ path }).file.close();
    expect(() => new SmallDevice({ path, identity })).toThrow(message);
  });

  test.each([
    ["text", "hello\n", /damaged/],
    ["other JSON", '{"a":1}\n', /not the state file/],
    ["empty", "", /not the state file/],
  ])("is refused when it is %s", (_, content, message) => {
    writeFileSync(path, content);
    expect(() => new SmallDevice({ path })).toThrow(message);
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  test("is refused when a line in its middle is damaged", () => {
    const device = new SmallDevice({ path });
    device.print();
    device.print();
    device.file.close();
    const lines = readFileSync(path, "utf8").split("\n");
    lines[4] = "garbage";
    writeFileSync(path, lines.join("\n"));
    expect(() => new SmallDevice({ path })).toThrow(StateFileError);
  });
});
