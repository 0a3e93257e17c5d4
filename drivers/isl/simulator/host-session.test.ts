/**
 * A trading day as edabg/fpgate and erpnet/ErpNet.FP talk to these devices, from the first frame
 * to the last. In the end the device's books are what was traded.
 */

import { afterEach, expect, test } from "bun:test";
import { FORMS, type ModelName, Rig, USN } from "./testing/rig.ts";

let rig: Rig;
afterEach(() => rig.end());

type HostModel = Exclude<ModelName, "ro-x" | "ro-legacy">;

/** What a host sends on a day, step by step, and what must be in the answer. */
interface Day {
  readonly connect: readonly (readonly [number, string, string])[];
  readonly cashIn: readonly [number, string];
  /** Two coffees of 2.50 less 10 %, a cake of 4.00, and 0.50 less on the whole: 8.00. */
  readonly sale: readonly (readonly [number, string])[];
  /** The cake again, out of the sale, which is document 2. */
  readonly storno: readonly (readonly [number, string])[];
  readonly x: readonly [number, string];
  readonly z: readonly [number, string];
  readonly duplicate: readonly [number, string];
  readonly after: readonly (readonly [number, string, string])[];
}

const SOLD_AT = "15-03-24 14:05:09";

const SHORT_LINES = [
  [49, "Coffee\nlarge\tБ2.50*2,-10.00"],
  [49, "Cake\tБ4.00"],
  [54, "Table 4"],
] as const;
const SHORT_CLOSE = [
  [103, ""],
  [53, "\tP20.00"],
  [76, "T"],
  [56, ""],
] as const;
const SHORT_STORNO = [
  [49, "Cake\tБ4.00"],
  [53, "\t"],
  [56, ""],
] as const;

const SHORT_READINGS = [
  [74, "X", ""],
  [62, "", SOLD_AT],
  [97, "", "0.00,20.00,"],
] as const;
/** What is the same for all makers. */
const SHORT_DAY = {
  cashIn: [70, "50.00"],
  x: [69, "2"],
  z: [69, "0"],
  duplicate: [109, "1"],
} as const;

const DAYS: Readonly<Record<HostModel, Day>> = {
  x: {
    connect: [
      [90, "\t", "FP-700X\t1.00BG"],
      [255, "PrintColumns\t\t\t", "0\t48\t"],
      [74, "", "0\t"],
      [255, "HideSingleItemInfoOnSells\t\t\t", "0\t0\t"],
      [62, "", `0\t${SOLD_AT}\t`],
      [50, "", "20.00\t"],
      [88, "1\t", "0\t2\t"],
      [44, "1\t", "0\t"],
    ],
    cashIn: [70, "0\t50.00\t"],
    sale: [
      [48, `1\t0000\t${USN}\t1\t\t`],
      [49, "Coffee large\t2\t2.50\t2.000\t2\t10.00\t0\t"],
      [49, "Cake\t2\t4.00\t\t\t\t0\t"],
      [54, "Table 4\t\t\t\t\t\t"],
      [51, "1\t0\t4\t0.50\t"],
      [53, "0\t20.00\t\t"],
      [103, ""],
      [56, ""],
    ],
    storno: [
      [43, `1\t0000\t1\t1\t2\t${SOLD_AT}\t02577430\t\t\t\t${USN}\t`],
      [49, "Cake\t2\t4.00\t\t\t\t0\t"],
      [53, "0\t0.00\t\t"],
      [56, ""],
    ],
    x: [69, "X\t"],
    z: [69, "Z\t"],
    duplicate: [109, ""],
    after: [
      [65, "0\t", "0\t2\t0.00\t0.00\t"],
      [64, "0\t", "0\t1\t0.00\t8.00\t"],
      [64, "2\t", "0\t1\t0.00\t4.00\t"],
      [124, "15-03-24 00:00:00\t15-03-24 23:59:59\t1\t", "\t2\t2\t"],
      [125, "0\t2\t0\t", `0\t2\t2\t${SOLD_AT}\t1\t1\t`],
    ],
  },
  p: {
    ...SHORT_DAY,
    connect: [
      [90, "*", "FP-800,"],
      ...SHORT_READINGS,
      [88, "1", "PБ,0,0.00,0,0.00,"],
      [44, "1", ""],
    ],
    sale: [[48, `1,0000,1,${USN}`], ...SHORT_LINES, [51, "10;-0.50"], ...SHORT_CLOSE],
    storno: [[46, `1,0000,1,${USN},R2,${USN},150324140509,02518315`], ...SHORT_STORNO],
    after: [
      [65, "", "+00000000000,+00000000000,"],
      [64, "*0", "P,0001,0,800,"],
      [79, "150324,150324", ""],
      [113, "", "0000008"],
    ],
  },
  c: {
    ...SHORT_DAY,
    connect: [
      [90, "1", "DP-25,"],
      ...SHORT_READINGS,
      [124, "I", "P,1,1,DT636533,"],
      [88, "10", "P,0.000,0.00,"],
      [44, "1", ""],
    ],
    sale: [[48, `1,1,${USN},1`], ...SHORT_LINES, [51, "10;-0.50"], ...SHORT_CLOSE],
    storno: [[46, `1,1,${USN},1,1,2,1503241405,02636533`], ...SHORT_STORNO],
    after: [
      [65, "5", "+00000000000,+00000000000,"],
      [124, "D,7,150324,150324", "P,4,4"],
      [125, "0,4,0", `P,4,${SOLD_AT},8,1`],
      [125, "1", "P,"],
    ],
  },
  dy: {
    ...SHORT_DAY,
    connect: [[128, "", ",42,40,36,"], [90, "1", "CompactM "], ...SHORT_READINGS, [44, "1", ""]],
    sale: [[48, `1,1,${USN}`], ...SHORT_LINES, [51, "10$-0.50"], ...SHORT_CLOSE],
    storno: [[48, `1,1,${USN}\tR0,2,${SOLD_AT}\t36543869`], ...SHORT_STORNO],
    after: [
      [65, "T", "0.00,0.00,"],
      [64, "T", "0001,0,800,"],
      [79, "150324,150324", ""],
    ],
  },
  ed: {
    ...SHORT_DAY,
    connect: [[90, "1", "A1,"], ...SHORT_READINGS, [88, "1", "PБ,0,0.00,0,0.00,"], [44, "1", ""]],
    sale: [[144, `Оператор: 1,${USN},`], ...SHORT_LINES, [51, "10;-0.50"], ...SHORT_CLOSE],
    storno: [[144, `Оператор: 1,${USN},S,44311662,R,2,2024-03-15T14:05:09`], ...SHORT_STORNO],
    after: [
      [65, "0", "+00000000000,+00000000000,"],
      [70, "0.00", "P,54.00,0.00,0.00"],
      [86, "T", "15-03-2024 14:05:09"],
      [79, "0324", ""],
    ],
  },
  in: {
    ...SHORT_DAY,
    connect: [[128, "", ","], [90, "1", "1.00 20Feb19"], ...SHORT_READINGS, [44, "1", ""]],
    sale: [[48, `1,${USN},0`], ...SHORT_LINES, [51, "10;-0.50"], ...SHORT_CLOSE],
    storno: [[48, `1,${USN},2,SS0,${SOLD_AT},54015013`], ...SHORT_STORNO],
    after: [
      [65, "", "0.00,0.00,0.00,"],
      [64, "", "0001,0.00,0.00,8.00,"],
      [79, "150324,150324", ""],
    ],
  },
};

