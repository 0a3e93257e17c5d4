/** What a printer does now: its needs, its queue, its last receipts. */

import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useSearchParams } from "wouter";
import { AlertNotice } from "../../parts/alert-notice.tsx";
import { LoadPaperPanel } from "../../parts/load-paper/load-paper.tsx";
import { isBooked } from "../../parts/outcome-words.ts";
import { LastReceipts } from "./last-receipts.tsx";
import { commandsOf, Queue } from "./queue.tsx";
import type { TabProps } from "./tab.ts";

export function Now({ printer, alerts }: TabProps) {
  const { data } = useQuery(commandsOf(printer.id, "processing"));
  const isPaused = data?.commands.some(isBooked) ?? false;
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
