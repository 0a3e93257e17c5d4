import { afterEach, describe, expect, test } from "bun:test";
import { type ModelName, pay, Rig, sale } from "./testing/host.ts";

let rig: Rig;
afterEach(() => rig.end());

const RECEIPT = [sale("Coffee", 250), pay(), "3011", "3013"] as const;

async function start(model: ModelName = "gen3"): Promise<void> {
  rig = await Rig.start(model);
}

async function answers(...commands: readonly string[]): Promise<string[]> {
  const given: string[] = [];
  for (const command of commands) given.push(await rig.ask(command));
  return given;
}

describe("the device tells", () => {
  test("what it is", async () => {
    await start();
    expect(await answers("1008", "1013", "1020", "1510", "1513")).toEqual([
      "7200012345",
      "Q3X-F RT REL. 6.00".padEnd(32),
      "01",
      "1",
      "1",
    ]);
  });

  test("its state", async () => {
    await start();
    expect(await answers("1010", "1011", "1016", "1021", "7108", "1309")).toEqual([
      "00000011000",
      "00",
      "000",
      "00",
      "0",
      "000",
    ]);
    await rig.do(sale("Coffee", 250), "70081");
    await rig.fault({ kind: "paper_low" });
    await rig.fault({ kind: "clock_lost" });
    expect(await answers("1010", "1011", "1021", "7108", "1309", "1109")).toEqual([
      "01100010000",
      "10",
      "01",
      "1",
      "010",
      "00100",
    ]);
  });
});

describe("the clock", () => {
  test("is read and, within the day, set at once", async () => {
    await start();
    expect(await answers("1001", "20011503241400", "1001")).toEqual([
      "1503241305",
      "0",
      "1503241400",
    ]);
  });

  test("wants another day confirmed by the same command", async () => {
    await start();
    expect(await answers("20011603241400", "20011603241400", "1001")).toEqual([
      "1",
      "0",
      "1603241400",
    ]);
  });

  test("wants a second confirmation two days behind the last Z report", async () => {
    await start();
    await rig.do("2002");
    const set = "20011803241400";
    expect(await answers(set, set, set, "1001")).toEqual(["1", "2", "0", "1803241400"]);
  });

  test("begins anew when another time comes", async () => {
    await start();
    expect(await answers("20011603241400", "20011703241400", "20011603241400")).toEqual([
      "1",
      "1",
      "1",
    ]);
  });

  test("can be set to the minute of the last record, and not behind it", async () => {
    await start();
    await rig.do(...RECEIPT);
    expect(await answers("20011503241305", "20011503241304")).toEqual(["0", "ERR14"]);
  });

  test("takes no day that does not exist, and nothing while a receipt is open", async () => {
    await start();
    for (const text of ["3102241400", "A603241400", "15.3241400", "-115032414"]) {
      expect([text, await rig.ask(`2001${text}`)]).toEqual([text, "ERR12"]);
    }
    await rig.do(sale("Coffee", 250));
    expect(await rig.ask("20011503241400")).toBe("ERR21");
  });
});

describe("cash", () => {
  test("goes in and out, and is read on the third generation", async () => {
    await start();
    await rig.do("7106D000001000", "7106P000000300");
    expect(await answers("7106R", "7106R000000000")).toEqual(["+000000700", "+000000700"]);
  });

  test("must be there, and not nothing", async () => {
    await start();
    expect(await answers("7106P000000001", "1015", "7106D000000000")).toEqual([
      "ERR99",
      "ERR136SEE MANUAL",
      "ERR11",
    ]);
  });
});

describe("reports", () => {
  test("are printed; Z counts and begins a new day", async () => {
    await start();
    await rig.do(...RECEIPT);
    expect(await answers("2003", "220301", "2002104ciao", "1104", "1010")).toEqual([
      "",
      "",
      "",
      "00010001",
      "00000011000",
    ]);
    expect(rig.books().zNumber).toBe(1);
    const paper = await rig.paper();
    expect(paper).toContain("X REPORT");
    expect(paper).toContain("Z REPORT 0001");
  });
});

