/** A page's head and body, the same everywhere. */

import { Title } from "@mantine/core";
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { useReach } from "../api/hooks.ts";
import { focusMain } from "./focus-back.ts";
import styles from "./page.module.css";

interface PageProps {
  readonly title: string;
  /** Beside the title: a state, a button. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, aside, children }: PageProps) {
  usePageTitle(title);
  useFocusHere(title);
  const isSilent = useReach().kind === "silent";
  return (
    <div className={styles.page}>
      <header className={styles.head} data-silent={isSilent}>
        <Title order={1} size="h2">
          {title}
        </Title>
        {aside}
      </header>
      {children}
    </div>
  );
}

/** The first page of all begins where the browser does, above the menu. */
let isFirst = true;

/**
 * The keys go on in a page whose link went with the page before, or whose form gave way to what it made.
 * @param title another one is another page
 */
export function useFocusHere(title: string): void {
  const known = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (known.current === title) return;
    known.current = title;
    if (!isFirst) focusMain();
    isFirst = false;
  }, [title]);
}

/** Names the browser's tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · fiscald`;
  }, [title]);
}
