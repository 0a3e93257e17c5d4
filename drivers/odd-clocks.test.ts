/** Clocks that show no date, as behind an empty battery, or an hour that comes twice. */

import { describe, expect, test } from "bun:test";
import { ClockShowsNoTime, isLineFault } from "#core/errors.ts";
import { fromLocalTime } from "#core/local-time.ts";
import { parseDeviceTime } from "./custom-serial/clock.ts";
import { parseClock as parseIslClock } from "./isl/clock-text.ts";
import { FieldReader } from "./shtrih/fields.ts";
import { ContractBench } from "./testing/contract-bench.ts";
import { smallSale } from "./testing/contract-payloads.ts";
import { EVERY_MODEL, isMute } from "./testing/every-model.ts";
import { parseClock as parseZfpClock } from "./zfp/clock-text.ts";

const KINDS = EVERY_MODEL.filter((kind) => !isMute(kind)).map(
  (kind) => [`${kind.driver}, ${kind.model}`, kind] as const,
);

describe.each(KINDS)("a clock without a date on a device of %s", (_title, kind) => {
  test("is told as one that shows no time, and shows one once it was set", () =>
    ContractBench.on(kind, "tcp", async (bench) => {
      await bench.device.fault({ kind: "clock_lost" });
      await bench.reconnect();
      const { ended } = await bench.attempt("get_date_time", {});
      expect(ended).toMatchObject({ how: "refused", error: { code: "E305" } });
      if (ended.how !== "refused") throw new Error("it showed a time");
      expect(ended.error).toBeInstanceOf(ClockShowsNoTime);
      expect(isLineFault(ended.error)).toBe(false);
      await bench.done("set_datetime", {});
      const { data } = await bench.done("get_date_time", {});
      const shownAt = Date.parse(String(data.dateTime));
      expect(Math.abs(shownAt - bench.device.time.now())).toBeLessThanOrEqual(60_000);
    }));
});

/** How each protocol reads a clock of `DDMMYY` and `hhmm`. */
const READERS: Record<string, (date: string, time: string) => number | undefined> = {
  ISL: (date, time) => parseIslClock(`${dashed(date)} ${dashed(time, ":")}:00`, "UTC", false),
  ZFP: (date, time) => {
    const full = date.replace(/(..)$/, "20$1");
    return parseZfpClock(`${dashed(full)} ${dashed(time, ":")}`, "UTC");
  },
  "Shtrih-M": (date, time) => {
    const bytes = `${date}${time}00`.match(/../g)?.map(Number) ?? [];
    const shown = new FieldReader(Uint8Array.from(bytes)).clock();
    return shown && fromLocalTime(shown, "UTC");
  },
  CUSTOM: (date, time) => parseDeviceTime(new Map(Object.entries({ date, time })), "UTC"),
};

function dashed(digits: string, mark = "-"): string {
  const parts = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)];
  return parts.filter((part) => part !== "").join(mark);
}

describe.each(Object.entries(READERS))("a garbled clock on %s", (_protocol, read) => {
  test.each([
    ["310226", "1000"],
    ["290226", "1000"],
    ["150026", "1000"],
    ["151326", "1000"],
    ["000126", "1000"],
    ["150326", "2400"],
    ["150326", "1475"],
  ])("shows no time: %s %s", (date, time) => {
    expect(read(date, time)).toBeUndefined();
    expect(read("290224", "2359")).toBe(Date.UTC(2024, 1, 29, 23, 59));
  });
});

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Half an hour behind the end of summer time in 2026, when most of Europe's clocks show an hour again. */
const SECOND_PASS = Date.UTC(2026, 9, 25, 1, 30);

describe.each(KINDS)("a clock in the hour that comes twice on a device of %s", (_title, kind) => {
  test("is read as the pass that it is", () =>
    ContractBench.on(kind, "tcp", async (bench) => {
      const { time } = bench.device;
      await time.run(time.sleep(SECOND_PASS - time.now()));
      await bench.reconnect();
      const { data } = await bench.done("get_date_time", {});
      const shownAt = Date.parse(String(data.dateTime));
      expect(Math.abs(shownAt - time.now())).toBeLessThanOrEqual(60_000);
    }));

  test.each([
    ["the first", SECOND_PASS - HOUR_MS, 0],
    ["the second", SECOND_PASS, 0],
    ["the first, read in the second", SECOND_PASS - 40 * MINUTE_MS, 40 * MINUTE_MS],
  ])("dates a receipt of %s by the pass that it is of", (_pass, at, readLaterMs) =>
    ContractBench.on(kind, "tcp", async (bench) => {
      const { time } = bench.device;
      await time.run(time.sleep(at - time.now()));
      await bench.done("set_datetime", {});
      const { data } = await bench.done("print_receipt", smallSale({}));
      const printedAt = time.now();
      if (readLaterMs > 0) {
        await time.run(time.sleep(readLaterMs));
        await bench.device.fault({ kind: "clock", shiftMs: -HOUR_MS });
      }
      await bench.reconnect();
      const { ended } = await bench.attempt("get_last_receipt_info", {});
      const read = ended.how === "done" ? ended.success.data.lastReceipt : {};
      const dates = [data.issuedAt, (read as { receiptDateTime?: unknown }).receiptDateTime];
      // What a device does not tell is no date.
      for (const date of dates.filter((one) => typeof one === "string"))
        expect(Math.abs(Date.parse(date) - printedAt)).toBeLessThanOrEqual(MINUTE_MS);
    }),
  );
});
