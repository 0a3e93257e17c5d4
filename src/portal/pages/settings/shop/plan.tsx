/** The plan: what it allows, what of it is in use, and another one. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { useMay } from "../../../api/hooks.ts";
import { type Body, read } from "../../../api/queries.ts";
import { FactList } from "../../../parts/fact-list.tsx";
import { FormStack } from "../../../parts/form-stack.tsx";
import { Failure } from "../../../parts/page-states.tsx";
import { PlanChoice } from "../../../parts/plan-choice.tsx";
import { SaveRow } from "../../../parts/save-row.tsx";
import { Section } from "../../../parts/section.tsx";
import { useFormat, useWords } from "../../../words/words.tsx";

type Billing = Body<"/api/v1/billing">;

/** That its figures may be old, the page says above it. */
export function PlanSection() {
  const { t } = useWords();
  const { data, error, refetch } = useQuery(read("/api/v1/billing"));
  return (
    <Section title={t("plan.title")}>
      {data !== undefined && <Plan billing={data} />}
      {data === undefined && error && <Failure error={error} retry={() => void refetch()} />}
    </Section>
  );
}

function Plan({ billing }: { readonly billing: Billing }) {
  const { t } = useWords();
  const used = useUsed();
  const isOwner = useMay("owner");
  const { plan, usage, limits } = billing;
  return (
    <>
      <FactList
        facts={[
          [t("plan.now"), t(`setup.plan.${plan}`)],
          [t("nav.printers"), used(usage.devices, limits.devices)],
          [t("plan.keys"), used(usage.apiKeys, limits.apiKeys)],
        ]}
      />
      {isOwner ? <Change billing={billing} /> : <p className="aside">{t("plan.askOwner")}</p>}
    </>
  );
}

/** How much of something is in use, of how much. */
function useUsed(): (used: number, limit: number | null) => string {
  const { t } = useWords();
  const format = useFormat();
  return (used, limit) =>
    limit === null
      ? t("plan.usedOfAny", { used: format.number(used) })
      : t("plan.used", { used: format.number(used), limit: format.number(limit) });
}

function Change({ billing }: { readonly billing: Billing }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [plan, setPlan] = useState(billing.plan);
  const save = useMutation({
    mutationFn: () => answer(api.PUT("/api/v1/billing/plan", { body: { plan } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["/api/v1/billing"] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <FormStack onSubmit={submit}>
      <PlanChoice value={plan} onChange={setPlan} />
      <p className="aside">{t("plan.lower")}</p>
      <SaveRow saving={save} isChanged={plan !== billing.plan} />
    </FormStack>
  );
}
