/** Another password of one's own; everywhere else one is signed out by it. */

import { PasswordInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { FormStack } from "../../../parts/form-stack.tsx";
import { NewPassword } from "../../../parts/new-password.tsx";
import { SaveRow } from "../../../parts/save-row.tsx";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";

const REASONS = { FORBIDDEN: "account.wrongPassword" } as const;
const UNSAID = { current: "", next: "" };

export function OwnPassword({ email }: { readonly email: string }) {
  const { t } = useWords();
  const [said, setSaid] = useState(UNSAID);
  const change = useMutation({
    mutationFn: () => {
      const body = { currentPassword: said.current, newPassword: said.next };
      return answer(api.POST("/api/v1/auth/change-password", { body }));
    },
    onSuccess: () => setSaid(UNSAID),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Section title={t("account.password")} text={t("account.passwordText")}>
      <FormStack onSubmit={submit}>
        {/* Whose password it is, for the browser that keeps it. */}
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label={t("account.currentPassword")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={said.current}
          onChange={({ currentTarget: { value } }) => setSaid({ ...said, current: value })}
          visibilityToggleButtonProps={{ "aria-label": t("login.show") }}
        />
        <NewPassword
          label={t("account.newPassword")}
          value={said.next}
          onChange={(next) => setSaid({ ...said, next })}
        />
        <SaveRow
          saving={change}
          isChanged={said.current !== "" || said.next !== ""}
          reasons={REASONS}
          action={t("account.changePassword")}
        />
      </FormStack>
    </Section>
  );
}
