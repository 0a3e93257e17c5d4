import { expect, test } from "bun:test";
import { type AlertEnd, alertEnd } from "./alert-history.ts";
import type { Alert, AlertType } from "./alerts.ts";

const alert = (type: AlertType): Alert => {
  return { type, severity: "error", message: "", detectedAt: 1 };
};

const ENDS: readonly [AlertType, AlertType[], boolean, AlertEnd][] = [
  ["paper_out", [], false, "cured"],
  ["paper_out", ["cover_open"], false, "cured"],
  ["paper_out", ["device_disconnected"], false, "out_of_reach"],
  ["clock_drift", ["device_unassigned"], false, "out_of_reach"],
  ["device_disconnected", ["device_unassigned"], false, "cured"],
  ["disk_full", ["device_disconnected"], false, "cured"],
  ["outcome_unknown", ["device_disconnected"], false, "cured"],
  ["outcome_unknown", ["device_disconnected"], true, "settled"],
  ["state_restored", [], true, "settled"],
  ["paper_low", ["paper_out"], false, "replaced"],
  ["fiscal_memory_near_full", ["fiscal_memory_full"], false, "replaced"],
  ["z_report_due", ["z_report_overdue"], false, "replaced"],
  ["z_report_overdue", [], false, "cured"],
  ["late_result", [], false, "expired"],
];
const CASES = ENDS.map(([type, standing, isSettled, end]) => {
  return { type, standing, isSettled, end, others: standing.join() || "nothing" };
});

test.each(CASES)("$type ends as $end beside $others, settled: $isSettled", (one) => {
  const { type, standing, isSettled, end } = one;
  expect(
    alertEnd(alert(type), { ...{ standing: standing.map(alert), isSettled }, isSilent: false }),
  ).toBe(end);
});

test.each([
  ["paper_out", "out_of_reach"],
  ["outcome_unknown", "cured"],
] as const)("%s ends as %s where nobody tells the state", (type, end) => {
  expect(alertEnd(alert(type), { standing: [], isSettled: false, isSilent: true })).toBe(end);
});
