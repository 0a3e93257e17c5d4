import { beforeEach, describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandProgress } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { type SlipOnDevice, withoutLeftSlip } from "./left-slip.ts";

/** What happened, in order. */
let happened: string[];
let isOpen: boolean;
let progress: RecordedProgress;
let slip: SlipOnDevice;

beforeEach(() => {
  happened = [];
  isOpen = true;
  progress = new RecordedProgress();
  slip = {
    environment: { log: (_level, sentence) => happened.push(sentence) },
    isOpen: async () => isOpen,
    close: async () => {
      happened.push("close");
      isOpen = false;
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
    await expect(run("z_report")).rejects.toMatchObject({ code: "E301" });
    expect(progress.marks).toEqual([]);
    expect(happened).not.toContain("change");
  });

  test("fails with what keeps it from being closed", async () => {
    slip = { ...slip, close: () => Promise.reject(new FiscalError("E306", "no paper")) };
    await expect(run("x_report")).rejects.toMatchObject({ code: "E306" });
    expect(progress.marks).toEqual([]);
  });

  test.each(["print_receipt", "void_open_receipt", "raw_command", "get_status"] as const)(
    "leaves it alone as %s",
    async (type) => {
      expect(await run(type)).toBe("done");
      expect(happened).toEqual(["read", "change"]);
      expect(isOpen).toBe(true);
    },
  );
});

test("a command with no slip in its way reads the device once", async () => {
  isOpen = false;
  expect(await run("print_duplicate")).toBe("done");
  expect(happened).toEqual(["read", "change"]);
});
