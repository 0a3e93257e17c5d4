/** What a key is for: as most need it, or chosen one by one. */

import { Checkbox, Radio, Stack } from "@mantine/core";
import type { components } from "../../../../client/index.ts";
import { useWords } from "../../../words/words.tsx";

/** A right of a key. */
export type Scope = components["schemas"]["ApiKey"]["scopes"][number];

/** What most keys are for, with what that needs. */
const PURPOSES = {
  till: ["commands", "devices:read", "receipts:read"],
  accounting: ["receipts:read", "reports", "devices:read"],
  all: ["all"],
} as const satisfies Record<string, readonly Scope[]>;
const NAMES = ["till", "accounting", "all", "own"] as const;

/** What a key is for. */
export type Purpose = (typeof NAMES)[number];

/** The rights that can be chosen alone. */
const SINGLE = [
  "commands",
  "devices:read",
  "devices:write",
  "receipts:read",
  "receipts",
  "receipts:admin",
  "reports",
] as const satisfies readonly Scope[];

/** What was chosen. */
export interface ScopeDraft {
  readonly purpose: Purpose;
  /** Where they are chosen one by one. */
  readonly own: readonly Scope[];
}

/** As a till needs it. */
export const TILL: ScopeDraft = { purpose: "till", own: PURPOSES.till };

/** The rights that were chosen; none where none was. */
export function scopesOf({ purpose, own }: ScopeDraft): Scope[] {
  return purpose === "own" ? [...own] : [...PURPOSES[purpose]];
}

interface ScopeChoiceProps {
  readonly draft: ScopeDraft;
  readonly onChange: (draft: ScopeDraft) => void;
}

export function ScopeChoice({ draft, onChange }: ScopeChoiceProps) {
  const { t } = useWords();
  return (
    <>
      <Radio.Group
        label={t("keys.purpose")}
        value={draft.purpose}
        onChange={(chosen) =>
          onChange({ ...draft, purpose: NAMES.find((one) => one === chosen) ?? draft.purpose })
        }
      >
        <Stack gap="sm" pt="sm">
          {NAMES.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`keys.purpose.${one}`)}
              description={t(`keys.purpose.${one}Text`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {draft.purpose === "own" && (
        <Checkbox.Group
          label={t("keys.rightsOwn")}
          {...(draft.own.length === 0 ? { error: t("keys.noRight") } : {})}
          value={[...draft.own]}
          onChange={(chosen) =>
            onChange({ ...draft, own: SINGLE.filter((one) => chosen.includes(one)) })
          }
        >
          <Stack gap={20} pt="sm">
            {SINGLE.map((one) => (
              <Checkbox key={one} value={one} label={t(`scope.${one}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </>
  );
}