describe("text documents", () => {
  const LINES = ["4002", "4003105Plain", "4003204Bold", "4003504Wide", "4003905Large", "4004"];

  test("open with one field on the third generation", async () => {
    await start();
    await rig.do("40011", ...LINES);
    const paper = await rig.paper();
    for (const line of ["Plain", "Bold", "Wide", "Large"]) expect(paper).toContain(line);
  });

  test("want copies and amount on the second, which the third takes too", async () => {
    await start("gen2");
    expect(await rig.ask("40011")).toBe("ERR24");
    await rig.do("400110000000000", ...LINES);
    await rig.end();
    await start();
    await rig.do("400110000000000", ...LINES);
    expect(await rig.paper()).toContain("Plain");
  });

  test("are told to be open, and keep receipts out", async () => {
    await start();
    await rig.do("40011", "4003101A");
    expect(await answers("1011", "1016", "1012", sale("A", 1), "4002", "3011")).toEqual([
      "01",
      "010",
      "8",
      "ERR21",
      "ERR05",
      "ERR05",
    ]);
  });

  test("take lines only between opening and closing", async () => {
    await start();
    expect(await answers("4003101A", "4004", "4002")).toEqual(["ERR05", "ERR05", "ERR05"]);
  });
});

describe("duplicates", () => {
  test("are printed as often as one likes, of the last receipt", async () => {
    await start();
    expect(await rig.ask("4007")).toBe("ERR05");
    await rig.do(...RECEIPT, "4007", "4007", "4007R");
    expect((await rig.paper()).match(/DUPLICATE/g)).toHaveLength(3);
    expect(rig.books().receipts).toHaveLength(1);
  });

  test("without prices are not for the second generation", async () => {
    await start("gen2");
    await rig.do(...RECEIPT);
    expect(await rig.ask("4007R")).toBe("ERR03");
  });
});

describe("programming", () => {
  test("changes header lines once they are stored", async () => {
    await start();
    await rig.do("6302110" + "8BAR ROMA");
    expect(await rig.ask("10021")).toBe("1107NEGOZIO");
    await rig.do("63031");
    expect(await answers("10021", "10027", "6302710" + "1A")).toEqual([
      "1108BAR ROMA",
      "ERR03",
      "ERR03",
    ]);
    expect(await rig.paper()).not.toContain("NEGOZIO");
  });

  test("changes VAT rates between days", async () => {
    await start();
    expect(await rig.ask("7012")).toBe("22001000050004000000");
    await rig.do("711306" + "1900" + "0" + "04Nove");
    expect(await rig.ask("711206")).toBe(`06190001${"Nove".padEnd(25)}`);
    await rig.do("701321000900050004000000");
    expect(await rig.ask("7012")).toBe("21000900050004000000");
    await rig.do(...RECEIPT);
    expect(await rig.ask("701322001000050004000000")).toBe("ERR61");
    await rig.do("2002", "701322001000050004000000");
  });

  test("knows exempt VAT ids, and none beyond the last", async () => {
    await start();
    expect(await answers("711205", "711206", "711209", "7113072200100")).toEqual([
      `05000011${" ".repeat(25)}`,
      `06000010${" ".repeat(25)}`,
      "ERR03",
      "ERR03",
    ]);
  });

  test("takes a logo in pieces, whole and not too wide", async () => {
    await start();
    const picture = Buffer.alloc(62);
    picture.write("BM");
    picture.writeInt32LE(608, 18);
    const hex = picture.toString("hex");
    const pieces = (text: string) => text.match(/.{1,50}/g) ?? [];
    await rig.do("910001000062");
    const sizes: string[] = [];
    for (const piece of pieces(hex)) {
      sizes.push(await rig.ask(`9101${String(piece.length / 2).padStart(2, "0")}${piece}`));
    }
    expect(sizes).toEqual(["000025", "000050", "000062"]);
    expect(await answers("9101", "9102", "9102")).toEqual(["ERR24", "", "ERR05"]);
    expect(rig.books().settings).toMatchObject({ logo1: hex, logoWaits: "1" });
    await rig.do("2002");
    expect(rig.books().settings.logoWaits).toBe("0");
    picture.writeInt32LE(609, 18);
    await rig.do("910002000062");
    for (const piece of pieces(picture.toString("hex"))) {
      await rig.do(`9101${String(piece.length).padStart(2, "0")}${piece}`);
    }
    expect(await rig.ask("9102")).toBe("ERR03");
    await rig.do("910002000062", "9101010A");
    expect(await answers("9102", "910112abcd", "910012000001")).toEqual([
      "ERR03",
      "ERR05",
      "ERR03",
    ]);
  });
});
