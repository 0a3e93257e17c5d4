/** Refusals of the devices that put the number of an error into status byte 3. */

import { describe, expect, test } from "bun:test";
import type { IslDialect } from "./dialect.ts";
import { dy } from "./dialects/dy.ts";
import { ed } from "./dialects/ed.ts";
import { incotex } from "./dialects/in.ts";
import { ReplyDecoder } from "./frame.ts";
import { type Demand, readDeviceStatus, statusFault } from "./status.ts";
import { vectorOf } from "./testdata/vectors.ts";

function faultOf(
  dialect: IslDialect,
  hex: string,
  context: { readonly demands?: Demand; readonly reads?: boolean; readonly isBare?: boolean } = {},
) {
  return statusFault(dialect.statusTable, Uint8Array.from(Buffer.from(hex, "hex")), {
    reads: false,
    ...context,
    numbers: dialect.errorNumbers,
  });
}

function goldenStatus(name: string): string {
  const reply = new ReplyDecoder("short").push(vectorOf(name).reply).at(-1);
  if (reply?.kind !== "reply") throw new Error(name);
  return Buffer.from(reply.status).toString("hex");
}

describe("an error number in the status", () => {
  test("says that the day is over, which no bit says", () => {
    const fault = faultOf(dy, goldenStatus("cs-daisy-err-24h"), { demands: "no_receipt_open" });
    expect(fault).toMatchObject({ code: "E303", device: { code: "error 82" } });
    expect(faultOf(incotex, "a08080828080", { demands: "no_receipt_open" })?.code).toBe("E303");
  });

  test("says which password was wrong", () => {
    expect(faultOf(dy, goldenStatus("cs-daisy-err-password"))).toMatchObject({
      code: "E305",
      device: { code: "error 108" },
    });
  });

  test("explains a refusal and never makes one", () => {
    // The number of an earlier error still stands there.
    expect(faultOf(dy, "808080d28080")).toBeUndefined();
    expect(faultOf(incotex, "808088828080")).toBeUndefined();
    // A state of the printer does not fail a read, whatever number stands there.
    expect(faultOf(dy, "a08081d28080", { reads: true })).toBeUndefined();
  });

  test("does not hide what a person can take away, or an unknown command", () => {
    expect(faultOf(dy, "a08081d28080")?.code).toBe("E306");
    expect(faultOf(dy, "a28080878080")?.code).toBe("E201");
  });

  test("gives way to the state of the receipt where it says no more", () => {
    expect(faultOf(dy, "a08280878080", { demands: "receipt_open" })?.code).toBe("E302");
    expect(faultOf(dy, "a08288938080", { demands: "no_receipt_open" })?.code).toBe("E301");
  });

  test("that is not in the list is E305, and is told", () => {
    expect(faultOf(dy, "a08080ff8080")).toMatchObject({
      code: "E305",
      device: { code: "error 127" },
    });
  });
});

describe("status bits of the other makers", () => {
  test("a device in service has no errors", () => {
    for (const [dialect, hex] of [
      [dy, "8080808080f8"],
      [ed, "88808080869a"],
      [incotex, "8080808080b8"],
    ] as const) {
      const status = Uint8Array.from(Buffer.from(hex, "hex"));
      const read = readDeviceStatus(dialect.statusTable, status, {
        open: null,
        closeRequired: null,
      });
      expect(read).toMatchObject({ paper: "ok", fiscalized: true, clockSet: true, errors: [] });
      expect(read.cover).toBe(dialect === ed ? "closed" : null);
    }
  });

  test("an Eltrade cover is open in both versions of the protocol", () => {
    expect(faultOf(ed, goldenStatus("cs-eltrade-cover-open"))?.code).toBe("E307");
    expect(faultOf(ed, "e8808080869a")?.code).toBe("E307");
    expect(faultOf(ed, goldenStatus("eltrade-error-fm-full"))?.code).toBe("E300");
  });

  test("a missing range of invoice numbers stops no receipt", () => {
    expect(faultOf(incotex, "a088808080b8", { demands: "no_receipt_open" })).toBeUndefined();
  });

  test("the general error that it sets does not pass an answer without its fields for one", () => {
    const bare = { demands: "no_receipt_open", isBare: true } as const;
    expect(faultOf(incotex, "a088808280b8", bare)).toMatchObject({
      code: "E303",
      device: { code: "error 2" },
    });
    expect(faultOf(incotex, "a088808080b8", bare)?.code).toBe("E305");
    // Nothing says that it was refused.
    expect(faultOf(incotex, "808080808080", bare)).toBeUndefined();
  });

  test("a warning that feeds no summary explains none, and hides no number", () => {
    // Tax terminal, control tape, cutter, a record of the fiscal memory.
    for (const hex of ["a08080d282f8", "a08084d280f8", "a0a080d280f8", "a08080d284f8"]) {
      expect(faultOf(dy, hex, { demands: "no_receipt_open" })?.code).toBe("E303");
    }
    expect(faultOf(dy, "a080808082f8")).toMatchObject({
      code: "E304",
      device: { code: "status 4.1" },
    });
    expect(faultOf(dy, "8080808082f8")).toBeUndefined();
    expect(faultOf(dy, "a08080d282f8", { reads: true })).toBeUndefined();
  });
});
