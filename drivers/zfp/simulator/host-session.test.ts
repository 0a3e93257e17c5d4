/**
 * A trading day as hosts in use talk to these devices, from the first byte to the last: each asks
 * in its own way whether the device is there before it sends a frame, and writes fields as wide as
 * it is used to. In the end the device's books are what was traded.
 */

import { afterEach, describe, expect, test } from "bun:test";
import { decodeText, encodeText } from "./code-page.ts";
import { name36, USN, ZfpRig } from "./testing/raw-host.ts";

let rig: ZfpRig;
afterEach(() => rig.end());

const DONE = "00";
const FIRST_DEPARTMENT = decodeText(Uint8Array.of(0x81));

/** Asks as the maker's library of 2018 does: for the device, then whether it is free. */
async function askAfterEcho(command: number, data = ""): Promise<string> {
  rig.send(0x03, 0x04);
  expect(await rig.hear(1)).toBe("04");
  rig.send(0x03, 0x05);
  expect(await rig.hear(1)).toBe("05");
  return rig.ask(command, encodeText(data));
}

/** Asks as edabg/fpgate does: for the state. */
async function askAfterPing(command: number, data = ""): Promise<string> {
  rig.send(0x09);
  expect(await rig.hear(1)).toBe("40");
  return rig.ask(command, encodeText(data));
}

type Ask = typeof askAfterEcho;

async function allDone(
  ask: Ask,
  ...commands: readonly (readonly [number, string?])[]
): Promise<void> {
  for (const [command, data] of commands) {
    expect({ command, data, answer: await ask(command, data) }).toMatchObject({ answer: DONE });
  }
}

describe("the maker's library", () => {
  test("trades a day in fields of fixed width", async () => {
    rig = await ZfpRig.start();
    const ask = askAfterEcho;
    expect(await ask(0x20)).toHaveLength(7);
    expect(await ask(0x21)).toContain("TREMOL M20");
    expect(await ask(0x60)).toBe("ZK126720;50163145");
    expect((await ask(0x61)).slice(0, 13)).toBe("123456789    ");
    expect((await ask(0x62)).split("%;")).toHaveLength(8);
    expect(await ask(0x63)).toBe("2");
    // It takes the names of tenders out of fixed places.
    expect((await ask(0x64)).slice(11, 21).trim()).toBe("ЧЕК");
    expect(await ask(0x65)).toStartWith("0001;");
    expect(await ask(0x68)).toBe("15-03-2024 14:05");
    await allDone(
      ask,
      [0x24],
      [0x25, "WELCOME".padEnd(20)],
      [0x3b, "01;0000;0;0000100.00"],
      [0x30, "01;0000;1;1;0"],
      [0x31, `${name36("Хляб")};Б;0000002.40*000003.000`],
      [0x34, `${name36("Сирене")};${FIRST_DEPARTMENT};0000010.00*000000.500,-10.00%`],
      [0x31, `${name36("Хляб")};Б;-000002.40*000003.000`],
      [0x31, `${name36("Мляко")};А;0000001.60*000001.000`],
    );
    expect(await ask(0x33, "1;1, -5.00%")).toBe("5.79");
    expect(await ask(0x72)).toStartWith("1;004;");
    await allDone(ask, [0x35, "7;1;0000005.00"], [0x35, "0;0;0000001.00"], [0x38]);
    expect(await ask(0x71)).toBe("000002");
    await allDone(ask, [0x3a], [0x2b], [0x7c, "X"], [0x7d, "X;01"]);
    expect((await ask(0x6d)).split(";").map(Number)[8]).toBe(5.79);
    // One that the customer thinks better of, and a void that the device does not find.
    await allDone(ask, [0x30, "01;0000;1;1;0"], [0x31, `${name36("Кафе")};Б;0000001.00`]);
    expect(await ask(0x31, `${name36("Кафе")};Б;-000002.00`)).toBe("07");
    await allDone(ask, [0x39]);
    await allDone(ask, [0x3b, "01;0000;0;-000050.79"], [0x7d, "Z;00"], [0x7c, "Z"]);
    expect(rig.books()).toMatchObject({
      zNumber: 1,
      // 100.00, and the sale's 1.00 less the change of 0.21, less what was taken out.
      cash: 5_000,
      openDocument: null,
      receipts: [
        {
          kind: "sale",
          total: 579,
          payments: [
            { method: "card", amount: 500, change: 0 },
            { method: "cash", amount: 100, change: 21 },
          ],
        },
      ],
      cancelled: [{ total: 100 }],
      zReports: [{ total: 579, stornoTotal: 0, cashIn: 10_000, cashOut: 5_079 }],
    });
  });
});

