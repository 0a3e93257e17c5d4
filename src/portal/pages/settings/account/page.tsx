/** What is one's own: how the portal looks in this browser, and the way out. */

import { Stack } from "@mantine/core";
import { Page } from "../../../parts/page.tsx";
import { LanguageSwitch, LeaveButton, ThemeSwitch } from "../../../shell/preferences.tsx";
import { useWords } from "../../../words/words.tsx";

export default function AccountPage() {
  const { t } = useWords();
  return (
    <Page title={t("settings.page.account")}>
      <Stack maw={360} className="box">
        <LanguageSwitch />
        <ThemeSwitch />
        <LeaveButton />
      </Stack>
    </Page>
  );
}
