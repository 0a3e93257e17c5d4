/** One person: name and rights, the way in, and the way out. */

import { Anchor, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { useMay, useSession } from "../../../api/hooks.ts";
import { read } from "../../../api/queries.ts";
import { useDraft } from "../../../parts/draft.ts";
import { FactList } from "../../../parts/fact-list.tsx";
import { FormStack } from "../../../parts/form-stack.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { Page } from "../../../parts/page.tsx";
import { Missing, PageStates } from "../../../parts/page-states.tsx";
import { RoleChoice } from "../../../parts/role-choice.tsx";
import { SaveRow } from "../../../parts/save-row.tsx";
import { Section } from "../../../parts/section.tsx";
import { StateMark } from "../../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../../words/words.tsx";
import { Ending } from "./ending.tsx";
import { PasswordCode } from "./password-code.tsx";
import { isLastOwner, type Person } from "./person.ts";

interface PersonPageProps {
  readonly personId: string;
  readonly home: string;
}

export function PersonPage({ personId, home }: PersonPageProps) {
  const { t } = useWords();
  const people = useQuery(read("/api/v1/org/members"));
  const found = people.data?.members.find(({ id }) => id === personId);
  return (
    <Page
      title={found?.name ?? t("settings.page.people")}
      {...(found?.active === false
        ? { aside: <StateMark isFilled mood="idle" word={t("people.inactive")} /> }
        : {})}
    >
      <PageStates query={people} isEmpty={() => found === undefined} empty={<Missing />}>
        {({ members }) => found && <One person={found} people={members} home={home} />}
      </PageStates>
    </Page>
  );
}

interface OneProps {
  readonly person: Person;
  readonly people: readonly Person[];
  readonly home: string;
}

function One({ person, people, home }: OneProps) {
  const { t } = useWords();
  const format = useFormat();
  const session = useSession();
  const mayManage = useMay(person.role);
  const isOneself = session.kind === "in" && session.user.id === person.id;
  const isLast = isLastOwner(person, people);
  const { lastLoginAt } = person;
  return (
    <>
      <FactList
        facts={[
          [t("login.email"), person.email],
          [t("people.role"), t(`role.${person.role}`)],
          [
            t("people.lastSeen"),
            lastLoginAt === null ? t("people.never") : format.dateTime(lastLoginAt),
          ],
        ]}
      />
      {!mayManage && <Notice mood="idle" text={t("people.above")} />}
      {isLast && <Notice mood="idle" text={t("people.lastOwner")} />}
      {mayManage && (
        <>
          <Details key={person.id} person={person} isLast={isLast} />
          {isOneself ? (
            <Section title={t("account.password")} text={t("people.ownPassword")}>
              <Anchor className="tap" component={Link} href="/settings/account">
                {t("settings.page.account")}
              </Anchor>
            </Section>
          ) : (
            person.active && <PasswordCode person={person} />
          )}
          {!isLast && !isOneself && <Ending person={person} home={home} />}
        </>
      )}
    </>
  );
}

const REASONS = { CONFLICT: "people.lastOwner" } as const;

function Details({ person, isLast }: { readonly person: Person; readonly isLast: boolean }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const { id: userId, name, role } = person;
  const params = { path: { userId } };
  const draft = useDraft(
    { name, role },
    {
      send: (changed) =>
        answer(api.PATCH("/api/v1/org/members/{userId}", { params, body: changed })),
      stored: () => queries.invalidateQueries({ queryKey: ["/api/v1/org/members"] }),
    },
  );
  const { shown, change } = draft;
  return (
    <Section title={t("people.who")}>
      <FormStack onSubmit={draft.submit}>
        <TextInput
          label={t("people.name")}
          autoComplete="off"
          required
          withAsterisk={false}
          maxLength={255}
          value={shown.name}
          onChange={({ currentTarget: { value } }) => change({ name: value })}
        />
        {!isLast && <RoleChoice value={shown.role} onChange={(value) => change({ role: value })} />}
        {shown.role !== role && <p className="aside">{t("people.roleText")}</p>}
        <SaveRow saving={draft.saving} isChanged={draft.isChanged} reasons={REASONS} />
      </FormStack>
    </Section>
  );
}
