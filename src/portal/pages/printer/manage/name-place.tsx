/** What a printer is called, and where it stands. */

import { TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { FormStack } from "../../../parts/form-stack.tsx";
import { PlaceSelect } from "../../../parts/place-select.tsx";
import { SaveRow } from "../../../parts/save-row.tsx";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import type { TabProps } from "../tab.ts";
import { useChange } from "./change.ts";

export function NamePlace({ printer }: Pick<TabProps, "printer">) {
  const { t } = useWords();
  const [draft, setDraft] = useState<{ readonly name: string; readonly locationId: string }>();
  const { name, locationId } = draft ?? printer;
  const saving = useChange(printer);
  const isChanged = name.trim() !== printer.name || locationId !== printer.locationId;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate({ name: name.trim(), locationId });
  };
  return (
    <Section title={t("manage.name")} text={t("manage.nameText")}>
      <FormStack onSubmit={submit}>
        <TextInput
          label={t("setup.printer.name")}
          required
          withAsterisk={false}
          maxLength={255}
          value={name}
          onChange={({ currentTarget: { value } }) => setDraft({ name: value, locationId })}
        />
        <PlaceSelect
          value={locationId}
          onChange={(value) => setDraft({ name, locationId: value })}
        />
        <SaveRow saving={{ ...saving, isSuccess: saving.isSuccess && !isChanged }} />
      </FormStack>
    </Section>
  );
}
