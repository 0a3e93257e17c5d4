/**
 * What the simulated devices answer in wrong states: every command of our drivers that changes a
 * device, in each state that refuses some. A command that is refused leaves the books as they were.
 */

import { afterEach, describe, expect, test } from "bun:test";
import { FORMS, type ModelName, openWithSale, printReceipt, Rig, USN } from "./testing/rig.ts";

let rig: Rig;
afterEach(() => rig.end());

type StateName = (typeof STATE_NAMES)[number];
const STATE_NAMES = [
  "idle",
  "receipt",
  "paying",
  "paid",
  "text",
  "noPaper",
  "dayOver",
  "noClock",
  "full",
  "broken",
] as const;

async function bring(state: StateName): Promise<void> {
  const isLong = rig.model === "x";
  switch (state) {
    case "receipt":
      return openWithSale(rig);
    case "paying":
      await openWithSale(rig);
      await rig.ask(53, isLong ? "0\t5.00\t\t" : "\tP5.00");
      return;
    case "paid":
      await openWithSale(rig);
      await rig.ask(...FORMS[rig.model].payment);
      return;
    case "text":
      await rig.ask(38);
      return;
    case "noPaper":
      return rig.fault({ kind: "paper_out" });
    case "dayOver":
      await printReceipt(rig);
      return rig.fault({ kind: "day_over" });
    case "noClock":
      return rig.fault({ kind: "clock_lost" });
    case "full":
      return rig.fault({ kind: "fiscal_memory_full" });
    case "broken":
      return rig.fault({ kind: "hardware_error" });
    default:
      state satisfies "idle";
  }
}

/** What an X device answers to each state, `0` being done; the error numbers less their sign. */
const X_ANSWERS: readonly (readonly [string, number, string, string])[] = [
  ["opening", ...FORMS.x.open, "0 111047 111047 111047 111046 112006 111024 112004 100114 100100"],
  [
    "storno",
    43,
    `1\t0000\t1\t1\t26\t15-03-24 14:05:09\t59999999\t\t\t\t${USN}\t`,
    "0 111047 111047 111047 111046 112006 111024 112004 100114 100100",
  ],
  ["sale", ...FORMS.x.sale, "111016 0 111018 111018 111016 112006 111016 111016 111016 100100"],
  [
    "subtotal",
    51,
    "1\t0\t\t\t",
    "111016 0 111018 111018 111016 112006 111016 111016 111016 100100",
  ],
  ["payment", 53, "0\t1.00\t\t", "111016 0 0 111003 111016 112006 111016 111016 111016 100100"],
  ["line", 54, "Hello\t", "111016 0 0 0 111016 112006 111016 111016 111016 100100"],
  ["close", 56, "", "111016 111050 111003 0 111016 112006 111016 111016 111016 100100"],
  [
    "buyer",
    57,
    "a\tb\tc\td\te\t0\t123456789\tf\t",
    "111016 111048 111048 111048 111016 111016 111016 111016 111016 111016",
  ],
  ["cancel", 60, "", "111016 0 111018 111018 111016 111016 111016 111016 111016 111016"],
  ["open text", 38, "", "0 111047 111047 111047 111046 112006 0 0 100114 100100"],
  [
    "line of text",
    42,
    "Hello\t",
    "112002 112002 112002 112002 0 112002 112002 112002 112002 112002",
  ],
  ["close text", 39, "", "112002 112002 112002 112002 0 112002 112002 112002 112002 112002"],
  ["X report", 69, "X\t", "0 111047 111047 111047 111046 112006 0 0 100114 100100"],
  ["Z report", 69, "Z\t", "0 111047 111047 111047 111046 112006 0 112004 100114 100100"],
  ["cash", 70, "0\t1.00\t", "0 111047 111047 111047 111046 112006 0 0 100114 100100"],
  ["drawer", 106, "\t", "0 0 0 0 0 0 0 0 0 0"],
  ["clock", 61, "15-03-24 15:00:00\t", "0 111047 111047 111047 111046 0 0 0 0 0"],
  ["duplicate", 109, "", "100009 111047 111047 111047 111046 112006 0 100009 100114 100100"],
  [
    "rates",
    83,
    "0.00\t20.00\t20.00\t9.00\t100.00\t100.00\t100.00\t100.00\t2\t",
    "0 111047 111047 111047 111046 0 104000 0 0 0",
  ],
  ["password", 101, "1\t0000\t1234\t", "0 111047 111047 111047 111046 0 0 0 0 0"],
  ["feed", 44, "1\t", "0 0 0 0 0 112006 0 0 0 100100"],
];

/** The parts of the books that a refused command must leave alone. */
async function booksNow(): Promise<Record<string, unknown>> {
  const { frames: _, ...rest } = await rig.books();
  return rest;
}

