/** A printer on one line: how it is, what it does, what it needs. */

import { Link } from "wouter";
import { boxNow } from "../../api/box-clock.ts";
import { useBoxNow, useOrganization } from "../../api/hooks.ts";
import { AlertNotice } from "../../parts/alert-notice.tsx";
import { Differs } from "../../parts/closed-day.tsx";
import { isBooked } from "../../parts/outcome-words.ts";
import { PracticeNote } from "../../parts/practice.tsx";
import { isForPractice, usePrinterState } from "../../parts/printer-state.ts";
import { dayOf } from "../../parts/shop-days.ts";
import { StateMark } from "../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import { isOfTheBox } from "./box-trouble.tsx";
import { useDrawer } from "./drawer.ts";
import styles from "./today.module.css";
import type { Today } from "./today.ts";

type Line = Today["devices"][number];

export function PrinterLine({ line }: { readonly line: Line }) {
  const { t } = useWords();
  const { device, alerts, doing, waiting, cash } = line;
  useDrawer(line);
  const state = usePrinterState()({ ...device, alerts });
  // What is doubtful, or of the box, stands above all printers already; what is practice, on its page.
  const notices = alerts.filter(
    (alert) =>
      alert.type !== "outcome_unknown" && !isOfTheBox(alert) && !isForPractice(alert, device),
  );
  return (
    <article className={styles.printer}>
      <Link className={styles.line} href={`/printers/${device.id}`}>
        <strong className={styles.name}>{device.name}</strong>
        <StateMark {...state} isFilled />
        <PracticeNote of={device} />
        <span className={`aside ${styles.work}`}>
          {doing !== null && <Doing doing={doing} />}
          {waiting > 0 && <span>{t("today.waiting", { count: waiting })}</span>}
          {cash !== null && <InDrawer cash={cash} />}
        </span>
      </Link>
      {notices.map((alert) => (
        <AlertNotice
          key={`${alert.type}-${alert.commandId}`}
          alert={alert}
          isPaused={doing !== null && isBooked(doing)}
          printer={device}
        />
      ))}
      <LastZ line={line} />
    </article>
  );
}

/** That its last Z report differs from the receipts, until somebody has looked at it. */
function LastZ({ line }: { readonly line: Line }) {
  const timezone = useOrganization()?.timezone;
  const { lastZ } = line;
  if (!isToCompare(line) || !lastZ?.compared) return null;
  return (
    <Differs reportId={lastZ.reportId} date={dayOf(lastZ.at, timezone)} day={lastZ.compared} />
  );
}

/** True where somebody is to look at its last Z report. */
export function isToCompare({ device, lastZ }: Line): boolean {
  return lastZ?.compared?.balanced === false && !device.simulated && lastZ.lookedAt === null;
}

/** As the printer has told it, and when. */
function InDrawer({
  cash: { amount, currency, at },
}: {
  readonly cash: NonNullable<Line["cash"]>;
}) {
  const { t } = useWords();
  const format = useFormat();
  const isToday = format.date(at) === format.date(boxNow());
  const time = isToday ? format.time(at) : format.dateTime(at);
  const told = format.money(amount, currency ?? undefined);
  return <span>{t("today.inDrawer", { amount: told, time })}</span>;
}

function Doing({ doing }: { readonly doing: NonNullable<Line["doing"]> }) {
  const { t } = useWords();
  const format = useFormat();
  // Since when is told by the box.
  const now = useBoxNow(1_000);
  const time = format.duration(now - Date.parse(doing.since));
  return <span>{t("today.doing", { what: t(`command.${doing.type}`), time })}</span>;
}
