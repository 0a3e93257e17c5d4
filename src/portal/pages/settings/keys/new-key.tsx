/** Another key: for whom, what for and how long; then its text, this once. */

import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { answer } from "../../../../client/index.ts";
import { boxNow } from "../../../api/box-clock.ts";
import { api } from "../../../api/client.ts";
import { useOrganization } from "../../../api/hooks.ts";
import { DayField } from "../../../parts/day-field.tsx";
import { FormStack } from "../../../parts/form-stack.tsx";
import { useTop } from "../../../parts/kept-place.ts";
import { KeySecret } from "../../../parts/key-secret.tsx";
import { Page } from "../../../parts/page.tsx";
import { SaveRow } from "../../../parts/save-row.tsx";
import { Section } from "../../../parts/section.tsx";
import { addDays, dayOf, startOfDay } from "../../../parts/shop-days.ts";
import { useWords } from "../../../words/words.tsx";
import { isPlanRefusal, PlanRefusal } from "./plan-refusal.tsx";
import { ScopeChoice, scopesOf, TILL } from "./scopes.tsx";

/** As the API has it. */
const LABEL_MAX = 100;

export function NewKey({ home }: { readonly home: string }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const timezone = useOrganization()?.timezone;
  const [label, setLabel] = useState("");
  const [scopes, setScopes] = useState(TILL);
  const [lastDay, setLastDay] = useState("");
  const make = useMutation({
    mutationFn: () => {
      const end = lastDay === "" ? undefined : startOfDay(addDays(lastDay, 1), timezone);
      const expiresAt = end === undefined ? {} : { expiresAt: new Date(end).toISOString() };
      const body = { label, scopes: scopesOf(scopes), ...expiresAt };
      return answer(api.POST("/api/v1/org/api-keys", { body }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["/api/v1/org/api-keys"] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (scopesOf(scopes).length > 0) make.mutate();
  };
  if (make.data !== undefined) return <Made home={home} apiKey={make.data.key} label={label} />;
  const isPlan = isPlanRefusal(make.error);
  return (
    <Page title={t("keys.new")}>
      <Section title={t("keys.what")}>
        <FormStack onSubmit={submit}>
          <TextInput
            label={t("keys.label")}
            placeholder={t("setup.key.defaultLabel")}
            autoComplete="off"
            required
            withAsterisk={false}
            maxLength={LABEL_MAX}
            value={label}
            onChange={({ currentTarget: { value } }) => setLabel(value)}
          />
          <ScopeChoice draft={scopes} onChange={setScopes} />
          <DayField
            label={t("keys.lastDay")}
            description={t("keys.lastDayText")}
            min={dayOf(boxNow(), timezone)}
            value={lastDay}
            onChange={setLastDay}
          />
          {isPlan && <PlanRefusal />}
          <SaveRow
            saving={isPlan ? { ...make, error: null } : make}
            isChanged
            action={t("setup.key.make")}
          />
        </FormStack>
      </Section>
    </Page>
  );
}

interface MadeProps {
  readonly home: string;
  readonly apiKey: string;
  readonly label: string;
}

function Made({ home, apiKey, label }: MadeProps) {
  const { t } = useWords();
  useTop();
  return (
    <Page title={t("keys.made", { label })}>
      <KeySecret apiKey={apiKey} />
      <div>
        <Button component={Link} href={home}>
          {t("keys.done")}
        </Button>
      </div>
    </Page>
  );
}
