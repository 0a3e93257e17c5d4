import { expect, test } from "bun:test";
import type { Command } from "./commands.ts";
import { outcomeOf } from "./outcome.ts";
import { commandOf } from "./testing/scripted-gateway.ts";

const failed = (outcome?: string) => ({
  success: false,
  errorCode: "E306",
  errorMessage: "Out of paper",
  ...(outcome === undefined ? {} : { data: { outcome } }),
});
const said = (outcome: string | null, fiscalId: string | null = null) => ({
  resolution: { outcome, fiscalId, resolvedAt: null, resolvedBy: null },
});

test.each<[string, object, object]>([
  [
    "completed",
    { status: "completed", result: { success: true, fiscalId: "7", data: { change: 1 } } },
    { outcome: "printed", fiscalId: "7", data: { change: 1 } },
  ],
  [
    "failed, and nothing was printed",
    { status: "failed", result: failed("not_printed") },
    { outcome: "not_printed", errorCode: "E306", errorMessage: "Out of paper" },
  ],
  [
    "timed out, and nothing was printed",
    { status: "timeout", result: failed("not_printed") },
    { outcome: "not_printed" },
  ],
  [
    "failed in doubt",
    { status: "failed", result: failed("unknown"), ...said(null) },
    { outcome: "unknown", errorCode: "E306" },
  ],
  [
    "failed, and nothing is said of it",
    { status: "failed", result: failed() },
    { outcome: "unknown" },
  ],
  [
    "settled as printed",
    { status: "failed", result: failed("unknown"), ...said("printed", "9") },
    { outcome: "printed", fiscalId: "9", data: {} },
  ],
  [
    "settled as not printed",
    { status: "failed", result: failed("unknown"), ...said("not_printed") },
    { outcome: "not_printed" },
  ],
  [
    "settled while it ran, and asked about once more",
    { status: "completed", result: { success: true, data: { settledBy: "usr" } }, ...said(null) },
    { outcome: "unknown" },
  ],
  ["waiting", { status: "pending" }, { outcome: "under_way" }],
  ["in doubt, and not ended", { status: "processing", ...said(null) }, { outcome: "under_way" }],
])("a command that %s", (_what, fields, expected) => {
  // Of a command it reads nothing but what the test gives.
  const command = commandOf({ ...fields }) as unknown as Command;
  expect(outcomeOf<"print_receipt">(command)).toMatchObject(expected);
});
