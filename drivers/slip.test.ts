/** A slip of free text on every device: whatever its letters are, nothing stays open behind it. */

import { describe, expect, test } from "bun:test";
import { FiscalError } from "#core/errors.ts";
import { LINE_CHARACTERS_MAX } from "#core/limits.ts";
import { centred, folded, inOpenSlip } from "./shared/slip.ts";
import { EVERY_MODEL, isMute } from "./testing/every-model.ts";
import { SimulatedDevice } from "./testing/simulated-device.ts";

const KINDS = EVERY_MODEL.filter((kind) => !isMute(kind)).map(
  (kind) => [`${kind.driver}, ${kind.model}`, kind] as const,
);

const HEADERS = [
  ["two signs that no printer has", "🎉 Grand opening all day today and tomorrow 🎉 ok"],
  ["nothing else", "🎉".repeat(LINE_CHARACTERS_MAX)],
  ["letters that are written out", "…".repeat(LINE_CHARACTERS_MAX)],
] as const;

describe.each(KINDS)("a slip on a device of %s", (_title, kind) => {
  test.each(HEADERS)(
    "with %s in its title is printed whole, or not begun",
    async (_what, header) => {
      const device = await SimulatedDevice.start(kind);
      try {
        const session = await device.connect();
        const { frames } = device.state();
        session.close();
        const payload = { header, lines: ["…".repeat(LINE_CHARACTERS_MAX), "two"] };
        const { error } = await device.run({ type: "non_fiscal_receipt", payload });
        // Where the printer has no such letters, that is told before anything is sent.
        if (error) expect([error.code, device.state().frames]).toEqual(["E400", 2 * frames]);
        expect(device.state().openDocument ?? null).toBeNull();
      } finally {
        await device.stop();
      }
    },
  );
});

describe.each(KINDS)("a slip that is wider than the paper of a device of %s", (_title, kind) => {
  test("goes on in the next line, its title too", async () => {
    const device = await SimulatedDevice.start(kind);
    try {
      const payload = {
        header: "Voucher of ten percent for whoever comes today X",
        lines: [
          "Code 4711: hand it in before the end of the year",
          "@".repeat(LINE_CHARACTERS_MAX),
        ],
      };
      expect((await device.run({ type: "non_fiscal_receipt", payload })).error).toBeUndefined();
      const shown = (await device.picture(1)).replaceAll(/<[^>]*>/g, " ");
      const words = [payload.header, payload.lines[0]].join(" ").split(" ");
      expect(words.filter((word) => !shown.includes(word))).toEqual([]);
      expect(shown.match(/@/g)).toHaveLength(LINE_CHARACTERS_MAX);
    } finally {
      await device.stop();
    }
  });
});

/** A letter with a mark that no letter is made of together, so that none is printed for it. */
const MARKED = "x\u0306";

describe.each(KINDS)("a line of a slip on a device of %s", (_title, kind) => {
  test("is whole where its letters fill no more than the paper, however many characters they are written in", async () => {
    const device = await SimulatedDevice.start(kind);
    try {
      const payload = { lines: [MARKED.repeat(LINE_CHARACTERS_MAX / MARKED.length)] };
      expect((await device.run({ type: "non_fiscal_receipt", payload })).error).toBeUndefined();
      // The first document of its life.
      expect(await device.picture(1)).toContain("x".repeat(LINE_CHARACTERS_MAX / MARKED.length));
    } finally {
      await device.stop();
    }
  });
});

describe.each(KINDS)("a header on a device of %s", (_title, kind) => {
  test("has room for letters that fill the paper, however many characters they are written in", async () => {
    const device = await SimulatedDevice.start(kind);
    try {
      const letters = "x".repeat(LINE_CHARACTERS_MAX / MARKED.length);
      const payload = { header: [letters.replaceAll("x", MARKED)], footer: [] };
      expect((await device.run({ type: "set_header_footer", payload })).error).toBeUndefined();
      const { success } = await device.run({ type: "get_header_footer" });
      expect(success?.data).toEqual({ header: [letters], footer: [] });
    } finally {
      await device.stop();
    }
  });
});

describe("an open slip", () => {
  const REFUSED = new FiscalError("E305", "refused");
  const LOST = new FiscalError("E102", "lost");

  /** What is thrown, and how often it was closed. */
  async function ending(printed: Promise<void>, closed: Promise<void> = Promise.resolve()) {
    let closings = 0;
    const close = () => {
      closings += 1;
      return closed;
    };
    const error: unknown = await inOpenSlip(close, () => printed).catch((fault) => fault);
    closed.catch(() => undefined);
    return { closings, error };
  }

  test("is closed once behind its last line, and a refusal of that is told", async () => {
    const printed = Promise.resolve();
    expect(await ending(printed)).toEqual({ closings: 1, error: undefined });
    const told = await ending(printed, Promise.reject(REFUSED));
    expect(told).toEqual({ closings: 1, error: REFUSED });
  });

  test.each([
    ["a refusal", REFUSED],
    ["an answer without sense", new FiscalError("E902", "makes no sense")],
    ["a defect", new RangeError("a defect")],
  ])("is closed behind %s, which is told whatever comes of that", async (_what, error) => {
    expect(await ending(Promise.reject(error))).toEqual({ closings: 1, error });
    const alsoRefused = Promise.reject(new FiscalError("E301", "refused too"));
    expect(await ending(Promise.reject(error), alsoRefused)).toEqual({ closings: 1, error });
  });

  test("is left behind a fault of the line", async () => {
    expect(await ending(Promise.reject(LOST))).toEqual({ closings: 0, error: LOST });
    const told = await ending(Promise.reject(REFUSED), Promise.reject(LOST));
    expect(told).toEqual({ closings: 1, error: LOST });
  });

  test("breaks a line at blanks, else where the paper ends", () => {
    expect(folded("one two three", 7)).toEqual(["one two", "three"]);
    expect(folded("one two three", 8)).toEqual(["one two", "three"]);
    expect(folded("  indented line", 10)).toEqual(["  indented", "line"]);
    expect(folded("  unbreakable", 10)).toEqual(["  unbreaka", "ble"]);
    expect(folded("🎉🎉🎉  x  ", 2)).toEqual(["🎉🎉", "🎉", "x"]);
    expect(folded("", 5)).toEqual([""]);
    expect(folded("     ", 3)).toEqual([""]);
    expect(["one", " two", ""].map((text) => folded(text, 0))).toEqual([
      ["o", "n", "e"],
      ["", "t", "w", "o"],
      [""],
    ]);
  });

  test("has its title in the middle, by letters", () => {
    expect(centred("🎉🎉", 6)).toBe("  🎉🎉");
    expect(centred("longer", 4)).toBe("longer");
  });
});