describe("X in a state", () => {
  const cases = X_ANSWERS.flatMap(([name, command, data, answers]) =>
    answers.split(" ").map((answer, index) => ({
      name,
      command,
      data,
      state: STATE_NAMES[index] ?? "idle",
      answer: answer === "0" ? "0" : `-${answer}`,
    })),
  );
  test.each(cases)("$state answers to $name: $answer", async ({ command, data, state, answer }) => {
    rig = await Rig.start("x");
    await bring(state);
    const before = await booksNow();
    expect((await rig.ask(command, data)).split("\t")[0]).toBe(answer);
    if (answer !== "0") expect(await booksNow()).toEqual(before);
  });
});

type ShortName = Exclude<ModelName, "x" | "ro-x" | "ro-legacy">;
const SHORT: readonly ShortName[] = ["p", "c", "dy", "ed", "in"];

/**
 * How short frames answer: `+` done, `n` not permitted, `F` in the data with clean bits or with
 * them, `m` by the bits of paper, clock or memory alone. In the order of `STATE_NAMES`.
 */
const SHORT_ANSWERS: readonly (readonly [
  string,
  (model: ShortName) => readonly [number, string],
  string,
])[] = [
  ["opening", (model) => FORMS[model].open, "+nnnnpnnnp"],
  ["sale", (model) => FORMS[model].sale, "n+nnnpnnnp"],
  ["subtotal", () => [51, "10"], "n+nnnpnnnp"],
  ["payment", () => [53, "\tP1.00"], "F++FFFFFFF"],
  ["line", () => [54, "Hello"], "n+++npnnnp"],
  ["close", () => [56, ""], "nnn+npnnnp"],
  ["cancel", (model) => [model === "dy" || model === "in" ? 130 : 60, ""], "n+nnnnnnnn"],
  ["open text", () => [38, ""], "+nnnnp++np"],
  ["line of text", () => [42, "Hello"], "nnnn+nnnnn"],
  ["close text", () => [39, ""], "nnnn+nnnnn"],
  ["X report", () => [69, "2"], "+nnnnp++np"],
  ["Z report", () => [69, "0"], "+nnnnp+nnp"],
  ["cash", () => [70, "1.00"], "+FFFFF++FF"],
  ["clock", () => [61, "15-03-24 15:00:00"], "+nnnn+++++"],
  ["duplicate", () => [109, "1"], "nnnnnp+nnp"],
  ["feed", () => [44, "1"], "+++++p+++p"],
];

interface ShortCase {
  readonly answer: string;
  readonly model: ShortName;
  readonly state: StateName;
  readonly form: (model: ShortName) => readonly [number, string];
  /** Warnings stand in the status. */
  readonly isWarned: boolean;
}

/** Whether a device said what is expected, with what sets makes and states apart. */
function isAnswer(said: string, { answer, model, state, form, isWarned }: ShortCase): boolean {
  if (said === answer) return true;
  // Then the general error is all that a refusal shows, and one maker sets it with a warning too.
  if (isWarned && said === "p" && (answer === "n" || model === "in")) return true;
  const [command] = form(model);
  // Paper that is out shows in every answer, also of what needs none.
  if (state === "noPaper" && answer === "+") return said === "p";
  // A memory that does not answer shows in bits of its own.
  if (state === "broken" && answer === "p") return said === "+" || (said === "F" && model === "c");
  // C says F to an opening besides its bits.
  if (model === "c" && command === 48) return said === "F";
  // These makers give the end of a day a number instead of a bit.
  return (model === "dy" || model === "in") && state === "dayOver" && said === "p";
}

const KINDS = SHORT.flatMap((model) => [
  { model, title: model, isWarned: false },
  { model, title: `${model} with warnings up`, isWarned: true },
]);

describe.each(KINDS)("$title in a state", ({ model, isWarned }) => {
  const cases = SHORT_ANSWERS.flatMap(([name, form, answers]) =>
    [...answers].map((answer, index) => ({
      name,
      form,
      answer,
      state: STATE_NAMES[index] ?? "idle",
    })),
  );
  test.each(cases)("$state answers to $name: $answer", async ({ form, state, answer }) => {
    rig = await Rig.start(model, { isWarned });
    await bring(state);
    const before = await booksNow();
    const { text, status } = await rig.host.ask(...form(model));
    const notPermitted = ((status[1] ?? 0) & 0x02) !== 0;
    const failed = ((status[0] ?? 0) & 0x20) !== 0;
    const said = /^F(,|$)/.test(text) ? "F" : notPermitted ? "n" : failed ? "p" : "+";
    const seen = { answer, text, first: status[0] ?? 0, said };
    const isExpected = isAnswer(said, { answer, model, state, form, isWarned });
    expect({ ...seen, isExpected }).toMatchObject({ isExpected: true });
    if (answer !== "+") expect(await booksNow()).toEqual(before);
  });
});

