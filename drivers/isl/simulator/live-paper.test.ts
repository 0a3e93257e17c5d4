import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../../simulator/paper/line.ts";
import type { PaperEvent } from "../../simulator/paper/roll.ts";
import { parseXml, type XmlElement } from "../../simulator/testing/xml.ts";
import { FORMS, type ModelName, Rig } from "./testing/rig.ts";

let rig: Rig;
afterEach(() => rig.end());

/** A black square of 16 x 16 dots, as a bitmap file. */
const LOGO = Buffer.concat([
  Buffer.from("424d7e000000000000003e000000280000001000000010000000010001", "hex"),
  Buffer.alloc(25),
  Buffer.from("00000000ffffff00", "hex"),
  Buffer.alloc(64),
]);

async function asksOk(...asked: readonly (readonly [number, string])[]): Promise<void> {
  for (const [command, text] of asked) {
    const answer = await rig.ask(command, text);
    if (rig.model === "x")
      expect({ command, answer: answer.slice(0, 2) }).toEqual({ command, answer: "0\t" });
  }
}

async function loadLogo(): Promise<void> {
  await asksOk([202, "START\t"], [202, `${LOGO.toString("base64")}\t`]);
  expect(await rig.ask(202, "STOP\t")).toMatch(/^0\t\d+$/);
}

async function picture(path: string): Promise<XmlElement[]> {
  const answer = await rig.control(path);
  expect(answer.headers.get("content-type")).toStartWith("image/svg+xml");
  return parseXml(await answer.text());
}

function named(elements: readonly XmlElement[], text: string): XmlElement {
  const found = elements.find((element) => element.text === text);
  if (!found) throw new Error(`no ${text} among ${elements.map((element) => element.text)}`);
  return found;
}

function images(elements: readonly XmlElement[]): number {
  return elements.filter(({ name }) => name === "image").length;
}

describe("the picture of a receipt", () => {
  test("shows logo, looks, bar codes and the code of the receipt as the device was told", async () => {
    rig = await Rig.start("x");
    await loadLogo();
    await asksOk(
      FORMS.x.open,
      FORMS.x.sale,
      [54, "<b>Thank & you</b>\t1\t0\t1\t1\t1\t"],
      [54, "plain\t\t\t\t\t\t"],
      [54, "right\t0\t1\t0\t0\t2\t"],
      [84, "2\t5901234123457\t"],
      [84, "4\thttps://shop.example\t3\t"],
      [92, "3\t"],
      FORMS.x.payment,
      [56, ""],
    );
    const elements = await picture("/paper/1.svg");
    const thanks = named(elements, "<b>Thank & you</b>").attributes;
    expect(thanks.class).toBe("b");
    expect(thanks.transform).toEndWith("scale(1 2)");
    expect(named(elements, "plain").attributes.class).toBeUndefined();
    expect(named(elements, "right").attributes).toMatchObject({ class: "i", x: "548" });
    expect(named(elements, "TOTAL").attributes.transform).toEndWith("scale(1 2)");
    named(elements, "5901234123457");
    named(elements, "FISCAL RECEIPT");
    named(elements, "BG");
    // Logo, EAN-13, the QR code that was asked for, and the one of the receipt.
    expect(images(elements)).toBe(4);

    await asksOk([255, "LogoPrint\t0\t0\t"], [109, ""]);
    const duplicate = await picture("/paper/2.svg");
    expect(images(duplicate)).toBe(3);
    expect(named(duplicate, "DUPLICATE").attributes.transform).toEndWith("scale(2 2)");
    const roll = await picture("/paper.svg");
    expect(roll.filter(({ attributes }) => attributes.class === "paper")).toHaveLength(2);
    expect(images(await picture("/paper.svg?last=1"))).toBe(3);
    expect((await rig.control("/paper/3.svg")).status).toBe(404);
  });

  test("shows the open receipt as far as it is, over a restart too", async () => {
    rig = await Rig.start("x");
    await loadLogo();
    await asksOk(FORMS.x.open, FORMS.x.sale, [54, "Bold\t1\t\t\t\t\t"]);
    await rig.switchOff();
    await rig.switchOn();
    const elements = await picture("/paper/1.svg");
    expect(named(elements, "Bold").attributes.class).toBe("b");
    expect(images(elements)).toBe(1);
    expect(elements.some(({ text }) => text === "TOTAL")).toBe(false);
  });

  test("refuses codes and rulers that the device does not know", async () => {
    rig = await Rig.start("x");
    expect(await rig.ask(92, "1\t")).not.toStartWith("0\t");
    await asksOk([38, ""], [92, "2\t"], [92, "4\t"]);
    expect(await rig.ask(84, "2\t590123412345\t")).not.toStartWith("0\t");
    expect(await rig.ask(84, "6\tstacked\t")).not.toStartWith("0\t");
    expect(await rig.ask(92, "5\t")).not.toStartWith("0\t");
    await asksOk([39, ""]);
    named(await picture("/paper/1.svg"), "НЕ СЕ ДЪЛЖИ ПЛАЩАНЕ");
  });

  test.each([
    ["p", 576],
    ["c", 384],
  ] as const)("of model %s shows a logo that came row by row", async (model, dots) => {
    rig = await Rig.start(model);
    for (const row of [0, 1, 2]) await rig.ask(115, `${row},${"F0".repeat(dots / 8)}`);
    await rig.ask(FORMS[model].open[0], FORMS[model].open[1]);
    const [image] = (await picture("/paper/1.svg")).filter(({ name }) => name === "image");
    expect(image?.attributes).toMatchObject({ width: String(dots), height: "3" });
  });

  test("goes to the folder beside the text", async () => {
    rig = new Rig("x");
    const paperFolder = join(rig.folder, "paper");
    await rig.switchOn({ paperFolder });
    await asksOk([69, "X\t"]);
    expect(readdirSync(paperFolder).sort()).toEqual(["0000001-x_report.txt", "0000001.svg"]);
    named(parseXml(readFileSync(join(paperFolder, "0000001.svg"), "utf8")), "X REPORT");
    expect(existsSync(join(paperFolder, "0000002.svg"))).toBe(false);
  });
});

