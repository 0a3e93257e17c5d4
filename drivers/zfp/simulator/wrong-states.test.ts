/**
 * What the simulated devices answer in wrong states: every command of our driver, and those of
 * other hosts, in each state that refuses some. `..` is carried out; two digits are the errors of
 * device and command. A command that is refused leaves the books as they were.
 */

import { afterEach, describe, expect, test } from "bun:test";
import { DEVICE_COMMANDS } from "../device-commands.ts";
import { CHANGES } from "./commands.ts";
import { name36, openWithSale, printReceipt, ZfpRig } from "./testing/raw-host.ts";

let rig: ZfpRig;
afterEach(() => rig.end());

const STATES: Readonly<Record<string, () => Promise<void>>> = {
  idle: async () => undefined,
  receipt: () => openWithSale(rig),
  paying: async () => {
    await openWithSale(rig);
    await rig.ask(0x35, "0;0;5.00");
  },
  paid: async () => {
    await openWithSale(rig);
    await rig.ask(0x35, "0;0;20.00");
  },
  text: async () => {
    await rig.ask(0x2e, "1;0000");
  },
  noPaper: () => rig.fault({ kind: "paper_out" }),
  dayOver: async () => {
    await printReceipt(rig);
    await rig.fault({ kind: "day_over" });
  },
  noClock: () => rig.fault({ kind: "clock_lost" }),
  full: () => rig.fault({ kind: "fiscal_memory_full" }),
  broken: () => rig.fault({ kind: "hardware_error" }),
};

const SALE = `${name36("Coffee")};Б;12.50`;
const DEPARTMENT = `${name36("Coffee")};${new TextDecoder("windows-1251").decode(Uint8Array.of(0x81))};1.00`;
const STORNO = "1;0000;1;1;@;1;000026;15-03-24 14:05:09;59999999";
const OPERATOR = `1;${"Ivan".padEnd(20)};0000  `;

const RATES = `000000;${Array.from({ length: 8 }, () => "09.00").join(";")}`;

/** Answers in the order of `STATES`. */
const ANSWERS: readonly (readonly [string, number, string, string])[] = [
  ["test page", 0x22, "", ".. 42 42 42 62 10 .. .. 80 80"],
  ["drawer", 0x2a, "", ".. .. .. .. .. .. .. .. .. .."],
  ["feed", 0x2b, "", ".. .. .. .. .. 10 .. .. .. 80"],
  ["open text", 0x2e, "1;0000", ".. 42 42 42 62 10 .. .. 80 80"],
  ["close text", 0x2f, "", "02 02 02 02 .. 02 02 02 02 02"],
  ["open sale", 0x30, "1;0000;1;1;0", ".. 42 42 42 62 10 ;0 30 80 80"],
  ["open storno", 0x30, STORNO, ".. 42 42 42 62 10 ;0 30 80 80"],
  ["sale", 0x31, SALE, "02 .. 52 52 02 10 02 02 02 80"],
  ["sale by department", 0x34, DEPARTMENT, "02 .. 52 52 02 10 02 02 02 80"],
  ["payment", 0x35, "0;0;1.00", "02 .. .. 72 02 10 02 02 02 80"],
  ["exact payment", 0x35, '0;0;"', "02 .. .. 72 02 10 02 02 02 80"],
  ["cash and close", 0x36, "", "02 .. .. 72 02 10 02 02 02 80"],
  ["line", 0x37, "text", "02 .. .. .. .. 10 02 02 02 80"],
  ["close", 0x38, "", "02 02 52 .. 02 10 02 02 02 80"],
  ["cancel", 0x39, "", "02 .. .. .. 02 02 02 02 02 02"],
  ["duplicate", 0x3a, "", "02 42 42 42 62 10 .. 02 80 80"],
  ["cash in", 0x3b, "1;0000;0;1.00", ".. 42 42 42 62 10 .. .. 80 80"],
  ["rates", 0x42, RATES, ".. 42 42 42 62 .. 03 .. .. .."],
  ["clock", 0x48, "15-03-24 15:00:00", ".. 42 42 42 62 10 .. .. .. 80"],
  ["line of header", 0x49, "1;Shop", ".. .. .. .. .. .. .. .. .. .."],
  ["operator", 0x4a, OPERATOR, ".. 42 42 42 62 .. .. .. .. .."],
  ["X report", 0x7c, "X", ".. 42 42 42 62 10 .. .. 80 80"],
  ["Z report", 0x7c, "Z", ".. 42 42 42 62 10 .. 30 80 80"],
  ["operators", 0x7d, "X;0", ".. 42 42 42 62 10 .. .. 80 80"],
];

