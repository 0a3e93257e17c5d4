/** What a printer does now: its needs, its queue, its last receipts. */

import { Suspense } from "react";
import { useSearchParams } from "wouter";
import { AlertNotice } from "../../parts/alert-notice.tsx";
import { LoadPaperPanel } from "../../parts/load-paper/load-paper.tsx";
import { useIsPaused } from "../../parts/working.ts";
import { LastReceipts } from "./last-receipts.tsx";
import { Queue } from "./queue.tsx";
import type { TabProps } from "./tab.ts";

export function Now({ printer, alerts }: TabProps) {
  const isPaused = useIsPaused(printer.id);
  return (
    <>
      {alerts.map((alert) => (
        <AlertNotice
          key={`${alert.type}-${alert.commandId}`}
          alert={alert}
          isPaused={isPaused}
          printer={printer}
        />
      ))}
      <AskedForPaper printer={printer} />
      <Queue deviceId={printer.id} />
      <LastReceipts deviceId={printer.id} />
    </>
  );
}

/** The search leads here with the panel open. */
function AskedForPaper({ printer }: Pick<TabProps, "printer">) {
  const [parameters, setParameters] = useSearchParams();
  if (!parameters.has("paper")) return null;
  return (
    <Suspense>
      <LoadPaperPanel
        driver={printer.driver}
        printer={printer.name}
        close={() => setParameters({}, { replace: true })}
      />
    </Suspense>
  );
}
