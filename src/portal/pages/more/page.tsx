/** On a phone: the pages that have no room in the bar below, and what one chooses for this browser. */

import { Stack } from "@mantine/core";
import { Link } from "wouter";
import { Icon } from "../../parts/icon.tsx";
import { Page } from "../../parts/page.tsx";
import type { NavigationPlace } from "../../shell/page-route.ts";
import { LanguageSwitch, LeaveButton, ThemeSwitch } from "../../shell/preferences.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./more.module.css";

export default function MorePage({ places }: { readonly places: readonly NavigationPlace[] }) {
  const { t } = useWords();
  return (
    <Page title={t("nav.more")}>
      <ul className={styles.places}>
        {places.map(({ path, word, icon }) => (
          <li key={path}>
            <Link className={styles.place} href={path}>
              <Icon name={icon} />
              <span className={styles.word}>{t(word)}</span>
              <Icon name="next" />
            </Link>
          </li>
        ))}
      </ul>
      <Stack maw={360} className="box">
        <LanguageSwitch />
        <ThemeSwitch />
        <LeaveButton />
      </Stack>
    </Page>
  );
}