describe("data that no device takes", () => {
  test.each([
    ["a type of change that is none", 53, "0\t1.00\t7\t", "-112103"],
    ["a tender that is none", 53, "7\t1.00\t\t", "-112101"],
    ["a negative payment", 53, "0\t-1.00\t\t", "-112102"],
    ["a payment that no register holds", 53, "0\t99999999.99\t\t", "0"],
    ["a quantity of nothing", 49, "A\t2\t1.00\t0\t\t\t\t", "-112104"],
    ["a line that no receipt holds", 49, "A\t2\t9999999.99\t999.999\t\t\t\t", "-111014"],
    ["a discount of more than the line", 49, "A\t2\t1.00\t\t4\t1.01\t\t", "-111021"],
    ["a void of what was not sold", 49, "Coffee\t2\t-12.49\t\t\t\t\t", "-111023"],
    ["a group that is off", 49, "A\t8\t1.00\t\t\t\t\t", "-111005"],
    ["a discount of more than there is", 51, "1\t0\t4\t12.51\t", "-111021"],
  ])("X: %s", async (...[, command, data, answer]: [string, number, string, string]) => {
    rig = await Rig.start("x");
    await openWithSale(rig);
    const before = await booksNow();
    expect((await rig.ask(command, data)).split("\t")[0]).toBe(answer);
    if (answer !== "0") expect(await booksNow()).toEqual(before);
  });

  test("X: a credit note names its invoice, and a storno of a receipt none", async () => {
    rig = await Rig.start("x");
    const storno = (invoice: string, number: string) =>
      rig.ask(
        43,
        `1\t0000\t1\t1\t26\t15-03-24 14:05:09\t59999999\t${invoice}\t${number}\t\t${USN}\t`,
      );
    expect(await storno("I", "")).toBe("-112109\t");
    expect(await storno("", "5")).toBe("-112109\t");
    expect(await storno("I", "12345678901")).toBe("-112109\t");
    expect((await rig.books()).openDocument).toBeNull();
    expect(await storno("I", "1234567890")).toBe("0\t1\t");
  });

  test("ED: an operator's error on another device is not taken back on this one", async () => {
    rig = await Rig.start("ed");
    const storno = (reason: string, memory: string) =>
      rig.host.ask(144, `Иван,${USN},S,${memory},${reason},1,2024-03-15T14:05:09`);
    await printReceipt(rig);
    expect((await storno("O", "44999999")).status[1]).toBe(0x82);
    expect((await rig.books()).openDocument).toBeNull();
    expect((await storno("R", "44999999")).status[1]).toBe(0x80);
    await rig.ask(60);
    expect((await storno("O", "44311662")).status[1]).toBe(0x80);
  });
});

describe("registers of the day that are full", () => {
  const MOST: Readonly<Record<ModelName, string>> = {
    x: "A\t2\t9999999.99\t10.000\t\t\t\t",
    "ro-x": "A\t2\t9999999.99\t10.000\t\t\t\tBUC\t",
    p: "A\tБ9999999.99*10",
    c: "A\tБ9999999.99*10",
    "ro-legacy": "A\tB9999999.99*10",
    dy: "A\tБ9999999.99*10",
    ed: "A\tБ9999999.99*10",
    in: "A\tБ9999999.99*10",
  };

  test.each([
    ["x", "-111013\t", "a08188"],
    ["p", "", "a08188"],
    ["c", "", "a08188"],
    ["ed", "", "a88188"],
    ["dy", "", "a08188d1"],
    ["in", "", "a0818882"],
  ] as const)("refuse a sale on %s until the day is closed", async (model, text, bits) => {
    rig = await Rig.start(model);
    const { open, sale } = FORMS[model];
    await rig.ask(...open);
    await rig.ask(49, MOST[model]);
    await rig.ask(53, model === "x" ? "1\t\t\t" : model === "ed" ? "\tL" : "\tC");
    await rig.ask(56);
    expect((await rig.books()).receipts).toMatchObject([{ total: 9_999_999_990 }]);
    await rig.ask(...open);
    const reply = await rig.host.ask(...sale);
    expect(reply.text).toBe(text);
    expect(reply.statusHex).toStartWith(bits);
    await rig.ask(model === "dy" || model === "in" ? 130 : 60);
    await rig.ask(69, model === "x" ? "Z\t" : "0");
    await rig.ask(...open);
    await rig.ask(...sale);
    expect((await rig.books()).openDocument).toMatchObject({ total: 1_250 });
  });
});
