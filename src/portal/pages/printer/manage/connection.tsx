/** Another address, or another maker's driver, for a printer that stays the same one. */

import { type FormEvent, useState } from "react";
import {
  type ConnectionDraft,
  ConnectionFields,
  connectionBody,
  draftOf,
} from "../../../parts/connection-fields.tsx";
import { FormStack } from "../../../parts/form-stack.tsx";
import { Notice } from "../../../parts/notice.tsx";
import type { Reasons } from "../../../parts/reason-for.ts";
import { SaveRow } from "../../../parts/save-row.tsx";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import type { TabProps } from "../tab.ts";
import { useChange } from "./change.ts";
import { useWaiting } from "./waiting.ts";

const REASONS: Reasons = {
  CONFLICT: "manage.connectionTaken",
  VALIDATION_ERROR: "manage.badAddress",
};

export function Connection({ printer }: Pick<TabProps, "printer">) {
  const { t } = useWords();
  const [draft, setDraft] = useState<ConnectionDraft>();
  const shown = draft ?? draftOf(printer);
  const count = useWaiting(printer);
  const saving = useChange(printer);
  const isChanged = JSON.stringify(shown) !== JSON.stringify(draftOf(printer));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { driver, ...place } = connectionBody(shown);
    // A driver that stays is no change: the gateway asks that nothing is under way for another.
    saving.mutate(driver === printer.driver ? place : { driver, ...place });
  };
  return (
    <Section title={t("manage.connection")} text={t("manage.connectionText")}>
      <FormStack onSubmit={submit}>
        <ConnectionFields draft={shown} onChange={setDraft} />
        {isChanged && count > 0 && (
          <Notice mood="warn" text={t("manage.connectionWaiting", { count })} />
        )}
        <SaveRow
          saving={{ ...saving, isSuccess: saving.isSuccess && !isChanged }}
          reasons={REASONS}
        />
      </FormStack>
    </Section>
  );
}