describe.each(["v1", "v2"] as const)("edabg/fpgate on %s", (model) => {
  test("trades a day with unique sale numbers", async () => {
    rig = await ZfpRig.start(model);
    const ask = askAfterPing;
    expect(await ask(0x20)).toHaveLength(7);
    const [, , , name, firmware] = (await ask(0x21)).split(";");
    expect([name?.endsWith("V2"), firmware]).toEqual([model === "v2", expect.any(String)]);
    const [serial, memory] = (await ask(0x60)).split(";");
    rig.send(0x1d, 0x49);
    const capacities = (await rig.hearLine()).split(";");
    expect([capacities[0], Number(capacities[2])]).toEqual(["I32", 19]);
    expect((await ask(0x64)).split(";").length).toBeGreaterThanOrEqual(11);
    expect((await ask(0x61)).split(";")).toHaveLength(4);

    await allDone(
      ask,
      [0x3b, "1;0000;0;50.00$1"],
      [0x30, `1;0000;0;0;0$${USN}`],
      [0x31, `${name36("Кафе|голямо")};Б;2.50*2.000,0.0:0.0`],
      [0x31, `${name36("Вода")};Б;1.00*1.000,0.0:-0.20`],
      [0x31, `${name36("Торта")};Б;4.00*1.000,10.00:0.0`],
      [0x37, "Маса 4"],
    );
    expect(await ask(0x33, "1;0:-0.20")).toBe("10.00");
    await allDone(ask, [0x35, "0;0;20.00"], [0x38]);
    // The deposit took a number where every document does.
    const number = model === "v2" ? "000001" : "000002";
    expect(await ask(0x71)).toBe(number);
    expect(await ask(0x72, "B")).toBe(`${memory}*${number}*2024-03-15*14:05:09*10.00`);
    expect((await ask(0x6e, "0")).split(";")[1]).toBe("60.00");
    await allDone(ask, [0x3a]);
    expect(await ask(0x3a)).toBe("02");

    await allDone(
      ask,
      [0x30, `1;0000;0;0;@;1;${number};15-03-24 14:05:09;${memory};${USN}`],
      [0x31, `${name36("Вода")};Б;1.00*1.000,0.0:-0.20`],
    );
    const open = (await ask(0x72)).split(";");
    expect([open[0], open[3], open[11]]).toEqual(["1", "0.80", "4"]);
    await allDone(ask, [0x35, '0;0;"'], [0x38], [0x7c, "X"]);
    expect((await ask(0x73)).split(";").slice(1)).toEqual([
      "0000",
      "0000",
      model === "v2" ? "000002" : "000004",
      "15-03-2024 14:05",
      "01",
      "4",
    ]);
    await allDone(ask, [0x22], [0x2b], [0x7c, "Z"]);
    expect((await ask(0x73)).split(";").slice(0, 2)).toEqual(["15-03-2024", "0001"]);
    expect(serial).toBe(model === "v1" ? "ZK126720" : "ZK109999");
    expect(rig.books()).toMatchObject({
      zNumber: 1,
      cash: 5_000 + 1_000 - 80,
      openDocument: null,
      receipts: [
        { kind: "sale", total: 1_000, usn: USN, payments: [{ method: "cash", change: 1_000 }] },
        {
          kind: "storno",
          total: 80,
          original: { number: Number(number), usn: USN },
          reason: "refund",
        },
      ],
      zReports: [{ total: 1_000, stornoTotal: 80, cashIn: 5_000 }],
    });
  });
});
