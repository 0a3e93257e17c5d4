/** The last receipts of a printer, as small paper that leads to each. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { components } from "../../../client/index.ts";
import { read } from "../../api/queries.ts";
import { Empty, PageStates } from "../../parts/page-states.tsx";
import { useVatGroups } from "../../parts/printer-groups.ts";
import { PrinterPaper } from "../../parts/printer-paper.tsx";
import { receiptLines } from "../../parts/receipt-lines.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./printer.module.css";

const SHOWN = 5;

export function LastReceipts({ deviceId }: { readonly deviceId: string }) {
  const { t } = useWords();
  const receipts = useQuery(
    read("/api/v1/devices/{deviceId}/receipts", {
      path: { deviceId },
      query: { limit: SHOWN, sortBy: "bookedAt", sortOrder: "desc" },
    }),
  );
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{t("printer.lastReceipts")}</h2>
      <PageStates
        query={receipts}
        isEmpty={({ receipts: found }) => found.length === 0}
        empty={<Empty title={t("printer.noReceipts")} />}
      >
        {({ receipts: found }) => (
          <>
            <div className={styles.papers}>
              {found.map((receipt) => (
                <ReceiptPaper key={receipt.id} receipt={receipt} />
              ))}
            </div>
            <p className="aside">{t("paper.note")}</p>
          </>
        )}
      </PageStates>
    </section>
  );
}

function ReceiptPaper({ receipt }: { readonly receipt: components["schemas"]["Receipt"] }) {
  const { t } = useWords();
  const format = useFormat();
  const groups = useVatGroups(receipt.deviceId);
  return (
    <Link className={styles.thumb} href={`/receipts/${receipt.id}`}>
      <PrinterPaper
        deviceId={receipt.deviceId}
        label={t("paper.label", { number: receipt.fiscalId ?? receipt.id })}
        lines={receiptLines(receipt, { t, format, groups })}
      />
    </Link>
  );
}
