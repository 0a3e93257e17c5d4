/** Who has forgotten the password is told how a code comes, and enters it here. */

import { Anchor, Button, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { answer } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { AlonePage } from "../../parts/alone-page.tsx";
import { CopyText } from "../../parts/copy-text.tsx";
import { Form } from "../../parts/form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { reasonFor } from "../../parts/reason-for.ts";
import { ResetForm } from "../../parts/reset-form.tsx";
import { useWords } from "../../words/words.tsx";

export default function ForgottenPage() {
  const { t } = useWords();
  const [query] = useSearchParams();
  const [email, setEmail] = useState(query.get("email") ?? "");
  const ask = useMutation({
    mutationFn: () => answer(api.POST("/api/v1/auth/forgot-password", { body: { email } })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  return (
    <AlonePage title={t("forgotten.title")}>
      {ask.data === undefined ? (
        <Form onSubmit={submit}>
          <Stack>
            <p className="quiet">{t("forgotten.text")}</p>
            <TextInput
              label={t("login.email")}
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              value={email}
              onChange={({ currentTarget: { value } }) => setEmail(value)}
            />
            <Button type="submit" loading={ask.isPending}>
              {t("forgotten.ask")}
            </Button>
            {ask.error && <Notice mood="bad" text={t(reasonFor(ask.error))} />}
          </Stack>
        </Form>
      ) : (
        <>
          <HowItComes delivery={ask.data.delivery} email={email.trim()} />
          <ResetForm code="" email={email.trim()} />
        </>
      )}
      <Anchor className="tap" component={Link} href="/login">
        {t("reset.toLogin")}
      </Anchor>
    </AlonePage>
  );
}

interface HowItComesProps {
  readonly delivery: "mail" | "box";
  readonly email: string;
}

function HowItComes({ delivery, email }: HowItComesProps) {
  const { t } = useWords();
  if (delivery === "mail") return <Notice mood="good" text={t("forgotten.mail", { email })} />;
  return (
    <>
      <Notice mood="idle" text={t("forgotten.noMail")} />
      <ul>
        <li>{t("forgotten.byManager")}</li>
        <li>{t("forgotten.byBox")}</li>
      </ul>
      <CopyText isBlock text={`fiscald user reset-code ${email}`} />
    </>
  );
}
