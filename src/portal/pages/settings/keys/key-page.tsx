/** One key: what it may do, a pause, another text, and its end. */

import { TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer } from "../../../../client/index.ts";
import { boxNow } from "../../../api/box-clock.ts";
import { api } from "../../../api/client.ts";
import { read } from "../../../api/queries.ts";
import { useDraft } from "../../../parts/draft.ts";
import { FactList } from "../../../parts/fact-list.tsx";
import { FormStack } from "../../../parts/form-stack.tsx";
import { KeySecret } from "../../../parts/key-secret.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { Page } from "../../../parts/page.tsx";
import { Missing, PageStates } from "../../../parts/page-states.tsx";
import { SaveRow } from "../../../parts/save-row.tsx";
import { Section } from "../../../parts/section.tsx";
import { StateMark } from "../../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../../words/words.tsx";
import { KeyEnding } from "./ending.tsx";
import { KEY_MOODS, type Key, keyState, useLastDay } from "./key.ts";

interface KeyPageProps {
  readonly keyId: string;
  readonly home: string;
}

export function KeyPage({ keyId, home }: KeyPageProps) {
  const { t } = useWords();
  const keys = useQuery(read("/api/v1/org/api-keys"));
  const [issued, setIssued] = useState<string>();
  const found = keys.data?.find(({ id }) => id === keyId);
  const state = found && keyState(found, boxNow());
  return (
    <Page
      title={found?.label ?? t("settings.page.keys")}
      aside={
        state && <StateMark isFilled mood={KEY_MOODS[state]} word={t(`keys.state.${state}`)} />
      }
    >
      {issued !== undefined && (
        <Section title={t("keys.rotated")}>
          <Notice mood="good" text={t("keys.rotatedText")} />
          <KeySecret apiKey={issued} />
        </Section>
      )}
      <PageStates query={keys} isEmpty={() => found === undefined} empty={<Missing />}>
        {() => found && <One apiKey={found} home={home} onIssued={setIssued} />}
      </PageStates>
    </Page>
  );
}

interface OneProps {
  readonly apiKey: Key;
  readonly home: string;
  readonly onIssued: (key: string) => void;
}

function One({ apiKey, home, onIssued }: OneProps) {
  const { t } = useWords();
  const state = keyState(apiKey, boxNow());
  return (
    <>
      <Facts apiKey={apiKey} />
      {state !== "active" && <Notice mood="idle" text={t(`keys.state.${state}Text`)} />}
      <Rename key={apiKey.id} apiKey={apiKey} />
      <KeyEnding apiKey={apiKey} home={home} onIssued={onIssued} />
    </>
  );
}

function Facts({ apiKey }: { readonly apiKey: Key }) {
  const { t } = useWords();
  const format = useFormat();
  const { last4, createdAt, lastUsed, expiresAt, scopes } = apiKey;
  const lastDay = useLastDay(apiKey);
  return (
    <>
      <FactList
        facts={[
          [t("keys.text4"), t("keys.ends", { last4 })],
          [t("keys.createdAt"), format.dateTime(createdAt)],
          [t("keys.lastUsed"), lastUsed === null ? t("keys.unused") : format.dateTime(lastUsed)],
          lastDay !== undefined
            ? [t("keys.lastDay"), lastDay]
            : [
                t("keys.expiresAt"),
                expiresAt === null ? t("keys.unlimited") : format.dateTime(expiresAt),
              ],
        ]}
      />
      <Section title={t("keys.rights")} text={t("keys.rightsText")}>
        <ul>
          {scopes.map((scope) => (
            <li key={scope}>{t(`scope.${scope}`)}</li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function Rename({ apiKey }: { readonly apiKey: Key }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const { id: keyId, label } = apiKey;
  const params = { path: { keyId } };
  const draft = useDraft(
    { label },
    {
      send: (body) => answer(api.PATCH("/api/v1/org/api-keys/{keyId}", { params, body })),
      stored: () => queries.invalidateQueries({ queryKey: ["/api/v1/org/api-keys"] }),
    },
  );
  return (
    <Section title={t("keys.what")}>
      <FormStack onSubmit={draft.submit}>
        <TextInput
          label={t("keys.label")}
          autoComplete="off"
          required
          withAsterisk={false}
          maxLength={100}
          value={draft.shown.label}
          onChange={({ currentTarget: { value } }) => draft.change({ label: value })}
        />
        <SaveRow saving={draft.saving} isChanged={draft.isChanged} />
      </FormStack>
    </Section>
  );
}
