/** What an alert says, wherever it stands. */

import type { components } from "../../client/index.ts";
import { useFormat, useWords, type Word } from "../words/words.tsx";
import { isForPractice, type PrinterFacts } from "./printer-state.ts";

type Alert = components["schemas"]["Alert"];

/** What keeps a receipt waiting once it was begun, and has it refused before. */
const PAUSES = {
  paper_out: "alert.paper_out.waiting",
  cover_open: "alert.cover_open.waiting",
} as const;

/** True for what stops a printer in the middle of a document. */
export function isPausing({ type }: Pick<Alert, "type">): boolean {
  return Object.hasOwn(PAUSES, type);
}

/** What the sentence depends on besides the alert. */
export interface AlertSetting {
  /** True while a receipt was begun and waits. */
  readonly isPaused: boolean;
  /** Whose alert it is; not given where it is known to be no practice. */
  readonly printer?: Pick<PrinterFacts, "simulated"> | undefined;
}

/** Tells of alerts: in words, with what they tell besides their type. */
export function useAlertText(): (alert: Alert, setting: AlertSetting) => string {
  const { t } = useWords();
  const format = useFormat();
  return (alert, setting) => {
    const { type, deviceName: printer, fiscalId: number, documents: count, since } = alert;
    if (type === "late_result" && number !== undefined) {
      return t("alert.late_result.number", { printer, number });
    }
    if (type === "documents_unknown" && count !== undefined && since !== undefined) {
      return t("alert.documents_unknown.count", { printer, count, time: format.dateTime(since) });
    }
    if (type === "outcome_unknown" && number !== undefined) {
      return t("alert.outcome_unknown.told", { printer, number });
    }
    return t(wordOf(alert, setting), { printer });
  };
}

function wordOf(alert: Alert, { isPaused, printer }: AlertSetting): Word {
  const { type } = alert;
  if (alert.standsOpen === true) return "alert.outcome_unknown.open";
  if (alert.outcome === "not_printed") return "alert.late_result.notPrinted";
  if (isPaused && (type === "paper_out" || type === "cover_open")) return PAUSES[type];
  if (printer !== undefined && isForPractice(alert, printer)) return "alert.practice";
  return `alert.${type}`;
}
