/** The printers of a place, and bringing another one here. */

import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { read } from "../../../api/queries.ts";
import { Form } from "../../../parts/form.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { reasonFor } from "../../../parts/reason-for.ts";
import { LinkRow, RowList } from "../../../parts/row-list.tsx";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import styles from "./places.module.css";

export function PlacePrinters({ placeId }: { readonly placeId: string }) {
  const { t } = useWords();
  const { data: printers = [] } = useQuery(read("/api/v1/devices"));
  const here = printers.filter(({ locationId }) => locationId === placeId);
  const elsewhere = printers.filter(({ locationId }) => locationId !== placeId);
  return (
    <Section
      title={t("nav.printers")}
      {...(here.length === 0 ? { text: t("places.noPrinter") } : {})}
    >
      {here.length > 0 && (
        <RowList>
          {here.map(({ id, name, model }) => (
            <LinkRow
              key={id}
              href={`/printers/${id}`}
              title={name}
              details={[model ?? undefined]}
            />
          ))}
        </RowList>
      )}
      {elsewhere.length > 0 && <Bring key={elsewhere[0]?.id} placeId={placeId} from={elsewhere} />}
    </Section>
  );
}

interface BringProps {
  readonly placeId: string;
  readonly from: readonly { readonly id: string; readonly name: string }[];
}

function Bring({ placeId, from }: BringProps) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState(from[0]?.id ?? "");
  const deviceId = from.some(({ id }) => id === chosen) ? chosen : (from[0]?.id ?? "");
  const bring = useMutation({
    mutationFn: () =>
      answer(
        api.PATCH("/api/v1/devices/{deviceId}", {
          params: { path: { deviceId } },
          body: { locationId: placeId },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["/api/v1/devices"] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    bring.mutate();
  };
  return (
    <Form className={styles.bring} onSubmit={submit}>
      <NativeSelect
        label={t("places.bringWhich")}
        data={from.map(({ id, name }) => ({ value: id, label: name }))}
        value={deviceId}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
      />
      <Button type="submit" variant="default" loading={bring.isPending}>
        {t("places.bring")}
      </Button>
      {bring.error && <Notice mood="bad" text={t(reasonFor(bring.error))} />}
    </Form>
  );
}
