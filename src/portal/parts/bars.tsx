/** Sums beside each other: bars with their figures, and a day by its hours. */

import { useFormat } from "../words/words.tsx";
import styles from "./bars.module.css";

/** A sum and what it is of. */
export interface Bar {
  readonly label: string;
  readonly amount: number;
}

interface BarsProps {
  readonly title: string;
  /** Of all sums: it stands once, above them. */
  readonly currency: string;
  readonly bars: readonly Bar[];
}

/** Each bar against the longest; the figure says the same to who does not see it. */
export function Bars({ title, currency, bars }: BarsProps) {
  const format = useFormat();
  const longest = Math.max(...bars.map(({ amount }) => Math.abs(amount)), 0.01);
  return (
    <section className="box">
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <span className="aside">{format.currency(currency)}</span>
      </div>
      <ul className={styles.bars}>
        {bars.map(({ label, amount }) => (
          <li key={label}>
            <span className={styles.label}>{label}</span>
            <span className="figure">{format.amount(amount)}</span>
            <svg className={styles.bar} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden>
              <rect className={styles.field} width="100" height="8" />
              <rect className={styles.full} width={(100 * Math.abs(amount)) / longest} height="8" />
            </svg>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A step of time, now and before. */
export interface Step {
  readonly label: string;
  readonly now: number;
  readonly before: number;
}

interface StepsProps {
  readonly title: string;
  /** Of all sums. */
  readonly currency: string | undefined;
  readonly steps: readonly Step[];
  /** What the bars and what the line are. */
  readonly names: { readonly now: string; readonly before: string };
}

const HEIGHT = 120;
const STEP = 24;

/** Bars for now, with a thin line for before; a table says the same to who does not see it. */
export function Steps({ title, currency, steps, names }: StepsProps) {
  const format = useFormat();
  const highest = Math.max(...steps.flatMap(({ now, before }) => [now, before]), 0.01);
  const hasBefore = steps.some(({ before }) => before !== 0);
  const y = (amount: number) => HEIGHT - (Math.max(0, amount) / highest) * (HEIGHT - 8);
  const middle = (at: number) => at * STEP + STEP / 2;
  const line = steps.map(({ before }, at) => `${middle(at)},${y(before)}`).join(" ");
  return (
    <section className="box">
      <h2 className={styles.title}>{title}</h2>
      <svg
        className={styles.steps}
        viewBox={`0 0 ${steps.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden
      >
        {steps.map(({ label, now }, at) => (
          <rect
            key={label}
            className={styles.full}
            x={at * STEP + 4}
            width={STEP - 8}
            y={y(now)}
            height={HEIGHT - y(now)}
            rx={2}
          />
        ))}
        {hasBefore && (
          <polyline className={styles.line} points={line} vectorEffect="non-scaling-stroke" />
        )}
      </svg>
      <div className={styles.axis} aria-hidden>
        {steps.map(({ label }) => (
          <span key={label}>{label.replace(/^0?(\d+).*$/, "$1")}</span>
        ))}
      </div>
      <p className={`aside ${styles.legend}`} aria-hidden>
        <i data-kind="now" />
        {names.now}
        {hasBefore && (
          <>
            <i data-kind="before" />
            {names.before}
          </>
        )}
      </p>
      <div className="unseen">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <td />
              <th scope="col">{names.now}</th>
              <th scope="col">{names.before}</th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ label, now, before }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{format.money(now, currency)}</td>
                <td>{format.money(before, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
