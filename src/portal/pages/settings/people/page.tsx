/** Who may sign in, and one of them. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { useSession } from "../../../api/hooks.ts";
import { read } from "../../../api/queries.ts";
import { BackLink } from "../../../parts/back-link.tsx";
import { dotted } from "../../../parts/dotted.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Page } from "../../../parts/page.tsx";
import { PageStates } from "../../../parts/page-states.tsx";
import { LinkRow } from "../../../parts/row-list.tsx";
import { SearchedRows } from "../../../parts/searched-rows.tsx";
import { RowsSkeleton } from "../../../parts/skeletons.tsx";
import { StateMark } from "../../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../../words/words.tsx";
import { NewPerson } from "./new-person.tsx";
import type { Person } from "./person.ts";
import { PersonPage } from "./person-page.tsx";

const HOME = "/settings/people";

export default function PeoplePage() {
  const { personId } = useParams();
  const { t } = useWords();
  if (personId === undefined) return <People />;
  return (
    <>
      <BackLink href={HOME} text={t("settings.page.people")} />
      {personId === "new" ? (
        <NewPerson home={HOME} />
      ) : (
        <PersonPage personId={personId} home={HOME} />
      )}
    </>
  );
}

function People() {
  const { t } = useWords();
  const people = useQuery(read("/api/v1/org/members"));
  const add = (
    <Button component={Link} href={`${HOME}/new`} leftSection={<Icon name="plus" />}>
      {t("people.addNew")}
    </Button>
  );
  return (
    <Page title={t("settings.page.people")} aside={add}>
      <PageStates query={people} skeleton={<RowsSkeleton />}>
        {({ members }) => (
          <SearchedRows
            items={members}
            label={t("people.search")}
            textsOf={({ name, email, role }) => [name, email, t(`role.${role}`)]}
          >
            {(person) => <Row key={person.id} person={person} />}
          </SearchedRows>
        )}
      </PageStates>
    </Page>
  );
}

function Row({ person }: { readonly person: Person }) {
  const { t } = useWords();
  const format = useFormat();
  const session = useSession();
  const { id, name, email, role, active, lastLoginAt } = person;
  const isOneself = session.kind === "in" && session.user.id === id;
  const seen =
    lastLoginAt === null
      ? t("people.never")
      : t("people.lastLogin", { time: format.dateTime(lastLoginAt) });
  return (
    <LinkRow
      href={`${HOME}/${id}`}
      title={isOneself ? t("people.oneself", { name }) : name}
      details={[dotted([t(`role.${role}`), email]), seen]}
      {...(active ? {} : { aside: <StateMark mood="idle" word={t("people.inactive")} /> })}
    />
  );
}
