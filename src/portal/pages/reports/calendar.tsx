/** A month of a printer: each day with what was sold and whether the day was closed. */

import { Link } from "wouter";
import { StateMark, StateShape } from "../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import { type Day, type Month, stateOf } from "./calendar-day.ts";
import styles from "./reports.module.css";

const WEEK = 7;

export function Calendar({ month }: { readonly month: Month }) {
  const { t } = useWords();
  const format = useFormat();
  const weeks = weeksOf(month.days);
  // A Monday and the days behind it.
  const heads = Array.from({ length: WEEK }, (_, at) => `2024-01-0${at + 1}`);
  return (
    <table className={styles.calendar}>
      <caption className="unseen">{t("reports.title")}</caption>
      <thead>
        <tr>
          {heads.map((date) => (
            <th key={date} scope="col">
              {format.weekday(date)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week.find((day) => day !== undefined)?.date}>
            {heads.map((head, at) => {
              const day = week[at];
              return (
                <td key={head} className={styles.cell}>
                  {day !== undefined && <DayCell day={day} deviceId={month.deviceId} />}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayCell({ day, deviceId }: { readonly day: Day; readonly deviceId: string }) {
  const { t } = useWords();
  const format = useFormat();
  const state = stateOf(day, { t, format });
  const number = Number(day.date.slice(-2));
  if (state === undefined) return <span className={styles.empty}>{number}</span>;
  const sold = day.sums.filter(({ receiptCount, reversalCount }) => receiptCount + reversalCount);
  return (
    <Link
      className={styles.day}
      href={`/reports/${day.date}?printer=${encodeURIComponent(deviceId)}`}
    >
      <span aria-hidden>{number}</span>
      <span className="unseen">{format.calendarDay(day.date)}</span>
      <span className={styles.shape} aria-hidden>
        <StateShape mood={state.mood} />
      </span>
      <span className={styles.word}>
        <StateMark mood={state.mood} word={state.word} />
      </span>
      {sold.map(({ currency, net }) => (
        <span key={currency} className={`figure ${styles.net}`}>
          {sold.length > 1 ? format.money(net, currency) : format.amount(net)}
        </span>
      ))}
    </Link>
  );
}

/** Rows from Monday to Sunday; undefined stands for days of other months. */
function weeksOf(days: readonly Day[]): (Day | undefined)[][] {
  const [first] = days;
  if (first === undefined) return [];
  const before = (new Date(`${first.date}T00:00:00Z`).getUTCDay() + WEEK - 1) % WEEK;
  const cells = [...Array.from({ length: before }, () => undefined), ...days];
  return Array.from({ length: Math.ceil(cells.length / WEEK) }, (_, at) =>
    cells.slice(at * WEEK, (at + 1) * WEEK),
  );
}
