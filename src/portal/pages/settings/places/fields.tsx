/** What is said of a place. */

import { Textarea, TextInput } from "@mantine/core";
import { useOrganization } from "../../../api/hooks.ts";
import { TimezoneSelect } from "../../../parts/timezone-select.tsx";
import { useWords } from "../../../words/words.tsx";

/** As its fields have it: empty where there is none. */
export interface PlaceDraft {
  readonly name: string;
  readonly address: string;
  readonly timezone: string;
}

interface PlaceFieldsProps {
  readonly draft: PlaceDraft;
  readonly onChange: (draft: PlaceDraft) => void;
}

export function PlaceFields({ draft, onChange }: PlaceFieldsProps) {
  const { t } = useWords();
  const own = useOrganization()?.timezone ?? "";
  return (
    <>
      <TextInput
        label={t("places.name")}
        required
        withAsterisk={false}
        maxLength={255}
        value={draft.name}
        onChange={({ currentTarget: { value } }) => onChange({ ...draft, name: value })}
      />
      <Textarea
        label={t("places.address")}
        autoComplete="street-address"
        autosize
        minRows={2}
        maxLength={500}
        value={draft.address}
        onChange={({ currentTarget: { value } }) => onChange({ ...draft, address: value })}
      />
      <TimezoneSelect
        label={t("places.timezone")}
        description={t("places.timezoneText", { timezone: own })}
        none={t("places.timezoneOfShop")}
        value={draft.timezone}
        onChange={(timezone) => onChange({ ...draft, timezone })}
      />
    </>
  );
}

/** As the API takes it. */
export function placeBody({ name, ...changed }: Partial<PlaceDraft>) {
  const { address, timezone } = changed;
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(address === undefined ? {} : { address: address.trim() || null }),
    ...(timezone === undefined ? {} : { timezone: timezone || null }),
  };
}
