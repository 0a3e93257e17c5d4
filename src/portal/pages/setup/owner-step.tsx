/** Step 2: who owns the shop, and the code of the box where the browser is not on it. */

import { Button, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Form } from "../../parts/form.tsx";
import { NewPassword } from "../../parts/new-password.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./setup.module.css";
import { CODE_WRONG, changeDraft, readDraft, type StepProps } from "./steps.ts";

export function OwnerStep({ needsSetupCode, next }: StepProps) {
  const { t } = useWords();
  const [said, setSaid] = useState(readDraft);
  const change = (part: Partial<typeof said>) => {
    setSaid({ ...said, ...part });
    changeDraft(part);
  };
  const code = useRef<HTMLInputElement>(null);
  const [isCodeWrong, setCodeWrong] = useState(history.state?.[CODE_WRONG] === true);
  useEffect(() => {
    // Whoever comes back for it stands at it, wherever it is on a small screen.
    if (isCodeWrong) code.current?.focus();
  }, [isCodeWrong]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    next();
  };
  return (
    <Form className={styles.form} onSubmit={submit}>
      <p>{t("setup.owner.text")}</p>
      <TextInput
        label={t("setup.owner.name")}
        autoComplete="name"
        required
        withAsterisk={false}
        maxLength={255}
        value={said.name}
        onChange={({ currentTarget: { value } }) => change({ name: value })}
      />
      <TextInput
        label={t("login.email")}
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        maxLength={254}
        value={said.email}
        onChange={({ currentTarget: { value } }) => change({ email: value })}
      />
      <NewPassword
        label={t("login.password")}
        value={said.password}
        onChange={(password) => change({ password })}
      />
      {needsSetupCode && (
        <TextInput
          label={t("setup.owner.code")}
          description={t("setup.owner.codeText")}
          autoComplete="off"
          required
          withAsterisk={false}
          maxLength={64}
          value={said.setupCode}
          ref={code}
          error={isCodeWrong && t("setup.shop.wrongCode")}
          onChange={({ currentTarget: { value } }) => {
            setCodeWrong(false);
            change({ setupCode: value });
          }}
        />
      )}
      <div className={styles.ends}>
        <Button type="submit">{t("setup.next")}</Button>
      </div>
    </Form>
  );
}
