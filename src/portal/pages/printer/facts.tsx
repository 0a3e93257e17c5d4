/** What a printer is, for whoever reads it aloud on the telephone. */

import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/queries.ts";
import { addressText } from "../../parts/address-text.ts";
import { useFormat, useWords, type Word } from "../../words/words.tsx";
import styles from "./printer.module.css";
import type { Printer } from "./tab.ts";

export function Facts({ printer }: { readonly printer: Printer }) {
  const { t } = useWords();
  const facts: (readonly [Word, string | null])[] = [
    ["printer.model", printer.model],
    ["printer.serial", printer.serialNumber],
    ["printer.fiscalMemory", printer.fiscalMemorySerialNumber],
    useSeen(printer),
    // The longest comes last, where a phone gives it a line of its own.
    ["printer.address", printer.simulated ? null : addressText(printer.connectionParams)],
  ];
  return (
    <dl className={styles.facts}>
      {printer.simulated && (
        <div className={styles.kind}>
          <dt className="aside">{t("printer.kind")}</dt>
          <dd>{t("printer.simulated")}</dd>
        </div>
      )}
      {facts.map(([word, value]) =>
        value === null || value === "" ? null : (
          <div key={word}>
            <dt className="aside">{t(word)}</dt>
            <dd translate="no">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function useSeen({ id: deviceId, effectiveStatus, lastSeen }: Printer): [Word, string | null] {
  const format = useFormat();
  const isOnline = effectiveStatus === "online";
  const history = useQuery({
    ...read("/api/v1/devices/{deviceId}/connection-history", { path: { deviceId } }),
    enabled: isOnline,
  });
  const [latest] = history.data?.events ?? [];
  if (isOnline) {
    const since = latest?.type === "connected" ? format.dateTime(latest.timestamp) : null;
    return ["printer.onlineSince", since];
  }
  return ["printer.lastSeen", lastSeen === null ? null : format.dateTime(lastSeen)];
}
