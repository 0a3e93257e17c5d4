/** In which place something stands. */

import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/queries.ts";
import { useWords } from "../words/words.tsx";

/** The place of what stands in none: the shop itself. */
export const SHOP = "shop";

interface PlaceSelectProps {
  readonly value: string;
  readonly onChange: (locationId: string) => void;
}

export function PlaceSelect({ value, onChange }: PlaceSelectProps) {
  const { t } = useWords();
  const { data } = useQuery(read("/api/v1/org/locations"));
  const places = data?.locations ?? [];
  const known = places.some(({ id }) => id === value);
  return (
    <NativeSelect
      label={t("place.place")}
      description={t("place.text")}
      // Whatever else it says, no place is known by that name.
      value={known ? value : SHOP}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: SHOP, label: t("place.shop") },
        ...places.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
