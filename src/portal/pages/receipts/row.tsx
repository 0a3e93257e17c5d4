/** A receipt in the list: when, what, where, how much. */

import { Link } from "wouter";
import type { components } from "../../../client/index.ts";
import { useOrganization } from "../../api/hooks.ts";
import { Icon } from "../../parts/icon.tsx";
import { Money } from "../../parts/money.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import { signedTotal } from "./days.tsx";
import styles from "./receipts.module.css";

type Receipt = components["schemas"]["Receipt"];

/** Pixels, as `receipts.module.css` has it. */
export const ROW_HEIGHT = 68;

interface RowProps {
  readonly receipt: Receipt;
  readonly printer: string | undefined;
}

export function ReceiptRow({ receipt, printer }: RowProps) {
  const { t } = useWords();
  const format = useFormat();
  const own = useOrganization()?.currency;
  const { id, type, fiscalId, issuedAt, currency, items } = receipt;
  const number = fiscalId === null ? undefined : t("receipts.number", { number: fiscalId });
  const details = [number, printer].filter((part) => part !== undefined).join(" · ");
  return (
    <Link className={styles.row} href={`/receipts/${id}`} state={{ fromList: true }}>
      <span className={styles.time}>{format.time(issuedAt)}</span>
      <span className={styles.what}>
        <span className={styles.names}>{namesOf(items)}</span>
        <span className="aside">{details}</span>
      </span>
      <span className={styles.sum}>
        <Money amount={signedTotal(receipt)} currency={currency === own ? null : currency} />
        {type !== "sale" && <span className={styles.kind}>{t(`receipts.type.${type}`)}</span>}
      </span>
      <Icon name="next" />
    </Link>
  );
}

function namesOf(items: Receipt["items"]): string {
  return items.map(({ name }) => name).join(", ");
}
