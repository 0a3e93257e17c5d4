/** Another printer: looked for, entered by hand, or simulated. */

import { Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { answer, type components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { BackLink } from "../../parts/back-link.tsx";
import {
  type ConnectionDraft,
  ConnectionFields,
  connectionBody,
} from "../../parts/connection-fields.tsx";
import { FormStack } from "../../parts/form-stack.tsx";
import { Page } from "../../parts/page.tsx";
import { Forbidden, PageStates } from "../../parts/page-states.tsx";
import { PlaceSelect, SHOP } from "../../parts/place-select.tsx";
import { ADDING, useAdding } from "../../parts/printer-search/adding.ts";
import { PrinterSearch } from "../../parts/printer-search/printer-search.tsx";
import { SimulatedForm } from "../../parts/printer-search/simulated-form.tsx";
import type { Reasons } from "../../parts/reason-for.ts";
import { SaveRow } from "../../parts/save-row.tsx";
import { Section } from "../../parts/section.tsx";
import { useWords } from "../../words/words.tsx";

type Device = components["schemas"]["Device"];

export default function NewPrinterPage() {
  const { t } = useWords();
  const may = useMay("admin");
  return (
    <>
      <BackLink href="/printers" text={t("printers.title")} />
      <Page title={t("newPrinter.title")}>{may ? <Ways /> : <Forbidden />}</Page>
    </>
  );
}

function Ways() {
  const { t } = useWords();
  const [, navigate] = useLocation();
  const [locationId, setLocationId] = useState(SHOP);
  const devices = useQuery(read("/api/v1/devices"));
  const adding = { locationId, onAdded: ({ id }: Device) => navigate(`/printers/${id}`) };
  return (
    <PageStates query={devices}>
      {(known) => (
        <>
          <Section title={t("newPrinter.where")}>
            <Stack maw={480}>
              <PlaceSelect value={locationId} onChange={setLocationId} />
            </Stack>
          </Section>
          <Section title={t("newPrinter.find")}>
            <PrinterSearch known={known} {...adding} />
          </Section>
          <ByHand number={known.length + 1} {...adding} />
          <Section title={t("simulated.title")} text={t("simulated.text")}>
            <SimulatedForm {...adding} />
          </Section>
        </>
      )}
    </PageStates>
  );
}

interface ByHandProps {
  readonly number: number;
  readonly locationId: string;
  readonly onAdded: (device: Device) => void;
}

const REASONS: Reasons = { ...ADDING, VALIDATION_ERROR: "manage.badAddress" };

const EMPTY: ConnectionDraft = {
  ...({ driver: "vendorA.isl", transport: "tcp" } as const),
  ...{ host: "", port: "", address: "" },
};

/** For a printer that is switched off now, or that a phone reaches. */
function ByHand({ number, locationId, onAdded }: ByHandProps) {
  const { t } = useWords();
  const [draft, setDraft] = useState(EMPTY);
  const [name, setName] = useState(() => t("setup.printer.defaultName", { number }));
  const add = useAdding(
    () =>
      answer(api.POST("/api/v1/devices", { body: { name, locationId, ...connectionBody(draft) } })),
    onAdded,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <Section title={t("newPrinter.byHand")} text={t("newPrinter.byHandText")}>
      <FormStack onSubmit={submit}>
        <TextInput
          label={t("setup.printer.name")}
          required
          withAsterisk={false}
          maxLength={255}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <ConnectionFields draft={draft} onChange={setDraft} />
        <SaveRow saving={add} isChanged action={t("setup.printer.add")} reasons={REASONS} />
      </FormStack>
    </Section>
  );
}
