/** One place: what it is called, its printers, and its end. */

import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { answer, type components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { read } from "../../../api/queries.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { useDraft } from "../../../parts/draft.ts";
import { FormStack } from "../../../parts/form-stack.tsx";
import { Page } from "../../../parts/page.tsx";
import { PageStates } from "../../../parts/page-states.tsx";
import { reasonFor } from "../../../parts/reason-for.ts";
import { SaveRow } from "../../../parts/save-row.tsx";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import { PlaceFields, placeBody } from "./fields.tsx";
import { PlacePrinters } from "./printers.tsx";

type Place = components["schemas"]["Location"];
const LIST = "/api/v1/org/locations";
const ONE = "/api/v1/org/locations/{locationId}";

interface PlacePageProps {
  readonly placeId: string;
  readonly home: string;
}

export function PlacePage({ placeId, home }: PlacePageProps) {
  const { t } = useWords();
  const place = useQuery(read(ONE, { path: { locationId: placeId } }));
  return (
    <Page title={place.data?.location.name ?? t("settings.page.places")}>
      <PageStates query={place}>
        {({ location }) => (
          <>
            <Details key={location.id} place={location} />
            <PlacePrinters placeId={location.id} />
            <Removal place={location} home={home} />
          </>
        )}
      </PageStates>
    </Page>
  );
}

function Details({ place }: { readonly place: Place }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const { name, address, timezone } = place;
  const params = { path: { locationId: place.id } };
  const draft = useDraft(
    { name, address: address ?? "", timezone: timezone ?? "" },
    {
      send: (changed) => answer(api.PATCH(ONE, { params, body: placeBody(changed) })),
      async stored(changed) {
        queries.setQueryData(read(ONE, params).queryKey, changed);
        await queries.invalidateQueries({ queryKey: [LIST] });
      },
    },
  );
  return (
    <Section title={t("places.what")}>
      <FormStack onSubmit={draft.submit}>
        <PlaceFields draft={draft.shown} onChange={draft.change} />
        <SaveRow saving={draft.saving} isChanged={draft.isChanged} />
      </FormStack>
    </Section>
  );
}

function Removal({ place, home }: { readonly place: Place; readonly home: string }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [isAsked, setAsked] = useState(false);
  const { data: printers = [] } = useQuery(read("/api/v1/devices"));
  const count = printers.filter(({ locationId }) => locationId === place.id).length;
  const remove = useMutation({
    mutationFn: () => answer(api.DELETE(ONE, { params: { path: { locationId: place.id } } })),
    onSuccess: async () => {
      navigate(home, { replace: true });
      await queries.invalidateQueries({ queryKey: [LIST] });
    },
  });
  if (count > 0)
    return <Section title={t("places.remove")} text={t("places.removePrinters", { count })} />;
  return (
    <Section isDanger title={t("places.remove")} text={t("places.removeText")}>
      <div>
        <Button variant="default" onClick={() => setAsked(true)}>
          {t("places.removeAction")}
        </Button>
      </div>
      <Confirm
        isOpen={isAsked}
        isDanger
        title={t("places.removeTitle", { name: place.name })}
        text={t("places.removeEmpty")}
        action={t("places.removeAction")}
        isBusy={remove.isPending}
        failure={remove.error ? t(reasonFor(remove.error)) : undefined}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsked(false)}
      />
    </Section>
  );
}
