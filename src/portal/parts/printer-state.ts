/** How a printer is, in one word, from what the API tells of it. */

import type { components } from "../../client/index.ts";
import { useNow, useReach } from "../api/hooks.ts";
import { silenceOf } from "../api/reach.ts";
import { useFormat, useWords, type Word } from "../words/words.tsx";
import type { Mood } from "./state-mark.tsx";

type Alert = components["schemas"]["Alert"];

/** What is known of a printer's state. */
export interface PrinterFacts {
  readonly status: components["schemas"]["Device"]["status"];
  readonly effectiveStatus: "online" | "offline";
  /** Null until its controller has read its state: of paper and cover its alerts say nothing yet. */
  readonly stateReadAt: string | null;
  readonly alerts: readonly Alert[];
  readonly simulated: boolean;
}

/** True for what is asked of real printers by the law, and of one that is simulated by nobody. */
export function isForPractice(
  { type }: Pick<Alert, "type">,
  { simulated }: Pick<PrinterFacts, "simulated">,
): boolean {
  return simulated && (type === "z_report_due" || type === "z_report_overdue");
}

/** Its state, for `StateMark`. */
interface PrinterState {
  readonly mood: Mood;
  readonly word: string;
}

/** What keeps the printer from selling goes before what only warns; the first is what shows. */
const STOPPING = [
  ...(["other_printer", "outcome_unknown", "state_restored", "disk_full"] as const),
  ...(["fiscal_memory_full", "hardware_error"] as const),
  ...(["cover_open", "paper_out", "device_disconnected"] as const),
] as const satisfies readonly Alert["type"][];
const WARNING = [
  ...(["z_report_overdue", "z_report_due", "late_result", "documents_unknown"] as const),
  ...(["clock_drift", "paper_low", "fiscal_memory_near_full", "device_unassigned"] as const),
] as const satisfies readonly Alert["type"][];

/** How a printer is; while the box does not answer, since when nobody knows. */
export function usePrinterState(): (facts: PrinterFacts) => PrinterState {
  const { t } = useWords();
  const format = useFormat();
  const reach = useReach();
  const now = useNow(reach.kind === "live" ? null : 1_000);
  const silence = silenceOf(reach, now);
  return (facts) => {
    if (silence !== undefined) {
      return { mood: "idle", word: t("state.unheard", { age: format.duration(silence) }) };
    }
    const { mood, word } = knownState(facts);
    return { mood, word: t(word) };
  };
}

function knownState(facts: PrinterFacts): {
  readonly mood: Mood;
  readonly word: Word;
} {
  const { status, effectiveStatus, stateReadAt } = facts;
  const alerts = facts.alerts.filter((alert) => !isForPractice(alert, facts));
  const first = (types: readonly Alert["type"][]) =>
    types.find((type) => alerts.some((alert) => alert.type === type));
  const stopping = first(STOPPING);
  if (stopping !== undefined) return { mood: "bad", word: `state.${stopping}` };
  if (effectiveStatus === "offline") return { mood: "bad", word: "state.device_disconnected" };
  const warning = first(WARNING);
  if (warning !== undefined) return { mood: "warn", word: `state.${warning}` };
  // Something is asked of it, which may be how it is and not that it prints.
  if (status === "busy") return { mood: "work", word: "state.busy" };
  return stateReadAt === null
    ? { mood: "idle", word: "state.unread" }
    : { mood: "good", word: "state.ready" };
}
