/** What the printer sold in the month, and how many Z reports were made. */

import { unseenCount } from "../../parts/unseen-reports.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import type { Month } from "./calendar-day.ts";
import styles from "./reports.module.css";

export function MonthTotals({ month }: { readonly month: Month }) {
  const { t } = useWords();
  const made = month.days.flatMap(({ reports }) => reports);
  const unseen = made.reduce(
    (count, { unseenReports }) => count + (unseenReports ? unseenCount(unseenReports) : 0),
    0,
  );
  return (
    <section className="box" aria-label={t("reports.totals")}>
      <h2 className={styles.boxHeading}>{t("reports.totals")}</h2>
      {month.totals.map((total) => (
        <Sums key={total.currency} total={total} />
      ))}
      <p className={styles.counted}>{t("reports.madeCount", { count: made.length })}</p>
      {unseen > 0 && (
        <p className={styles.counted}>{t("reports.unseenCount", { count: unseen })}</p>
      )}
    </section>
  );
}

function Sums({ total }: { readonly total: Month["totals"][number] }) {
  const { t } = useWords();
  const format = useFormat();
  const money = (amount: number) => format.money(amount, total.currency);
  const { net, receiptCount, gross, reversalCount, reversals, refundCount, refunds } = total;
  return (
    <div className={styles.sums}>
      <strong className={styles.sum}>{money(net)}</strong>
      <span>
        {net === gross
          ? t("today.receipts", { count: receiptCount })
          : t("reports.receiptsOf", { count: receiptCount, amount: money(gross) })}
      </span>
      {reversalCount > 0 && (
        <span>{t("today.reversals", { count: reversalCount, amount: money(reversals) })}</span>
      )}
      {refundCount > 0 && (
        <span>{t("today.refunds", { count: refundCount, amount: money(refunds) })}</span>
      )}
    </div>
  );
}
