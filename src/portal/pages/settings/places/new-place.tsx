/** Another place. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { FormStack } from "../../../parts/form-stack.tsx";
import { Page } from "../../../parts/page.tsx";
import { SaveRow } from "../../../parts/save-row.tsx";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import { type PlaceDraft, PlaceFields, placeBody } from "./fields.tsx";

export function NewPlace({ home }: { readonly home: string }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState<PlaceDraft>({ name: "", address: "", timezone: "" });
  const add = useMutation({
    mutationFn: () => {
      const body = { ...placeBody(draft), name: draft.name.trim() };
      return answer(api.POST("/api/v1/org/locations", { body }));
    },
    onSuccess: async ({ location }) => {
      await queries.invalidateQueries({ queryKey: ["/api/v1/org/locations"] });
      navigate(`${home}/${location.id}`, { replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <Page title={t("places.new")}>
      <Section title={t("places.what")}>
        <FormStack onSubmit={submit}>
          <PlaceFields draft={draft} onChange={setDraft} />
          <SaveRow saving={add} isChanged action={t("places.add")} />
        </FormStack>
      </Section>
    </Page>
  );
}