const CASES = ANSWERS.flatMap(([name, command, data, answers]) =>
  answers.split(" ").map((answer, index) => {
    const state = Object.keys(STATES)[index] ?? "";
    return { name, state, command, data, answer: answer === ".." ? "00" : answer };
  }),
);

describe("a command in a state", () => {
  test.each(CASES)("$name, $state: $answer", async ({ state, command, data, answer }) => {
    rig = await ZfpRig.start();
    await STATES[state]?.();
    const { frames: _, ...before } = rig.books();
    expect(await rig.ask(command, data)).toBe(answer);
    const { frames: __, ...after } = rig.books();
    if (answer !== "00") expect(after).toEqual(before);
  });

  test("is tried for every command that changes the device", async () => {
    rig = await ZfpRig.start();
    const tried = new Set(ANSWERS.map(([, command]) => command));
    const subtotal = 0x33;
    const display = [0x24, 0x25, 0x26, 0x27, 0x28];
    const changing = Object.values(DEVICE_COMMANDS).filter((row) => !("reads" in row));
    const missing = [...changing.map(({ command }) => command), ...CHANGES.keys()].filter(
      (command) => !tried.has(command) && command !== subtotal && !display.includes(command),
    );
    expect(missing).toEqual([]);
  });

  test("is answered by the subtotal where that is allowed, and refused elsewhere", async () => {
    rig = await ZfpRig.start();
    expect(await rig.ask(0x33, "0;0")).toBe("02");
    await rig.ask(0x30, "1;0000;1;1;0");
    expect(await rig.ask(0x33, "0;0")).toBe("02");
    await rig.ask(0x31, SALE);
    expect(await rig.ask(0x33, "0;0")).toBe("12.50");
    await rig.ask(0x35, "0;0;1.00");
    expect(await rig.ask(0x33, "0;0")).toBe("52");
  });
});

/** What is wrong with it, the command, its data, and the two digits of the answer. */
type WrongData = [string, number, string, string];

