import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeviceMemory } from "../books/memory.ts";
import { cancelReceipt, closeReceipt, openSale, pay, sellLine } from "../books/receipt-rules.ts";
import { closeDay, printDuplicate, setVat } from "../books/service-rules.ts";
import { LINE, OPEN, removeFolders, SmallDevice } from "../testing/small-device.ts";
import { PaperFolder } from "./folder.ts";
import { layDocument, type PaperLayout, renderDocument } from "./layout.ts";

afterAll(removeFolders);

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

const ROMANIAN: PaperLayout = { ...LAYOUT, columns: 32, language: "ro" };

test("paper for training speaks the language of its model, other paper what is told of a journal", () => {
  device.print({ name: "Cafea", priceMinor: 1200 });
  const [document] = device.books.recent;
  if (!document) throw new Error("nothing was printed");
  const paperOf = (layout: PaperLayout) =>
    renderDocument(document, device.books, layout).join("\n");
  expect(paperOf({ ...ROMANIAN, isMarked: true })).toBe(`\
           SIMULATED
    NU ESTE DOCUMENT FISCAL
              SHOP
           123456789
--------------------------------
Operator 1                Casa 1
Cafea                    12.00 B
TOTAL                      12.00
Numerar                    12.00
B 20.00% 12.00              2.00
15.03.2024 14:00:00      0000001
           SIMULATED
--------------------------------
DT000001                02000001
           SIMULATED
    NU ESTE DOCUMENT FISCAL
`);
  expect(paperOf(ROMANIAN)).toBe(paperOf({ ...LAYOUT, columns: 32 }));
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

describe("paper that is printed", () => {
  const paper = () =>
    device.books.recent.map((document) =>
      renderDocument(document, device.books, LAYOUT).join("\n"),
    );
  const name = (text: string) =>
    device.memory.commit({ entry: "line_set", place: "header", index: 0, text });
  const thank = (text: string) =>
    device.memory.commit({ entry: "line_set", place: "footer", index: 0, text });

  test("keeps the header and footer that it was printed with", () => {
    device.print();
    const [before] = paper();
    name("NEW SHOP");
    thank("THANKS");
    name("NEWER SHOP");
    device.print();
    const [kept, later] = paper();
    expect(kept).toBe(before ?? "");
    expect(later).toContain("NEWER SHOP");
    expect(later).toContain("THANKS");
  });

  test("keeps the logo, and that it was switched off", () => {
    const layout = { ...LAYOUT, logoSetting: "LogoPrint" };
    const pictures = () =>
      device.books.recent.map((document) => {
        const lines = layDocument(document, device.books, layout);
        return lines.flatMap((line) => (line.kind === "picture" ? [line.picture] : []));
      });
    device.print();
    device.memory.commit({ entry: "logo_row", row: 0, dots: "f0" });
    device.print();
    const [, first] = pictures();
    device.memory.commit({ entry: "logo_row", row: 1, dots: "0f" });
    device.print();
    device.memory.commit({ entry: "setting", name: "LogoPrint", value: "0" });
    device.print();
    const [none, kept, both, off] = pictures();
    expect([none, off]).toEqual([[], []]);
    expect(kept).toEqual(first ?? []);
    expect(both?.[0]?.height).toBe(2);
  });

  test("has the header of its beginning and the footer of its end", () => {
    device.allow(openSale(device.context, OPEN));
    name("NEW SHOP");
    thank("THANKS");
    device.allow(sellLine(device.context, LINE));
    device.allow(pay(device.context, { tender: "cash", amountMinor: undefined }));
    device.allow(closeReceipt(device.context));
    const [receipt = ""] = paper();
    expect(receipt).not.toContain("NEW SHOP");
    expect(receipt).toContain("THANKS");
  });

  test("keeps the rates of its day, and so does its duplicate", () => {
    device.print();
    const [receipt = ""] = paper();
    const [line = ""] = receipt.match(/^B .*$/m) ?? [];
    device.allow(closeDay(device.context));
    const higher = device.books.vat.map((group) => ({ ...group, rateBasisPoints: 2_500 }));
    device.allow(setVat(device.context, higher));
    device.allow(printDuplicate(device.context));
    const [kept, , duplicate] = paper();
    expect(kept).toBe(receipt);
    expect(duplicate).toContain(line);
    device.print();
    expect(paper().at(-1)).toContain("B 25.00%");
  });

  test.each([
    ["replayed", undefined],
    ["written anew", 1],
  ])("is the same when its books were %s", (_, compactBytes) => {
    const options = {
      path: join(folder, "device.state"),
      ...(compactBytes ? { compactBytes } : {}),
    };
    device.file.close();
    device = new SmallDevice(options);
    device.print();
    name("NEW SHOP");
    device.print();
    const before = paper();
    device.file.close();
    device = new SmallDevice(options);
    expect(paper()).toEqual(before);
  });
});