/** Sends a command that must be done: no error bit, and on X no error number. */
async function done([command, data]: readonly [number, string]): Promise<string> {
  const { text, status } = await rig.host.ask(command, data);
  const [first = 0, second = 0] = status;
  const isRefused = (first & 0x23) !== 0 || (second & 0x02) !== 0 || /^F(,|$)/.test(text);
  expect({ command, data, text, isRefused }).toEqual({ command, data, text, isRefused: false });
  if (rig.model === "x") expect(text).toStartWith("0\t");
  return text;
}

async function allDone(steps: readonly (readonly [number, string])[]): Promise<void> {
  for (const step of steps) await done(step);
}

async function allTold(questions: readonly (readonly [number, string, string])[]): Promise<void> {
  for (const [command, data, part] of questions)
    expect(await done([command, data])).toContain(part);
}

const MODELS: readonly HostModel[] = ["x", "p", "c", "dy", "ed", "in"];

test.each(MODELS)("a day on %s ends with the books that were traded", async (model) => {
  const day = DAYS[model];
  rig = await Rig.start(model);
  await allTold(day.connect);
  await done(day.cashIn);
  await allDone(day.sale);
  await done(day.duplicate);
  expect((await rig.host.ask(...day.duplicate)).status[1]).toBe(0x82);
  await allDone(day.storno);
  await done(day.x);
  // One that nobody pays for, put away as the device puts it away.
  await allDone([FORMS[model].open, FORMS[model].sale]);
  await done([model === "dy" || model === "in" ? 130 : 60, ""]);
  await done(day.z);
  await allTold(day.after);
  expect(await rig.books()).toMatchObject({
    zNumber: 1,
    cash: 5_000 + 800 - 400,
    openDocument: null,
    receipts: [
      {
        number: 2,
        kind: "sale",
        total: 800,
        change: 1_200,
        usn: USN,
        items: [
          { name: "Coffee large", total: 450 },
          { name: "Cake", total: 400 },
        ],
      },
      { number: 4, kind: "storno", total: 400, reason: "refund", original: { number: 2 } },
    ],
    cancelled: [{ number: 6, total: 1_250 }],
    zReports: [{ zNumber: 1, total: 800 }],
  });
});
