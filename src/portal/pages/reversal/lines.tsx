/** The lines of the sale, each with how much of it goes back. */

import { ActionIcon, Button, TextInput } from "@mantine/core";
import { useState } from "react";
import type { components } from "../../../client/index.ts";
import { Icon } from "../../parts/icon.tsx";
import { Money } from "../../parts/money.tsx";
import { centsOfPart, type LineLeft, type useReversals } from "../../parts/reversals.ts";
import { marksOf, quantityTyped } from "../../parts/typed-amount.ts";
import { type Translate, useFormat, useWords } from "../../words/words.tsx";
import styles from "./reversal.module.css";

/** How much goes back; undefined while what is typed is no quantity. */
export type Quantity = number | undefined;

interface LinesProps {
  readonly sale: components["schemas"]["Receipt"];
  readonly lines: readonly LineLeft[];
  readonly quantities: readonly Quantity[];
  readonly onChange: (quantities: readonly Quantity[]) => void;
  /** What is said of what is not left any more. */
  readonly gone: GoneWord;
}

type GoneWord = "reversal.lineLeft" | "reversal.lineUnderWay" | "reversal.lineSome";

/** What has not ended is not reversed yet. */
export function goneWord({ reversing, underWay }: ReturnType<typeof useReversals>): GoneWord {
  if (underWay.length === 0) return "reversal.lineLeft";
  return reversing.length === 0 ? "reversal.lineUnderWay" : "reversal.lineSome";
}

export function Lines({ sale, lines, quantities, onChange, gone }: LinesProps) {
  const { t } = useWords();
  const set = (at: number, quantity: Quantity) => onChange(quantities.with(at, quantity));
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
            gone={gone}
            called={calledIn(lines, at, t)}
            currency={sale.currency}
            quantity={quantities[at]}
            set={(quantity) => set(at, quantity)}
          />
        ))}
      </ul>
    </section>
  );
}

/** Of two that are called the same, each is told by where it stands. */
function calledIn(lines: readonly LineLeft[], at: number, t: Translate): string {
  const name = lines[at]?.item.name ?? "";
  const isAlone = lines.filter(({ item }) => item.name === name).length === 1;
  return isAlone ? name : t("reversal.itemAt", { item: name, line: at + 1 });
}

interface LineProps {
  readonly line: LineLeft;
  readonly gone: GoneWord;
  /** The article, for who hears the page. */
  readonly called: string;
  readonly currency: string;
  readonly quantity: Quantity;
  readonly set: (quantity: Quantity) => void;
}

function Line({ line, gone, called, currency, quantity, set }: LineProps) {
  const { item, quantity: left } = line;
  const { t } = useWords();
  const format = useFormat();
  const typing = useTyping(left, quantity, set);
  const facts = {
    quantity: format.number(item.quantity),
    price: format.money(item.price, currency),
  };
  return (
    <li className={styles.line} data-gone={left === 0}>
      <span className={styles.name}>
        {item.name}
        <span className="aside">{t("reversal.bought", facts)}</span>
        {typing.isMore && (
          <span className={styles.gone} role="status">
            {t("reversal.noMore", { quantity: format.number(left) })}
          </span>
        )}
        {quantity === undefined && (
          <span className={styles.gone} role="alert">
            {t("reversal.noQuantity", { quantity: format.number(1.5) })}
          </span>
        )}
        {left < item.quantity && (
          <span className={styles.gone}>{t(gone, { quantity: format.number(left) })}</span>
        )}
      </span>
      <Stepper line={line} called={called} quantity={quantity} typing={typing} />
      <span className={styles.sum}>
        <Money amount={centsOfPart(line, quantity ?? 0) / 100} currency={null} />
      </span>
    </li>
  );
}

/** What is written in the field of a line; it follows where the quantity is changed otherwise. */
function useTyping(left: number, quantity: Quantity, set: (quantity: Quantity) => void) {
  const format = useFormat();
  const marks = marksOf(format.number);
  const textOf = (known: number) => String(known).replace(".", marks.point);
  const [typed, setTyped] = useState<{
    readonly text: string;
    readonly means: Quantity;
    readonly isMore: boolean;
  }>();
  const isCurrent = typed !== undefined && typed.means === quantity;
  return {
    text: isCurrent ? typed.text : textOf(quantity ?? 0),
    isMore: isCurrent && typed.isMore,
    write(text: string) {
      const wanted = text.trim() === "" ? 0 : quantityTyped(text, marks);
      const isMore = wanted !== undefined && wanted > left;
      const means = isMore ? left : wanted;
      setTyped({ text: isMore ? textOf(left) : text, means, isMore });
      set(means);
    },
    /** By the buttons beside it. */
    step(wanted: number) {
      setTyped(undefined);
      set(Math.min(left, Math.max(0, wanted)));
    },
  };
}

interface StepperProps {
  readonly line: LineLeft;
  readonly called: string;
  readonly quantity: Quantity;
  readonly typing: ReturnType<typeof useTyping>;
}

function Stepper({ line: { quantity: left }, called, quantity, typing }: StepperProps) {
  const { t } = useWords();
  const known = quantity ?? 0;
  return (
    <span className={styles.stepper}>
      <ActionIcon
        variant="default"
        size={44}
        aria-label={t("reversal.less", { item: called })}
        disabled={known <= 0}
        onClick={() => typing.step(Math.ceil(known) - 1)}
      >
        <Icon name="minus" />
      </ActionIcon>
      <TextInput
        aria-label={t("reversal.quantity", { item: called })}
        className={styles.quantity}
        size="md"
        inputMode="decimal"
        autoComplete="off"
        disabled={left === 0}
        error={quantity === undefined}
        value={typing.text}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget: { value } }) => typing.write(value)}
      />
      <ActionIcon
        variant="default"
        size={44}
        aria-label={t("reversal.more", { item: called })}
        disabled={known >= left}
        onClick={() => typing.step(Math.floor(known) + 1)}
      >
        <Icon name="plus" />
      </ActionIcon>
    </span>
  );
}
