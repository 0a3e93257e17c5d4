/** On a phone: what has no room in the bar below. */

import { Stack } from "@mantine/core";
import { Page } from "../../parts/page.tsx";
import { LanguageSwitch, LeaveButton, ThemeSwitch } from "../../shell/preferences.tsx";
import { useWords } from "../../words/words.tsx";

export default function MorePage() {
  const { t } = useWords();
  return (
    <Page title={t("nav.more")}>
      <Stack maw={360} className="box">
        <LanguageSwitch />
        <ThemeSwitch />
        <LeaveButton />
      </Stack>
    </Page>
  );
}
