/** A slip of free text on every device: whatever its letters are, nothing stays open behind it. */

import { describe, expect, test } from "bun:test";
import { FiscalError } from "#core/errors.ts";
import { LINE_CHARACTERS_MAX } from "#core/limits.ts";
import { centred, inOpenSlip } from "./shared/slip.ts";
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

describe("an open slip", () => {
  const closing = async (error: Error): Promise<boolean> => {
    let isClosed = false;
    const close = async () => {
      isClosed = true;
    };
    await expect(inOpenSlip(() => Promise.reject(error), close)).rejects.toBe(error);
    return isClosed;
  };

  test("is closed behind whatever goes wrong but a fault of the line", async () => {
    expect(await closing(new FiscalError("E305", "refused"))).toBe(true);
    expect(await closing(new FiscalError("E902", "makes no sense"))).toBe(true);
    expect(await closing(new RangeError("a defect"))).toBe(true);
    expect(await closing(new FiscalError("E102", "lost"))).toBe(false);
  });

  test("has its title in the middle, by letters", () => {
    expect(centred("🎉🎉", 6)).toBe("  🎉🎉");
    expect(centred("longer", 4)).toBe("longer");
  });
});
