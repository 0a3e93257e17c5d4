/** A number that was misread or mistyped is said anew, as long as nothing hangs on it. */

import { Button } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useMay } from "../../api/hooks.ts";
import { isNumbered } from "../../parts/command-kinds.ts";
import type { Command } from "../../parts/command-state.ts";
import { Form } from "../../parts/form.tsx";
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
  if (!may || !isNumbered(command.type) || command.resolution?.outcome !== "printed") return null;
  if (number === undefined) {
    return (
      <Button variant="default" onClick={() => setNumber("")}>
        {t("doubtful.correct")}
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
        {t("doubtful.correct")}
      </Button>
      <Button variant="subtle" color="gray" onClick={leave}>
        {t("doubtful.back")}
      </Button>
    </Form>
  );
}
