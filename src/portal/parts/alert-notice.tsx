/** What a printer needs, in a sentence that says what to do. */

import { Button } from "@mantine/core";
import { Link } from "wouter";
import type { components } from "../../client/index.ts";
import { useWords } from "../words/words.tsx";
import { Notice } from "./notice.tsx";
import type { Mood } from "./state-mark.tsx";

type Alert = components["schemas"]["Alert"];

const MOODS = { error: "bad", warning: "warn", info: "idle" } as const satisfies Record<
  Alert["severity"],
  Mood
>;

/** What keeps a receipt waiting once it was begun, and has it refused before. */
const PAUSES = {
  paper_out: "alert.paper_out.waiting",
  cover_open: "alert.cover_open.waiting",
} as const;

interface AlertNoticeProps {
  readonly alert: Alert;
  /** True while a receipt was begun and waits. */
  readonly isPaused: boolean;
}

export function AlertNotice({ alert, isPaused }: AlertNoticeProps) {
  const { t } = useWords();
  const { type, severity, deviceId, deviceName, commandId } = alert;
  const isPause = isPaused && (type === "paper_out" || type === "cover_open");
  const text = t(isPause ? PAUSES[type] : `alert.${type}`, { printer: deviceName });
  return (
    <Notice mood={MOODS[severity]} text={text}>
      {type === "state_restored" && (
        <Button component={Link} href={`/printers/${deviceId}/manage`}>
          {t("restored.compare")}
        </Button>
      )}
      {type === "outcome_unknown" && commandId !== undefined && (
        <Button component={Link} href={`/doubtful/${commandId}`}>
          {t("doubtful.settle")}
        </Button>
      )}
      {(type === "z_report_due" || type === "z_report_overdue") && (
        <Button component={Link} variant="default" href={`/printers/${deviceId}/actions?z`}>
          {t("actions.z")}
        </Button>
      )}
    </Notice>
  );
}
