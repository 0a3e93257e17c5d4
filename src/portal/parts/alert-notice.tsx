/** What a printer needs, in a sentence that says what to do. */

import { Button } from "@mantine/core";
import { Link } from "wouter";
import type { components } from "../../client/index.ts";
import { useMay } from "../api/hooks.ts";
import { useWords } from "../words/words.tsx";
import { useAlertText } from "./alert-text.ts";
import type { Driver } from "./drivers.ts";
import { LoadPaper } from "./load-paper/load-paper.tsx";
import { Notice } from "./notice.tsx";
import { isForPractice } from "./printer-state.ts";
import type { Mood } from "./state-mark.tsx";

type Alert = components["schemas"]["Alert"];

const MOODS = { error: "bad", warning: "warn", info: "idle" } as const satisfies Record<
  Alert["severity"],
  Mood
>;

interface AlertNoticeProps {
  readonly alert: Alert;
  /** True while a receipt was begun and waits. */
  readonly isPaused: boolean;
  /** Whose alert it is; not given where paper is loaded right beside it. */
  readonly printer?: { readonly driver: Driver; readonly simulated: boolean };
}

export function AlertNotice({ alert, isPaused, printer }: AlertNoticeProps) {
  const { t } = useWords();
  const mayManage = useMay("admin");
  const { type, severity, deviceId, commandId } = alert;
  const isPractice = printer !== undefined && isForPractice(alert, printer);
  const text = useAlertText()(alert, { isPaused, printer });
  return (
    <Notice mood={isPractice ? "idle" : MOODS[severity]} text={text}>
      {mayManage && (type === "state_restored" || type === "documents_unknown") && (
        <Button component={Link} href={`/printers/${deviceId}/manage`}>
          {t("restored.compare")}
        </Button>
      )}
      {mayManage && type === "other_printer" && (
        <Button component={Link} href={`/printers/${deviceId}/manage`}>
          {t("otherPrinter.look")}
        </Button>
      )}
      {type === "outcome_unknown" && commandId !== undefined && (
        <Button component={Link} href={`/doubtful/${commandId}`}>
          {t("doubtful.settle")}
        </Button>
      )}
      {(type === "paper_out" || type === "paper_low") && printer !== undefined && (
        <ToPaper {...printer} deviceId={deviceId} name={alert.deviceName} />
      )}
      {type === "late_result" && commandId !== undefined && (
        <Button component={Link} variant="default" href={`/commands/${commandId}`}>
          {t("commands.show")}
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

interface ToPaperProps {
  readonly driver: Driver;
  readonly simulated: boolean;
  readonly deviceId: string;
  readonly name: string;
}

/** At a simulated printer there is nothing to open: its paper has a tab. */
function ToPaper({ driver, simulated, deviceId, name }: ToPaperProps) {
  const { t } = useWords();
  const mayMend = useMay("admin");
  if (!simulated) return <LoadPaper driver={driver} printer={name} />;
  if (!mayMend) return null;
  return (
    <Button component={Link} variant="default" href={`/printers/${deviceId}/paper`}>
      {t("loadPaper.simulated")}
    </Button>
  );
}
