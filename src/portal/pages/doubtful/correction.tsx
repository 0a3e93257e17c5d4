/** A number that was misread or mistyped is said anew, as long as nothing hangs on it. */

import { Button } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useMay } from "../../api/hooks.ts";
import type { Command } from "../../parts/command-state.ts";
import { Form } from "../../parts/form.tsx";
import { numberWord } from "../../parts/outcome-words.ts";
import { useWords } from "../../words/words.tsx";
import { useSettling } from "./answers.tsx";
import styles from "./doubtful.module.css";
import { NumberField, toldNumber } from "./number-field.tsx";
import { Refusal } from "./refusal.tsx";

export function Correction({ command }: { readonly command: Command }) {
  const { t } = useWords();
  const may = useMay("operator");
  const settle = useSettling(command.id);
  const [number, setNumber] = useState<string>();
  const deed = numberWord(command);
  if (!may || deed === undefined) return null;
  if (number === undefined) {
    return (
      <Button variant="default" onClick={() => setNumber("")}>
        {t(deed)}
      </Button>
    );
  }
  const leave = () => {
    settle.reset();
    setNumber(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const said = { outcome: "printed", fiscalId: toldNumber(number) } as const;
    settle.mutate(said, { onSuccess: leave });
  };
  return (
    <Form className={styles.step} onSubmit={submit}>
      <p className={styles.about}>{t("doubtful.correctAbout")}</p>
      <NumberField command={command} number={number} onType={setNumber} />
      <Refusal error={settle.error} conflict="doubtful.correctRefused" />
      <Button type="submit" size="lg" loading={settle.isPending} disabled={number.trim() === ""}>
        {t(deed)}
      </Button>
      <Button variant="subtle" color="gray" onClick={leave}>
        {t("doubtful.back")}
      </Button>
    </Form>
  );
}
