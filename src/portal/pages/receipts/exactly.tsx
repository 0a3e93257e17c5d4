/** Above what has a searched text somewhere: the receipt of that number, and those of that amount. */

import { useQueries } from "@tanstack/react-query";
import type { components } from "../../../client/index.ts";
import { type Params, read } from "../../api/queries.ts";
import { reasonOf, receiptQueries } from "../../shell/search-receipts.ts";
import { useWords } from "../../words/words.tsx";
import styles from "./receipts.module.css";
import { ReceiptRow } from "./row.tsx";

type Receipt = components["schemas"]["Receipt"];
type Filter = NonNullable<Params<"/api/v1/receipts">["query"]>;

const SHOWN = 5;

/** What is found so; nothing where nothing is searched for. */
export function useExactly({ q = "", ...others }: Filter): Receipt[] {
  // The list below asks for the last one.
  const asked = receiptQueries(q).filter((one) => one.q !== q);
  const lists = useQueries({
    queries: asked.map((one) =>
      read("/api/v1/receipts", { query: { ...others, ...one, limit: SHOWN } }),
    ),
  });
  return lists.flatMap(({ data }) => data?.receipts ?? []);
}

interface ExactlyProps {
  readonly asked: string;
  readonly found: readonly Receipt[];
  readonly names: ReadonlyMap<string, string>;
}

export function Exactly({ asked, found, names }: ExactlyProps) {
  const { t } = useWords();
  if (found.length === 0) return null;
  return (
    <section aria-label={t("receipts.exactly", { asked })}>
      <h2 className={styles.day}>{t("receipts.exactly", { asked })}</h2>
      <ul className={styles.doubtful}>
        {found.map((receipt) => (
          <li key={receipt.id}>
            <ReceiptRow receipt={receipt} printer={names.get(receipt.deviceId)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a row has to show of a receipt, so that one sees why it was found. */
export function whyFound(receipt: Receipt, q: string | undefined): string | undefined {
  if (q === undefined) return undefined;
  const reason = reasonOf(receipt, q);
  // A few digits are found within the number of a sale, which is else not shown.
  return (reason === undefined ? receipt.uniqueSaleNumber : reason.text) ?? undefined;
}
