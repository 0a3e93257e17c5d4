/** What a person may do, in the shop's words. */

import { Radio, Stack } from "@mantine/core";
import { useMayWhat } from "../api/hooks.ts";
import { useWords } from "../words/words.tsx";

const ROLES = ["operator", "admin", "owner"] as const;

/** Of a person; the API's names. */
export type Role = (typeof ROLES)[number];

interface RoleChoiceProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

/** Nobody gives more than they have. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  const { t } = useWords();
  const may = useMayWhat();
  return (
    <Radio.Group
      label={t("people.role")}
      value={value}
      onChange={(chosen) => onChange(ROLES.find((one) => one === chosen) ?? value)}
    >
      <Stack gap="sm" pt="sm">
        {ROLES.filter(may).map((one) => (
          <Radio
            key={one}
            value={one}
            label={t(`role.${one}`)}
            description={t(`role.${one}Text`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
