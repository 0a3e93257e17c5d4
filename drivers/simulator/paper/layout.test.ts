import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeviceMemory } from "../books/memory.ts";
import { cancelReceipt, openSale } from "../books/receipt-rules.ts";
import { printDuplicate } from "../books/service-rules.ts";
import { OPEN, SmallDevice } from "../testing/small-device.ts";
import { PaperFolder } from "./folder.ts";
import { type PaperLayout, renderDocument } from "./layout.ts";

const LAYOUT: PaperLayout = {
  columns: 24,
  groupLetters: ["A", "B", "C"],
  serialNumber: "DT000001",
  fiscalMemory: "02000001",
  taxId: "123456789",
};

let device: SmallDevice;
let folder: string;
beforeEach(() => {
  device = new SmallDevice();
  folder = mkdtempSync(join(tmpdir(), "fiscald-paper-"));
});
afterEach(() => {
  device.file.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a receipt is printed as wide as the model prints, total before tenders", () => {
  device.print({ name: "A name that is longer than the paper", priceMinor: 1200 });
  const [document] = device.books.recent;
  if (!document) throw new Error("nothing was printed");
  expect(renderDocument(document, device.books, LAYOUT).join("\n")).toBe(`\
          SHOP
       123456789
------------------------
Operator 1        Till 1
A name that is longer th
an the paper
                 12.00 B
TOTAL              12.00
cash               12.00
B 20.00% 12.00      2.00
2024-03-15T14:00:00
                 0000001
     FISCAL RECEIPT
------------------------
DT000001        02000001
`);
});

test("every document goes to a file of its own, and a duplicate says so", () => {
  const paper = new PaperFolder(folder);
  device.print();
  device.allow(printDuplicate(device.context));
  for (const document of device.books.recent) {
    paper.keep(document, renderDocument(document, device.books, LAYOUT));
  }
  expect(readdirSync(folder).sort()).toEqual(["0000001-receipt.txt", "0000002-duplicate.txt"]);
  expect(readFileSync(join(folder, "0000002-duplicate.txt"), "utf8")).toContain("DUPLICATE");
});

test("the folder drops its oldest file when it is full, and no file that is not its own", () => {
  for (let number = 1; number <= 20; number += 1) {
    writeFileSync(join(folder, `${String(number).padStart(7, "0")}-receipt.txt`), "");
  }
  writeFileSync(join(folder, "0-notes.txt"), "");
  const paper = new PaperFolder(folder, 20);
  device.print();
  const [document] = device.books.recent;
  if (!document) throw new Error("nothing was printed");
  paper.keep({ ...document, number: 21 }, ["x"]);
  const names = readdirSync(folder);
  expect(names).toHaveLength(21);
  expect(names).not.toContain("0000001-receipt.txt");
  expect(names).toContain("0-notes.txt");
});

test("what is registered without paper is printed when there is paper again", () => {
  const printed: number[] = [];
  const memory = new DeviceMemory({
    file: device.file,
    model: device.memory.model,
    now: () => device.now,
    printed: ({ number }) => printed.push(number),
  });
  const open = () => memory.carryOut(openSale(memory.context(), OPEN));
  open();
  memory.setConditions({ paper: "out", printingWaits: true });
  memory.carryOut(cancelReceipt(memory.context()));
  expect(printed).toEqual([]);
  memory.setConditions({ paper: "ok", printingWaits: false });
  expect(printed).toEqual([1]);
});
