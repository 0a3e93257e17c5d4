/** An amount by finger or by keyboard, as one writes it: 1, 2, ., 5 is 12.50. */

import { Button, SimpleGrid } from "@mantine/core";
import { useId } from "react";
import { useFormat, useWords } from "../words/words.tsx";
import { Icon } from "./icon.tsx";
import styles from "./number-pad.module.css";
import { centsTyped } from "./typed-amount.ts";

interface NumberPadProps {
  /** As it is written; `centsTyped` says what it means. */
  readonly typed: string;
  readonly onChange: (typed: string) => void;
  /** What the amount is. */
  readonly label: string;
}

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;
const TYPED_MAX = 12;

export function NumberPad({ typed, onChange, label }: NumberPadProps) {
  const { t } = useWords();
  const format = useFormat();
  const about = useId();
  const point = format.number(0.5).replaceAll(/\d/g, "");
  const isWrong = typed !== "" && centsTyped(typed) === undefined;
  const write = (next: string) => {
    // What is no amount stays to be seen: without its signs it would be another one.
    if (next.length <= TYPED_MAX) onChange(next);
  };
  const key = (text: string) => (
    <Button
      key={text}
      className={styles.key}
      variant="default"
      fz={20}
      onClick={() => write(typed + text)}
    >
      {text}
    </Button>
  );
  return (
    <div className={styles.pad}>
      <input
        className={styles.amount}
        aria-label={label}
        aria-describedby={about}
        aria-invalid={isWrong}
        inputMode="none"
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget: { value } }) => write(value)}
        data-autofocus
      />
      <p className={styles.about} id={about} data-wrong={isWrong}>
        {t(isWrong ? "pad.wrong" : "pad.about", { amount: format.money(12.5) })}
      </p>
      <SimpleGrid cols={3} spacing="xs">
        {DIGITS.map(key)}
        {key(point)}
        {key("0")}
        <Button
          className={styles.key}
          variant="default"
          aria-label={t("pad.erase")}
          onClick={() => write(typed.slice(0, -1))}
        >
          <Icon name="erase" />
        </Button>
      </SimpleGrid>
    </div>
  );
}
