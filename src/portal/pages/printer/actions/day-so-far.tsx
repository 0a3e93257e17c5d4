/** What is in the fiscal day: the receipts since the last Z report. */

import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/queries.ts";
import { Notice } from "../../../parts/notice.tsx";
import { PageStates } from "../../../parts/page-states.tsx";
import { isTender } from "../../../parts/tender.ts";
import { useFormat, useWords } from "../../../words/words.tsx";
import styles from "./actions.module.css";

/** A day is open no longer than the gateway looks back for one. */
const LOOK_BACK_MS = 31 * 86_400_000;
/** What is stored while it stands there is in it too. */
const LOOK_AHEAD_MS = 86_400_000;

interface DaySoFarProps {
  readonly deviceId: string;
  /** When it was asked first, UTC milliseconds. */
  readonly now: number;
}

export function DaySoFar({ deviceId, now }: DaySoFarProps) {
  const last = useQuery({
    ...read("/api/v1/reports", { query: { deviceId, type: "z_report", limit: 1 } }),
    staleTime: 0,
  });
  return (
    <PageStates query={last}>
      {({ reports: [report] }) => <Since deviceId={deviceId} lastZ={report?.bookedAt} now={now} />}
    </PageStates>
  );
}

interface SinceProps extends DaySoFarProps {
  /** Undefined where none is stored. */
  readonly lastZ: string | undefined;
}

function Since({ deviceId, lastZ, now }: SinceProps) {
  const { t } = useWords();
  const format = useFormat();
  const from = Math.max(now - LOOK_BACK_MS, lastZ === undefined ? 0 : Date.parse(lastZ));
  const query = { deviceId, by: "payment", ...interval(from, now) } as const;
  const summary = useQuery(read("/api/v1/reports/summary", { query }));
  return (
    <PageStates query={summary}>
      {({ totals, buckets }) => (
        <div className={styles.day}>
          {lastZ !== undefined && Date.parse(lastZ) > now && (
            <Notice mood="warn" text={t("actions.justClosed", { time: format.time(lastZ) })} />
          )}
          <p className="aside">
            {lastZ === undefined
              ? t("actions.noZ")
              : t("actions.lastZ", { time: format.dateTime(lastZ) })}
          </p>
          {totals.map(({ currency, receiptCount, reversalCount, reversals, gross, net }) => (
            <dl key={currency} className={styles.sums}>
              <Sum word={t("today.receipts", { count: receiptCount })}>{format.amount(gross)}</Sum>
              {reversalCount > 0 && (
                <Sum word={t("report.reversals")}>{format.amount(-reversals)}</Sum>
              )}
              {buckets
                .filter((bucket) => bucket.currency === currency)
                .map(({ key, net: paid }) => (
                  <Sum key={key} word={isTender(key) ? t(`payment.${key}`) : key}>
                    {format.amount(paid)}
                  </Sum>
                ))}
              <Sum word={t("actions.inDay")} isStrong>
                {format.money(net, currency)}
              </Sum>
            </dl>
          ))}
        </div>
      )}
    </PageStates>
  );
}

/** Somebody else may close the day while it stands there: it may begin after it was asked for. */
function interval(from: number, now: number) {
  const to = Math.max(from, now) + LOOK_AHEAD_MS;
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

interface SumProps {
  readonly word: string;
  readonly isStrong?: boolean;
  readonly children: string;
}

function Sum({ word, isStrong = false, children }: SumProps) {
  return (
    <div data-strong={isStrong}>
      <dt>{word}</dt>
      <dd className="figure">{children}</dd>
    </div>
  );
}
