/** A receipt in the list: when, what, where, how much. */

import { memo } from "react";
import { Link } from "wouter";
import type { components } from "../../../client/index.ts";
import { useOrganization } from "../../api/hooks.ts";
import { dotted } from "../../parts/dotted.ts";
import { Icon } from "../../parts/icon.tsx";
import rowStyles from "../../parts/list-row.module.css";
import { PracticeMark } from "../../parts/practice.tsx";
import { signedTotal } from "../../parts/signed-total.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./receipts.module.css";

type Receipt = components["schemas"]["Receipt"];

/** Pixels, as `receipts.module.css` has it. */
export const ROW_HEIGHT = 68;

interface RowProps {
  readonly receipt: Receipt;
  readonly printer: string | undefined;
  /** Why it is among what was searched for, where the row does not show it by itself. */
  readonly reason?: string | undefined;
}

/** Drawn again only when it has changed: there are many, and they come quickly. */
export const ReceiptRow = memo(function ReceiptRow({ receipt, printer, reason }: RowProps) {
  const { t } = useWords();
  const format = useFormat();
  const own = useOrganization()?.currency;
  const { id, type, fiscalId, bookedAt, currency, items } = receipt;
  const total = signedTotal(receipt);
  const number = fiscalId === null ? undefined : t("receipts.number", { number: fiscalId });
  const names = namesOf(items);
  const isShown = reason === undefined || names.includes(reason);
  const details = dotted([number, printer, isShown ? undefined : reason]);
  return (
    <Link
      className={`${rowStyles.row} ${styles.row}`}
      href={`/receipts/${id}`}
      state={{ fromList: true }}
    >
      <span className={styles.time}>{format.time(bookedAt)}</span>
      <span className={styles.what}>
        <span className={styles.names}>{names}</span>
        <span className="aside">
          <PracticeMark of={receipt} /> {details}
        </span>
      </span>
      <span className={styles.sum}>
        <span className="figure">
          {currency === own ? format.amount(total) : format.money(total, currency)}
        </span>
        {type !== "sale" && <span className={styles.kind}>{t(`receipts.kind.${type}`)}</span>}
      </span>
      <Icon name="next" />
    </Link>
  );
});

function namesOf(items: Receipt["items"]): string {
  return items.map(({ name }) => name).join(", ");
}
