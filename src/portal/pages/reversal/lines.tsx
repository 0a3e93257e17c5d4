/** The lines of the sale, each with how much of it goes back. */

import { ActionIcon, Button, NumberInput } from "@mantine/core";
import { useState } from "react";
import type { components } from "../../../client/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { Money } from "../../parts/money.tsx";
import type { LineLeft } from "../../parts/reversals.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./reversal.module.css";

interface LinesProps {
  readonly sale: components["schemas"]["Receipt"];
  readonly lines: readonly LineLeft[];
  readonly quantities: readonly number[];
  readonly onChange: (quantities: readonly number[]) => void;
}

export function Lines({ sale, lines, quantities, onChange }: LinesProps) {
  const { t } = useWords();
  const set = (at: number, quantity: number) => onChange(quantities.with(at, quantity));
  return (
    <section className="box" aria-label={t("reversal.lines")}>
      <Button variant="default" onClick={() => onChange(lines.map(({ quantity }) => quantity))}>
        {t("reversal.everything")}
      </Button>
      <ul className={styles.lines}>
        {lines.map((line, at) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: the same article may stand there twice
            key={at}
            line={line}
            currency={sale.currency}
            quantity={quantities[at] ?? 0}
            set={(quantity) => set(at, quantity)}
          />
        ))}
      </ul>
    </section>
  );
}

interface LineProps {
  readonly line: LineLeft;
  readonly currency: string;
  readonly quantity: number;
  readonly set: (quantity: number) => void;
}

function Line({ line: { item, quantity: left }, currency, quantity, set }: LineProps) {
  const { t } = useWords();
  const format = useFormat();
  const [wished, setWished] = useState(quantity);
  const bounded = (wanted: number) => {
    setWished(wanted);
    set(Math.min(left, Math.max(0, wanted)));
  };
  const facts = {
    quantity: format.number(item.quantity),
    price: format.money(item.price, currency),
  };
  return (
    <li className={styles.line} data-gone={left === 0}>
      <span className={styles.name}>
        {item.name}
        <span className="aside">{t("reversal.bought", facts)}</span>
        {wished > left && (
          <span className={styles.gone} role="status">
            {t("reversal.noMore", { quantity: format.number(left) })}
          </span>
        )}
        {left < item.quantity && (
          <span className={styles.gone}>
            {t("reversal.lineLeft", { quantity: format.number(left) })}
          </span>
        )}
      </span>
      <span className={styles.stepper}>
        <ActionIcon
          variant="default"
          size={44}
          aria-label={t("reversal.less", { item: item.name })}
          disabled={quantity <= 0}
          onClick={() => bounded(Math.ceil(quantity) - 1)}
        >
          <Icon name="minus" />
        </ActionIcon>
        <NumberInput
          aria-label={t("reversal.quantity", { item: item.name })}
          className={styles.quantity}
          size="md"
          hideControls
          decimalScale={3}
          allowNegative={false}
          min={0}
          max={left}
          clampBehavior="none"
          disabled={left === 0}
          value={quantity}
          onChange={(value) => bounded(Number(value) || 0)}
        />
        <ActionIcon
          variant="default"
          size={44}
          aria-label={t("reversal.more", { item: item.name })}
          disabled={quantity >= left}
          onClick={() => bounded(Math.floor(quantity) + 1)}
        >
          <Icon name="plus" />
        </ActionIcon>
      </span>
      <span className={styles.sum}>
        <Money amount={Math.round(item.price * quantity * 100) / 100} currency={null} />
      </span>
    </li>
  );
}
