/** Another address, or another maker's driver, for a printer that stays the same one. */

import { ConnectionFields, connectionBody, draftOf } from "../../../parts/connection-fields.tsx";
import { FormStack } from "../../../parts/form-stack.tsx";
import { Notice } from "../../../parts/notice.tsx";
import type { Reasons } from "../../../parts/reason-for.ts";
import { SaveRow } from "../../../parts/save-row.tsx";
import { Section } from "../../../parts/section.tsx";
import { useWords } from "../../../words/words.tsx";
import type { TabProps } from "../tab.ts";
import { usePrinterDraft } from "./change.ts";
import { useWaiting } from "./waiting.ts";

const REASONS: Reasons = {
  CONFLICT: "manage.connectionTaken",
  VALIDATION_ERROR: "manage.badAddress",
};

export function Connection({ printer }: Pick<TabProps, "printer">) {
  const { t } = useWords();
  const draft = usePrinterDraft(printer, draftOf(printer), ({ driver, ...where }) => {
    // A driver that stays is no change: the gateway asks that nothing is under way for another.
    const { driver: _, ...place } = connectionBody(draft.shown);
    const isMoved = Object.keys(where).length > 0;
    return { ...(driver === undefined ? {} : { driver }), ...(isMoved ? place : {}) };
  });
  const { shown, isChanged } = draft;
  const count = useWaiting(printer);
  return (
    <Section title={t("manage.connection")} text={t("manage.connectionText")}>
      <FormStack onSubmit={draft.submit}>
        <ConnectionFields draft={shown} onChange={draft.change} />
        {isChanged && count > 0 && (
          <Notice mood="warn" text={t("manage.connectionWaiting", { count })} />
        )}
        <SaveRow saving={draft.saving} isChanged={isChanged} reasons={REASONS} />
      </FormStack>
    </Section>
  );
}
