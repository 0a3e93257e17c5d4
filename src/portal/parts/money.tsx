/** An amount, to the right and with figures of one width. */

import { useFormat } from "../words/words.tsx";

interface MoneyProps {
  /** In currency units. */
  readonly amount: number;
  /** The shop's unless given; null where the head of the column names it, or nobody knows it. */
  readonly currency?: string | null | undefined;
}

export function Money({ amount, currency }: MoneyProps) {
  const format = useFormat();
  return (
    <span className="figure">
      {currency === null ? format.amount(amount) : format.money(amount, currency)}
    </span>
  );
}
