/** The last deliveries as a row of bars: arrived stands above the line, failed hangs below it. */

import { useWords } from "../../../words/words.tsx";
import type { Delivery } from "./webhook.ts";
import styles from "./webhooks.module.css";

const STEP = 8;
const WIDTH = 5;
const HALF = 14;

/** @param props.deliveries newest first, as the API lists them */
export function Sparkline({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const { t } = useWords();
  if (deliveries.length === 0) return <span className="aside">{t("webhooks.nothingSent")}</span>;
  const inTime = deliveries.toReversed();
  const failed = deliveries.filter(({ status }) => status === "failed").length;
  const pending = deliveries.filter(({ status }) => status === "pending").length;
  const success = deliveries.length - failed - pending;
  return (
    <span className={styles.spark}>
      <svg
        width={STEP * inTime.length}
        height={2 * HALF}
        viewBox={`0 0 ${STEP * inTime.length} ${2 * HALF}`}
        aria-hidden="true"
      >
        <rect className={styles.base} y={HALF - 0.5} width={STEP * inTime.length} height={1} />
        {inTime.map(({ id, status }, at) => (
          <rect
            key={id}
            className={styles.stroke}
            data-status={status}
            x={at * STEP + 1}
            y={{ success: 2, failed: HALF, pending: HALF - 3 }[status]}
            width={WIDTH}
            height={status === "pending" ? 6 : HALF - 2}
            rx={1}
          />
        ))}
      </svg>
      <span className="aside">
        {t("webhooks.sparkline", { success, failed, pending, all: deliveries.length })}
      </span>
    </span>
  );
}
