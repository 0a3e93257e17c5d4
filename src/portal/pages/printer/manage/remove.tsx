/** Removes a printer for good, once its name is typed. */

import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { Form } from "../../../parts/form.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { reasonFor } from "../../../parts/reason-for.ts";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import type { TabProps } from "../tab.ts";
import { useReadAgain } from "./change.ts";
import styles from "./manage.module.css";
import { useWaiting } from "./waiting.ts";

export function Remove({ printer }: Pick<TabProps, "printer">) {
  const { t } = useWords();
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState("");
  const count = useWaiting(printer);
  const again = useReadAgain();
  const isMeant = typed.trim() === printer.name.trim();
  const params = { path: { deviceId: printer.id } };
  const remove = useMutation({
    mutationFn: () => answer(api.DELETE("/api/v1/devices/{deviceId}", { params })),
    onSuccess: () => {
      navigate("/printers");
      return again();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isMeant) remove.mutate();
  };
  return (
    <Section
      isDanger
      title={t("manage.remove")}
      text={t(printer.simulated ? "manage.removeSimulatedText" : "manage.removeText")}
    >
      {count > 0 && <Notice mood="warn" text={t("manage.removeWaiting", { count })} />}
      <Form className={styles.remove} onSubmit={submit}>
        <TextInput
          label={t("manage.removeLabel", { printer: printer.name })}
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <Button type="submit" color="red.9" disabled={!isMeant} loading={remove.isPending}>
          {t("manage.removeAction")}
        </Button>
      </Form>
      {remove.isError && <Notice mood="bad" text={t(reasonFor(remove.error))} />}
    </Section>
  );
}
