/** An amount by finger or by keyboard, filled from the right as on a till: 1, 2, 5, 0 is 12.50. */

import { Button, SimpleGrid } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { useFormat, useWords } from "../words/words.tsx";
import { Icon } from "./icon.tsx";
import styles from "./number-pad.module.css";

interface NumberPadProps {
  /** In the currency's cents, so that nothing is rounded. */
  readonly cents: number;
  readonly onChange: (cents: number) => void;
  /** What the amount is. */
  readonly label: string;
}

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "00", "0"] as const;
const CENTS_MAX = 99_999_999;

export function NumberPad({ cents, onChange, label }: NumberPadProps) {
  const { t } = useWords();
  const format = useFormat();
  const add = (digits: string) => {
    const next = Number(`${cents}${digits}`);
    if (next <= CENTS_MAX) onChange(next);
  };
  const erase = () => onChange(Math.floor(cents / 10));
  const press = ({ key }: KeyboardEvent) => {
    if (/^\d$/.test(key)) add(key);
    if (key === "Backspace") erase();
  };
  return (
    <div className={styles.pad}>
      <input
        className={styles.amount}
        aria-label={label}
        inputMode="none"
        readOnly
        value={format.money(cents / 100)}
        onKeyDown={press}
        data-autofocus
      />
      <SimpleGrid cols={3} spacing="xs">
        {KEYS.map((digits) => (
          <Button key={digits} variant="default" h={56} fz={20} onClick={() => add(digits)}>
            {digits}
          </Button>
        ))}
        <Button variant="default" h={56} aria-label={t("pad.erase")} onClick={erase}>
          <Icon name="erase" />
        </Button>
      </SimpleGrid>
    </div>
  );
}
