/** A page without the shell: signing in, setting up. */

import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import { LanguageSwitch } from "../shell/preferences.tsx";
import styles from "./alone-page.module.css";
import { useFocusHere, usePageTitle } from "./page.tsx";

interface AlonePageProps {
  readonly title: string;
  /** Beside the title. */
  readonly aside?: ReactNode;
  /** Above the title, as how far one has come. */
  readonly above?: ReactNode;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function AlonePage(props: AlonePageProps) {
  const { title, aside, above, isWide = false, children } = props;
  usePageTitle(title);
  useFocusHere(title);
  return (
    <div className={styles.field} data-wide={isWide}>
      <header className={styles.head}>
        <span className={styles.mark} translate="no">
          {"fiscald"}
        </span>
        <LanguageSwitch />
      </header>
      {above}
      <main className={styles.page}>
        <div className={styles.title}>
          <Title order={1} size="h2">
            {title}
          </Title>
          {aside}
        </div>
        {children}
      </main>
    </div>
  );
}
