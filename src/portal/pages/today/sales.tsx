/** What was sold: the total large, then by hour, tender and VAT group. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useMay } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { type Bar, Bars, Steps } from "../../parts/bars.tsx";
import { Empty } from "../../parts/page-states.tsx";
import { PRACTICE } from "../../parts/printer-choices.ts";
import { useVatGroups } from "../../parts/printer-groups.ts";
import { isTender } from "../../parts/tender.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import { hoursOf } from "./hours.ts";
import styles from "./today.module.css";
import type { Today } from "./today.ts";

type TodaySales = NonNullable<Today["sales"]>;
type Payment = TodaySales["payments"][number];
type Total = TodaySales["totals"][number];

interface SalesProps {
  readonly sales: TodaySales;
  /** The first is where to try the printing out while nothing is sold. */
  readonly devices: readonly { readonly id: string; readonly simulated: boolean }[];
}

export function Sales({ sales, devices }: SalesProps) {
  const { t } = useWords();
  const groups = useVatGroups();
  const { totals, payments, vat } = sales;
  const isEmpty = totals.every((one) => one.receiptCount + one.reversalCount === 0);
  const isUnfinished = useIsUnfinished(isEmpty);
  if (isEmpty) {
    const printerId = devices[0]?.id;
    const hasPractice = devices.some(({ simulated }) => simulated);
    const text = t(hasPractice ? "practice.leftOut" : "today.emptyText");
    return (
      <Empty title={t("today.empty")} text={text}>
        {hasPractice && (
          <Button component={Link} variant="default" href={`/receipts?printer=${PRACTICE}`}>
            {t("practice.show")}
          </Button>
        )}
        {printerId !== undefined && (
          <Button component={Link} variant="default" href={`/printers/${printerId}/actions?slip`}>
            {t("search.testPrint")}
          </Button>
        )}
        {isUnfinished && (
          <Button component={Link} variant="default" href="/setup">
            {t("today.goOn")}
          </Button>
        )}
      </Empty>
    );
  }
  return (
    <>
      {totals.map((total) => (
        <TotalBox
          key={total.currency}
          total={total}
          before={sales.weekBefore.totals.find(({ currency }) => currency === total.currency)}
        />
      ))}
      <Hours sales={sales} />
      {totals.map(({ currency }) => (
        <div key={currency} className={styles.pair}>
          <Bars
            title={t("today.byPayment")}
            currency={currency}
            bars={payments.filter(isIn(currency)).map((one) => paymentBar(one, t))}
          />
          <Bars
            title={t("today.byVat")}
            currency={currency}
            bars={vat
              .filter(isIn(currency))
              .map(({ key, net }) => ({ label: groups.nameOf(key), amount: net }))}
          />
        </div>
      ))}
    </>
  );
}

/** Amounts of two currencies do not stand beside each other. */
const isIn = (currency: string) => (one: { readonly currency: string }) =>
  one.currency === currency;

function paymentBar({ key, net }: Payment, t: ReturnType<typeof useWords>["t"]): Bar {
  return { label: isTender(key) ? t(`payment.${key}`) : key, amount: net };
}

function TotalBox({
  total,
  before,
}: {
  readonly total: Total;
  readonly before: Total | undefined;
}) {
  const { t } = useWords();
  const format = useFormat();
  const money = (amount: number) => format.money(amount, total.currency);
  const { net, receiptCount, reversalCount, reversals, refundCount, refunds, average } = total;
  return (
    <section className={`box ${styles.total}`} aria-label={t("today.sold")}>
      <h2 className={styles.sold}>{t("today.sold")}</h2>
      <strong className={styles.sum}>{money(net)}</strong>
      <p className="quiet">
        <span>{t("today.receipts", { count: receiptCount })}</span>
        {average !== null && (
          <span>
            {t(reversalCount + refundCount > 0 ? "today.averageBefore" : "today.average", {
              amount: money(average),
            })}
          </span>
        )}
        {reversalCount > 0 && (
          <span>{t("today.reversals", { count: reversalCount, amount: money(reversals) })}</span>
        )}
        {refundCount > 0 && (
          <span>{t("today.refunds", { count: refundCount, amount: money(refunds) })}</span>
        )}
      </p>
      {before !== undefined && before.net !== 0 && (
        <p className="aside">{t("today.lastWeek", { amount: money(before.net) })}</p>
      )}
    </section>
  );
}

/** True where no till can sell yet, for who may change that. */
function useIsUnfinished(isAsked: boolean): boolean {
  const may = useMay("admin");
  const { data: keys } = useQuery({ ...read("/api/v1/org/api-keys"), enabled: isAsked && may });
  return may && keys?.length === 0;
}

/** Only the shop's own currency has bars: amounts of two cannot stand beside each other. */
function Hours({ sales }: { readonly sales: TodaySales }) {
  const { t } = useWords();
  const format = useFormat();
  const currency = sales.totals[0]?.currency;
  return (
    <Steps
      title={t("today.byHour")}
      currency={currency}
      steps={hoursOf(sales, currency, format)}
      names={{ now: t("today.thisDay"), before: t("today.weekBefore") }}
    />
  );
}