describe("data that no device takes", () => {
  test.each<WrongData>([
    ["a wrong password", 0x30, "1;1234;1;1;0", "90"],
    ["operator 0", 0x30, "0;0000;1;1;0", "90"],
    ["operator 21", 0x30, "21;0000;1;1;0", "90"],
    ["a password of seven", 0x30, "1;0000000;1;1;0", "04"],
    ["half a sale number", 0x30, "1;0000;1;1;0$ZK126720-0001", "04"],
    ["a kind of printing that is none", 0x30, "1;0000;1;1;1", "04"],
    ["a storno of what was not sold", 0x30, STORNO.replace("59999999", "50163145"), "04"],
    ["a storno of tomorrow", 0x30, STORNO.replace("15-03-24", "16-03-24"), "04"],
    ["reason 3", 0x30, STORNO.replace("@;1", "@;3"), "04"],
    ["cash of nothing", 0x3b, "1;0000;0;0.00", "06"],
    ["more cash out than there is", 0x3b, "1;0000;0;-0.01", "08"],
    ["cash with a wrong password", 0x3b, "1;9999;0;1.00", "90"],
    ["cash with too long a text", 0x3b, `1;0000;0;1.00;${"x".repeat(31)}`, "04"],
    ["cash of eleven characters", 0x3b, "1;0000;0;99999999.99", "04"],
    ["31 February", 0x48, "31-02-24 10:00:00", "04"],
    ["hour 24", 0x48, "15-03-24 24:00:00", "04"],
    ["a header as long as no line", 0x49, `1;${"x".repeat(33)}`, "04"],
    ["a footer as long as no line", 0x49, `8;${"x".repeat(33)}`, "04"],
    ["line 9", 0x49, "9;x", "04"],
    ["an operator with a short name", 0x4a, "1;Ivan;0000  ", "04"],
    ["operator 21's name", 0x4a, OPERATOR.replace("1;", "21;"), "04"],
    ["a report of another kind", 0x7c, "x", "04"],
    ["a command that there is none", 0x7e, "X", "01"],
    ["data where none is taken", 0x38, "1", "04"],
  ])("%s", async (...[, command, data, answer]) => {
    rig = await ZfpRig.start();
    const { frames: _, ...before } = rig.books();
    expect(await rig.ask(command, data)).toBe(answer);
    const { frames: __, ...after } = rig.books();
    expect(after).toEqual(before);
  });

  test.each<WrongData>([
    ["a line as long as no paper", 0x37, "x".repeat(31), "04"],
    ["no line", 0x37, "", "04"],
    ["a sale without a group", 0x31, `${name36("A")};X;1.00`, "04"],
    ["a name of 35", 0x31, `${"A".padEnd(35)};Б;1.00`, "04"],
    ["a quantity of nothing", 0x31, `${name36("A")};Б;1.00*0`, "04"],
    ["four decimals of quantity", 0x31, `${name36("A")};Б;1.00*1.0001`, "04"],
    ["a void of another price", 0x31, `${name36("Coffee")};Б;-12.49`, "07"],
    ["a discount of more than the line", 0x31, `${name36("A")};Б;1.00:-1.01`, "05"],
    ["a line that no receipt holds", 0x31, `${name36("A")};Б;99999999*999`, "05"],
    ["a discount of more than there is", 0x33, "1;0:-12.51", "05"],
    ["a payment of nothing", 0x35, "0;0;0.00", "06"],
    ["tender 12", 0x35, "12;0;1.00", "04"],
    ["an exact sum without change", 0x35, '0;1;"', "04"],
    ["more than there is to pay, and no change", 0x35, "7;1;20.00", "02"],
    ["change that is not in the drawer", 0x35, "7;0;20.00", "08"],
    ["a payment that no register holds", 0x35, "0;0;9999999999", "05"],
  ])("%s in a receipt", async (...[, command, data, answer]) => {
    rig = await ZfpRig.start();
    await openWithSale(rig);
    const { frames: _, ...before } = rig.books();
    expect(await rig.ask(command, data)).toBe(answer);
    const { frames: __, ...after } = rig.books();
    expect(after).toEqual(before);
  });
});

describe("registers", () => {
  test("of the day hold no more than ten digits, until it is closed", async () => {
    rig = await ZfpRig.start();
    const most = `${name36("A")};Б;9999999.99*10`;
    const card = '7;0;"';
    await rig.ask(0x30, "1;0000;1;1;0");
    expect(await rig.ask(0x31, most)).toBe("00");
    await rig.ask(0x35, card);
    await rig.ask(0x38);
    await rig.ask(0x30, "1;0000;1;1;0");
    expect(await rig.ask(0x31, `${name36("A")};Б;0.10`)).toBe("20");
    expect(await rig.ask(0x31, `${name36("A")};Б;0.09`)).toBe("00");
    expect(await rig.ask(0x33, "1;0:0.01")).toBe("20");
    await rig.ask(0x39);
    await rig.ask(0x7c, "Z");
    await rig.ask(0x30, "1;0000;1;1;0");
    expect(await rig.ask(0x31, most)).toBe("00");
  });

  test("of the drawer hold no more than that either", async () => {
    rig = await ZfpRig.start();
    for (let count = 0; count < 10; count += 1) await rig.ask(0x3b, "1;0000;0;9999999.99");
    expect(await rig.ask(0x3b, "1;0000;0;0.10")).toBe("05");
    await openWithSale(rig);
    expect(await rig.ask(0x35, "0;0;20.00")).toBe("20");
    expect(await rig.ask(0x36)).toBe("20");
    expect(await rig.ask(0x35, '7;0;"')).toBe("00");
  });
});
