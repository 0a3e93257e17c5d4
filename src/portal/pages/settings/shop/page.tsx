/** The shop: its name, currency and clocks, and the plan with what of it is in use. */

import { TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answer, type components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { useOrganization } from "../../../api/hooks.ts";
import { read } from "../../../api/queries.ts";
import { organizationChanged } from "../../../api/session.ts";
import { CurrencySelect } from "../../../parts/currency-select.tsx";
import { FormStack } from "../../../parts/form-stack.tsx";
import { Page } from "../../../parts/page.tsx";
import { PageStates } from "../../../parts/page-states.tsx";
import { SaveRow } from "../../../parts/save-row.tsx";
import { Section } from "../../../parts/section.tsx";
import { TimezoneSelect } from "../../../parts/timezone-select.tsx";
import { useWords } from "../../../words/words.tsx";
import { PlanSection } from "./plan.tsx";

type Organization = components["schemas"]["Organization"];

export default function ShopPage() {
  const { t } = useWords();
  const organization = useQuery(read("/api/v1/org"));
  return (
    <Page title={t("settings.page.shop")}>
      <PageStates query={organization}>
        {(found) => (
          <>
            <Details organization={found} />
            <PlanSection />
          </>
        )}
      </PageStates>
    </Page>
  );
}

function Details({ organization }: { readonly organization: Organization }) {
  const { t } = useWords();
  const known = useOrganization() ?? organization;
  const [name, setName] = useState(organization.name);
  const [currency, setCurrency] = useState(organization.currency);
  const [timezone, setTimezone] = useState(organization.timezone);
  const save = useMutation({
    mutationFn: () => answer(api.PATCH("/api/v1/org", { body: { name, currency, timezone } })),
    onSuccess: organizationChanged,
  });
  const isChanged =
    name !== known.name || currency !== known.currency || timezone !== known.timezone;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Section title={t("shop.details")}>
      <FormStack onSubmit={submit}>
        <TextInput
          label={t("setup.shop.name")}
          description={t("setup.shop.text")}
          autoComplete="organization"
          required
          withAsterisk={false}
          maxLength={255}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <CurrencySelect
          description={t("shop.currencyText")}
          value={currency}
          onChange={setCurrency}
        />
        <TimezoneSelect
          description={t("shop.timezoneText")}
          value={timezone}
          onChange={setTimezone}
        />
        <SaveRow saving={save} isChanged={isChanged} />
      </FormStack>
    </Section>
  );
}
