/** The currency of a shop. */

import { NativeSelect } from "@mantine/core";
import { useWords } from "../words/words.tsx";
import { CURRENCIES } from "./currencies.ts";

interface CurrencySelectProps {
  /** ISO 4217. */
  readonly value: string;
  readonly description?: string;
  readonly onChange: (currency: string) => void;
}

export function CurrencySelect({ value, description, onChange }: CurrencySelectProps) {
  const { t } = useWords();
  return (
    <NativeSelect
      label={t("setup.shop.currency")}
      {...(description === undefined ? {} : { description })}
      data={[...new Set([...CURRENCIES, value])]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