describe("paper that is followed", () => {
  /** Lines as text, with `-- n` where document n was cut off. */
  async function startWatched(model: ModelName): Promise<string[]> {
    const seen: string[] = [];
    const onPaper = (event: PaperEvent) => {
      seen.push(event.kind === "cut" ? `-- ${event.number}` : (plainText(event.line, 48) ?? "[]"));
    };
    rig = await Rig.start(model, { onPaper });
    return seen;
  }

  test("comes out line by line, each once, and equals the finished document", async () => {
    const seen = await startWatched("x");
    await asksOk(FORMS.x.open, FORMS.x.sale);
    expect(seen.at(-1)).toMatch(/^Coffee +12\.50 Б$/);
    const before = seen.length;
    await asksOk([54, "Hello\t1\t\t\t\t\t"]);
    expect(seen.slice(before)).toEqual(["Hello"]);
    await asksOk(FORMS.x.payment);
    expect(seen.slice(before + 1).map((line) => line.split(" ")[0])).toEqual(["TOTAL", "cash"]);
    await asksOk([56, ""]);
    expect(seen.at(-1)).toBe("-- 1");
    const text = (await rig.paper()).trimEnd().split("\n");
    expect(seen.slice(0, -1).filter((line) => line !== "[]")).toEqual(text);
  });

  test("waits while there is none", async () => {
    const seen = await startWatched("x");
    await asksOk(FORMS.x.open);
    await rig.fault({ kind: "paper_out", mode: "registered" });
    const before = seen.length;
    await asksOk([60, ""]);
    expect(seen.length).toBe(before);
    await rig.clear();
    expect(seen.at(-1)).toBe("-- 1");
    expect(seen.slice(before).join()).toContain("CANCELLED");
  });

  test("never carries a control character of a text", async () => {
    const seen = await startWatched("p");
    await rig.ask(38);
    await rig.ask(42, "a\u001b[31mb\u0007c\u0098d");
    await rig.ask(39);
    expect(seen.join()).toContain("a·[31mb·c");
    const everything = `${seen.join("")}${await rig.paper()}`;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(everything.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    const coloured = await (await rig.control("/paper.ansi")).text();
    expect(coloured).toContain("a·[31mb·c");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of the paper's looks.
    expect(coloured.replace(/\u001b\[[0-9;]*m/g, "")).not.toContain("\u001b");
  });
});
