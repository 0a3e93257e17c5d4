import { beforeEach, describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandProgress } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { rejection } from "#src/platform/testing/rejection.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { deviceFault } from "./device-fault.ts";
import { type OpenOnDevice, type SlipOnDevice, withoutLeftSlip } from "./left-slip.ts";

/** What happened, in order. */
let happened: string[];
let open: OpenOnDevice | undefined;
let progress: RecordedProgress;
let slip: SlipOnDevice;

beforeEach(() => {
  happened = [];
  open = "slip";
  progress = new RecordedProgress();
  slip = {
    environment: { log: (_level, sentence) => happened.push(sentence) },
    readOpen: async () => open,
    close: async () => {
      happened.push("close");
      open = undefined;
    },
  };
});

function run(type: CommandType): Promise<string> {
  return withoutLeftSlip(slip, { type, progress }, async (marked: CommandProgress) => {
    happened.push("read");
    await marked.mark("baseline", {});
    await marked.mark("committing");
    happened.push("change");
    return "done";
  });
}

describe("a command while a slip stands open", () => {
  test("closes it before its first mark, and reads the device anew", async () => {
    expect(await run("cash_in")).toBe("done");
    expect(happened).toEqual([
      "read",
      "a slip that stood open was closed",
      "close",
      "read",
      "change",
    ]);
    expect(progress.marks).toEqual(["baseline", "committing"]);
  });

  test("fails with E301 when it stays open, and has marked and changed nothing", async () => {
    slip = { ...slip, close: async () => undefined };
    expect(await rejection(run("z_report"))).toMatchObject({ code: "E301" });
    expect(progress.marks).toEqual([]);
    expect(happened).not.toContain("change");
  });

  test("fails with what keeps it from being closed", async () => {
    slip = { ...slip, close: () => Promise.reject(new FiscalError("E306", "no paper")) };
    expect(await rejection(run("x_report"))).toMatchObject({ code: "E306" });
    expect(progress.marks).toEqual([]);
  });

  test.each(["print_receipt", "void_open_receipt", "raw_command", "get_status"] as const)(
    "leaves it alone as %s",
    async (type) => {
      expect(await run(type)).toBe("done");
      expect(happened).toEqual(["read", "change"]);
      expect(open).toBe("slip");
    },
  );
});

describe("a command that reads what is refused", () => {
  const refusal = deviceFault("E305", { code: "F", message: "answered F" });
  /** Refuses to be read while a slip or a receipt stands open. */
  const runRefused = (type: CommandType, fault: Error = refusal) =>
    withoutLeftSlip(slip, { type, progress }, async (marked: CommandProgress) => {
      happened.push("read");
      if (open !== undefined) throw fault;
      await marked.mark("committing");
      return "done";
    });

  test("has the slip closed that is in its way, and begins anew", async () => {
    expect(await runRefused("cash_in")).toBe("done");
    expect(happened).toEqual(["read", "a slip that stood open was closed", "close", "read"]);
  });

  test("is told of the receipt that is in its way", async () => {
    open = "receipt";
    expect(await rejection(runRefused("cash_in"))).toMatchObject({ code: "E301" });
  });

  test("ends with that refusal where nothing is in its way, or the slip stays open", async () => {
    open = "receipt";
    expect(await rejection(runRefused("set_datetime"))).toBe(refusal);
    open = "slip";
    slip = { ...slip, close: async () => undefined };
    expect(await rejection(runRefused("cash_in"))).toBe(refusal);
  });

  test("leaves the device alone where it has not refused anything", async () => {
    const wrong = new FiscalError("E400", "amount: expected more");
    expect(await rejection(runRefused("cash_in", wrong))).toBe(wrong);
    expect(happened).toEqual(["read"]);
  });
});

test("a command with no slip in its way reads the device once", async () => {
  open = undefined;
  expect(await run("print_duplicate")).toBe("done");
  expect(happened).toEqual(["read", "change"]);
});

describe("a command while somebody rings up a receipt", () => {
  beforeEach(() => {
    open = "receipt";
  });

  test.each(["x_report", "z_report", "cash_in", "cash_out", "print_duplicate"] as const)(
    "leaves it to them as %s, and has marked and changed nothing",
    async (type) => {
      expect(await rejection(run(type))).toMatchObject({ code: "E301" });
      expect(progress.marks).toEqual([]);
      expect(happened).toEqual(["read"]);
    },
  );

  test.each(["set_datetime", "print_receipt"] as const)("goes on as %s", async (type) => {
    expect(await run(type)).toBe("done");
    expect(happened).toEqual(["read", "change"]);
  });
});
