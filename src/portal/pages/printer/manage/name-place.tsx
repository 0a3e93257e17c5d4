/** What a printer is called, and where it stands. */

import { TextInput } from "@mantine/core";
import { FormStack } from "../../../parts/form-stack.tsx";
import { PlaceSelect } from "../../../parts/place-select.tsx";
import { SaveRow } from "../../../parts/save-row.tsx";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import type { TabProps } from "../tab.ts";
import { usePrinterDraft } from "./change.ts";

export function NamePlace({ printer }: Pick<TabProps, "printer">) {
  const { t } = useWords();
  const { name, locationId } = printer;
  const draft = usePrinterDraft(printer, { name, locationId }, (changed) => ({
    ...changed,
    ...(changed.name === undefined ? {} : { name: changed.name.trim() }),
  }));
  const { shown, change } = draft;
  return (
    <Section title={t("manage.name")} text={t("manage.nameText")}>
      <FormStack onSubmit={draft.submit}>
        <TextInput
          label={t("setup.printer.name")}
          required
          withAsterisk={false}
          maxLength={255}
          value={shown.name}
          onChange={({ currentTarget: { value } }) => change({ name: value })}
        />
        <PlaceSelect value={shown.locationId} onChange={(value) => change({ locationId: value })} />
        <SaveRow saving={draft.saving} isChanged={draft.isChanged} />
      </FormStack>
    </Section>
  );
}
