/** What a printer does now: its needs, its queue, its last receipts. */

import { useQuery } from "@tanstack/react-query";
import { AlertNotice } from "../../parts/alert-notice.tsx";
import { LastReceipts } from "./last-receipts.tsx";
import { commandsOf, Queue } from "./queue.tsx";
import type { TabProps } from "./tab.ts";

export function Now({ printer, alerts }: TabProps) {
  const { data } = useQuery(commandsOf(printer.id, "processing"));
  const isPaused = (data?.commands.length ?? 0) > 0;
  return (
    <>
      {alerts.map((alert) => (
        <AlertNotice key={`${alert.type}-${alert.commandId}`} alert={alert} isPaused={isPaused} />
      ))}
      <Queue deviceId={printer.id} />
      <LastReceipts deviceId={printer.id} />
    </>
  );
}
