/** Setting a password by a code, once. */

import { Button, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { answer } from "../../client/index.ts";
import { api } from "../api/client.ts";
import { logIn } from "../api/session.ts";
import { useWords } from "../words/words.tsx";
import { Form } from "./form.tsx";
import { NewPassword } from "./new-password.tsx";
import { Notice } from "./notice.tsx";
import { reasonFor } from "./reason-for.ts";
import type { ResetFacts } from "./reset-link.ts";

const REASONS = { UNAUTHORIZED: "reset.wrongCode" } as const;
const CODE_MAX = 512;

/** @param props.code empty where it is still to be typed; likewise the address */
export function ResetForm({ code: given, email }: ResetFacts) {
  const { t } = useWords();
  const [, navigate] = useLocation();
  const [code, setCode] = useState(given);
  const [password, setPassword] = useState("");
  const reset = useMutation({
    mutationFn: () => setByCode({ code: code.trim(), email, password }),
    onSuccess: (isSignedIn) => navigate(isSignedIn ? "/" : "/login?set=1", { replace: true }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reset.mutate();
  };
  return (
    <Form onSubmit={submit}>
      <Stack>
        {email !== "" && (
          <TextInput
            label={t("login.email")}
            type="email"
            autoComplete="username"
            readOnly
            variant="filled"
            value={email}
          />
        )}
        {given === "" && (
          <TextInput
            label={t("reset.code")}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            required
            withAsterisk={false}
            maxLength={CODE_MAX}
            value={code}
            onChange={({ currentTarget: { value } }) => setCode(value)}
          />
        )}
        <NewPassword label={t("account.newPassword")} value={password} onChange={setPassword} />
        <Button type="submit" loading={reset.isPending}>
          {t("reset.set")}
        </Button>
        {reset.error && <Notice mood="bad" text={t(reasonFor(reset.error, REASONS))} />}
      </Stack>
    </Form>
  );
}

interface NewLogin extends ResetFacts {
  readonly password: string;
}

/** @returns whether the reader is signed in with it: only whose address is known can be */
async function setByCode({ code, email, password }: NewLogin): Promise<boolean> {
  await answer(api.POST("/api/v1/auth/reset-password", { body: { token: code, password } }));
  if (email === "") return false;
  return logIn(email, password).then(
    () => true,
    () => false,
  );
}
