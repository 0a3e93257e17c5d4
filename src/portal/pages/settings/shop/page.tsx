/** The shop: its name, currency and clocks, and the plan with what of it is in use. */

import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { answer, type components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { queries, read } from "../../../api/queries.ts";
import { organizationChanged } from "../../../api/session.ts";
import { CurrencySelect } from "../../../parts/currency-select.tsx";
import { useDraft } from "../../../parts/draft.ts";
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
  const { name, currency, timezone } = organization;
  const draft = useDraft(
    { name, currency, timezone },
    {
      send: (changed) => answer(api.PATCH("/api/v1/org", { body: changed })),
      stored(changed) {
        organizationChanged(changed);
        queries.setQueryData(read("/api/v1/org").queryKey, changed);
      },
    },
  );
  const { shown, change } = draft;
  return (
    <Section title={t("shop.details")}>
      <FormStack onSubmit={draft.submit}>
        <TextInput
          label={t("setup.shop.name")}
          description={t("setup.shop.text")}
          autoComplete="organization"
          required
          withAsterisk={false}
          maxLength={255}
          value={shown.name}
          onChange={({ currentTarget: { value } }) => change({ name: value })}
        />
        <CurrencySelect
          description={t("shop.currencyText")}
          value={shown.currency}
          onChange={(value) => change({ currency: value })}
        />
        <TimezoneSelect
          description={t("shop.timezoneText")}
          value={shown.timezone}
          onChange={(value) => change({ timezone: value })}
        />
        <SaveRow saving={draft.saving} isChanged={draft.isChanged} />
      </FormStack>
    </Section>
  );
}
