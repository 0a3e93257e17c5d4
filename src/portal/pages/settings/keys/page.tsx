/** The keys of tills and programs, and one of them. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { boxNow } from "../../../api/box-clock.ts";
import { read } from "../../../api/queries.ts";
import { BackLink } from "../../../parts/back-link.tsx";
import { dotted } from "../../../parts/dotted.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Page } from "../../../parts/page.tsx";
import { Empty, PageStates } from "../../../parts/page-states.tsx";
import { LinkRow } from "../../../parts/row-list.tsx";
import { SearchedRows } from "../../../parts/searched-rows.tsx";
import { RowsSkeleton } from "../../../parts/skeletons.tsx";
import { StateMark } from "../../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../../words/words.tsx";
import { KEY_MOODS, type Key, keyState, useLastDay } from "./key.ts";
import { KeyPage } from "./key-page.tsx";
import { NewKey } from "./new-key.tsx";

const HOME = "/settings/keys";

export default function KeysPage() {
  const { keyId } = useParams();
  const { t } = useWords();
  if (keyId === undefined) return <Keys />;
  return (
    <>
      <BackLink href={HOME} text={t("settings.page.keys")} />
      {keyId === "new" ? <NewKey home={HOME} /> : <KeyPage key={keyId} keyId={keyId} home={HOME} />}
    </>
  );
}

function Keys() {
  const { t } = useWords();
  const keys = useQuery(read("/api/v1/org/api-keys"));
  const add = (
    <Button component={Link} href={`${HOME}/new`} leftSection={<Icon name="plus" />}>
      {t("keys.new")}
    </Button>
  );
  return (
    <Page title={t("settings.page.keys")} aside={add}>
      <p className="aside">{t("keys.text")}</p>
      <PageStates
        query={keys}
        skeleton={<RowsSkeleton />}
        isEmpty={(found) => found.length === 0}
        empty={<Empty title={t("keys.empty")} text={t("keys.emptyText")} />}
      >
        {(found) => (
          <SearchedRows
            items={found}
            label={t("keys.search")}
            textsOf={(key) => [key.label, key.last4, t(`keys.state.${keyState(key, boxNow())}`)]}
          >
            {(key) => <Row key={key.id} apiKey={key} />}
          </SearchedRows>
        )}
      </PageStates>
    </Page>
  );
}

function Row({ apiKey }: { readonly apiKey: Key }) {
  const { t } = useWords();
  const format = useFormat();
  const { id, label, last4, lastUsed, expiresAt } = apiKey;
  const lastDay = useLastDay(apiKey);
  const state = keyState(apiKey, boxNow());
  const used =
    lastUsed === null ? t("keys.unused") : t("keys.used", { time: format.dateTime(lastUsed) });
  return (
    <LinkRow
      href={`${HOME}/${id}`}
      title={label}
      details={[
        dotted([t("keys.ends", { last4 }), used]),
        lastDay !== undefined
          ? t("keys.untilDay", { day: lastDay })
          : expiresAt === null
            ? undefined
            : t("keys.until", { time: format.dateTime(expiresAt) }),
      ]}
      aside={<StateMark mood={KEY_MOODS[state]} word={t(`keys.state.${state}`)} />}
    />
  );
}
