/** What is one's own: name and password, how the portal looks in this browser, and the way out. */

import { Stack, TextInput } from "@mantine/core";
import { answer, type components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { useSession } from "../../../api/hooks.ts";
import { userChanged } from "../../../api/session.ts";
import { useDraft } from "../../../parts/draft.ts";
import { FactList } from "../../../parts/fact-list.tsx";
import { FormStack } from "../../../parts/form-stack.tsx";
import { Page } from "../../../parts/page.tsx";
import { SaveRow } from "../../../parts/save-row.tsx";
import { Section } from "../../../parts/section.tsx";
import { LanguageSwitch, ThemeSwitch } from "../../../shell/preferences.tsx";
import { useWords } from "../../../words/words.tsx";
import { Leaving } from "./leaving.tsx";
import { OwnPassword } from "./password.tsx";

export default function AccountPage() {
  const { t } = useWords();
  const session = useSession();
  if (session.kind !== "in") return null;
  const { user } = session;
  return (
    <Page title={t("settings.page.account")}>
      <FactList
        facts={[
          [t("login.email"), user.email],
          [t("account.role"), t(`role.${user.role}`)],
        ]}
      />
      <p className="aside">{t(`role.${user.role}Text`)}</p>
      <OwnName user={user} />
      <OwnPassword email={user.email} />
      <Section title={t("account.browser")} text={t("account.browserText")}>
        <Stack maw={360}>
          <LanguageSwitch />
          <ThemeSwitch isNamed />
        </Stack>
      </Section>
      <Leaving />
    </Page>
  );
}

function OwnName({ user }: { readonly user: components["schemas"]["User"] }) {
  const { t } = useWords();
  const { name } = user;
  const draft = useDraft(
    { name },
    {
      send: (changed) => answer(api.PATCH("/api/v1/auth/me", { body: { name, ...changed } })),
      stored: (changed) => userChanged(changed.user),
    },
  );
  return (
    <Section title={t("account.nameTitle")}>
      <FormStack onSubmit={draft.submit}>
        <TextInput
          label={t("account.name")}
          description={t("account.nameText")}
          autoComplete="name"
          required
          withAsterisk={false}
          maxLength={255}
          value={draft.shown.name}
          onChange={({ currentTarget: { value } }) => draft.change({ name: value })}
        />
        <SaveRow saving={draft.saving} isChanged={draft.isChanged} />
      </FormStack>
    </Section>
  );
}
