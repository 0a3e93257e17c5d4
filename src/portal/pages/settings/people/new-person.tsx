/** Another person: with a link by which they choose a password, or with one that is chosen now. */

import { Button, Radio, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { FormStack } from "../../../parts/form-stack.tsx";
import { useTop } from "../../../parts/kept-place.ts";
import { NewPassword } from "../../../parts/new-password.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { Page } from "../../../parts/page.tsx";
import { type Role, RoleChoice } from "../../../parts/role-choice.tsx";
import { SaveRow } from "../../../parts/save-row.tsx";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import { PasswordLink } from "./password-link.tsx";

/** As the API keeps a first code. */
const CODE_LIFE_MS = 7 * 86_400_000;
const WAYS = ["link", "password"] as const;
type Way = (typeof WAYS)[number];
const REASONS = { CONFLICT: "people.taken" } as const;

export function NewPerson({ home }: { readonly home: string }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [said, setSaid] = useState({ name: "", email: "", password: "" });
  const [role, setRole] = useState<Role>("operator");
  const [way, setWay] = useState<Way>("link");
  const add = useMutation({
    mutationFn: () => {
      const { name, email, password } = said;
      const body = { name, email, role, ...(way === "password" ? { password } : {}) };
      return answer(api.POST("/api/v1/org/members", { body }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["/api/v1/org/members"] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  if (add.data !== undefined) return <Added home={home} {...add.data} />;
  return (
    <Page title={t("people.new")}>
      <Section title={t("people.who")}>
        <FormStack onSubmit={submit}>
          <TextInput
            label={t("people.name")}
            autoComplete="off"
            required
            withAsterisk={false}
            maxLength={255}
            value={said.name}
            onChange={({ currentTarget: { value } }) => setSaid({ ...said, name: value })}
          />
          <TextInput
            label={t("login.email")}
            description={t("people.emailText")}
            type="email"
            autoComplete="off"
            required
            withAsterisk={false}
            maxLength={254}
            value={said.email}
            onChange={({ currentTarget: { value } }) => setSaid({ ...said, email: value })}
          />
          <RoleChoice value={role} onChange={setRole} />
          <WayChoice value={way} onChange={setWay} />
          {way === "password" && (
            <NewPassword
              label={t("login.password")}
              value={said.password}
              onChange={(password) => setSaid({ ...said, password })}
            />
          )}
          <SaveRow saving={add} isChanged reasons={REASONS} action={t("people.add")} />
        </FormStack>
      </Section>
    </Page>
  );
}

interface WayChoiceProps {
  readonly value: Way;
  readonly onChange: (way: Way) => void;
}

function WayChoice({ value, onChange }: WayChoiceProps) {
  const { t } = useWords();
  return (
    <Radio.Group
      label={t("people.way")}
      value={value}
      onChange={(chosen) => onChange(WAYS.find((one) => one === chosen) ?? value)}
    >
      <Stack gap="sm" pt="sm">
        {WAYS.map((one) => (
          <Radio
            key={one}
            value={one}
            label={t(`people.way.${one}`)}
            description={t(`people.way.${one}Text`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

interface AddedProps {
  readonly home: string;
  readonly member: { readonly name: string; readonly email: string; readonly createdAt: string };
  readonly setupToken?: string;
}

function Added({ home, member, setupToken }: AddedProps) {
  const { t } = useWords();
  useTop();
  const { name, email, createdAt } = member;
  const expiresAt = new Date(Date.parse(createdAt) + CODE_LIFE_MS).toISOString();
  return (
    <Page title={t("people.added", { name })}>
      {setupToken === undefined ? (
        <Notice mood="good" text={t("people.addedText", { name })} />
      ) : (
        <Section title={t("people.link")}>
          <PasswordLink name={name} email={email} code={setupToken} expiresAt={expiresAt} />
        </Section>
      )}
      <div>
        <Button component={Link} href={home}>
          {t("people.done")}
        </Button>
      </div>
    </Page>
  );
}
