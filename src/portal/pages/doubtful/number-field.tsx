/** The number as it is read from the paper. */

import { TextInput } from "@mantine/core";
import type { Command } from "../../parts/command-state.ts";
import { useWords } from "../../words/words.tsx";
import { NumberOnPaper } from "./number-on-paper.tsx";

/** As the printer itself tells it: zeros in front are only printed. */
export function toldNumber(typed: string): string {
  return typed.trim().replace(/^0+(?=\d+$)/, "");
}

interface NumberFieldProps {
  readonly command: Command;
  readonly number: string;
  readonly onType: (number: string) => void;
}

export function NumberField({ command, number, onType }: NumberFieldProps) {
  const { t } = useWords();
  return (
    <>
      <TextInput
        label={t("doubtful.number")}
        description={t("doubtful.numberAbout")}
        classNames={{ description: "quiet" }}
        inputMode="numeric"
        autoComplete="off"
        size="lg"
        data-autofocus
        autoFocus
        value={number}
        onChange={({ currentTarget: { value } }) => onType(value)}
      />
      <NumberOnPaper command={command} number={number} />
    </>
  );
}
