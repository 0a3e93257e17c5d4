/** What stands around every page: navigation, the shop's name, the dot, search. */

import { UnstyledButton } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Link, useLocation } from "wouter";
import { useOrganization } from "../api/hooks.ts";
import { Icon } from "../parts/icon.tsx";
import { useWords } from "../words/words.tsx";
import { ConnectionDot } from "./connection-dot.tsx";
import { barOf, type NavigationPlace, type PageRoute, placesOf } from "./page-route.ts";
import { LanguageSwitch, LeaveButton, ThemeSwitch } from "./preferences.tsx";
import { useSearchKeys } from "./search-keys.ts";
import styles from "./shell.module.css";
import { Unloaded } from "./unloaded.tsx";

const Search = lazy(() => import("./search.tsx"));

interface ShellProps {
  readonly pages: readonly PageRoute[];
  readonly children: ReactNode;
}

export function Shell({ pages, children }: ShellProps) {
  const { t } = useWords();
  const organization = useOrganization();
  const [path] = useLocation();
  const [asked, setAsked] = useState<string>();
  useSearchKeys(asked, setAsked);
  const places = placesOf(pages);
  const bar = barOf(pages);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#page">
        {t("shell.skip")}
      </a>
      <header className={`${styles.top} no-print`}>
        <div className={styles.names}>
          <span className={styles.shop}>{organization?.name}</span>
          <ConnectionDot />
        </div>
        <SearchButton open={() => setAsked("")} />
      </header>
      <nav className={`${styles.rail} no-print`} aria-label={t("shell.navigation")}>
        {places.map((place) => (
          <Place key={place.path} {...place} />
        ))}
        <div className={styles.foot}>
          <LanguageSwitch />
          <ThemeSwitch />
          <LeaveButton />
        </div>
      </nav>
      <main className={styles.main} id="page" tabIndex={-1}>
        <Unloaded at={path}>{children}</Unloaded>
      </main>
      <nav className={`${styles.bottom} no-print`} aria-label={t("shell.navigation")}>
        {bar.shown.map((place) => (
          <Place key={place.path} {...place} />
        ))}
        <Place path="/more" word="nav.more" icon="more" leadsTo={bar.more} />
      </nav>
      {asked !== undefined && (
        <Suspense>
          <Search places={places} asked={asked} ask={setAsked} close={() => setAsked(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

interface PlaceProps extends NavigationPlace {
  /** Pages that are come to by it. */
  readonly leadsTo?: readonly NavigationPlace[];
}

function Place({ path, word, icon, leadsTo = [] }: PlaceProps) {
  const { t } = useWords();
  const [current] = useLocation();
  const isAt = (beginning: string) =>
    beginning === "/" ? current === "/" : current.startsWith(beginning);
  const isHere = isAt(path) || leadsTo.some((place) => isAt(place.path));
  return (
    <Link className={styles.place} href={path} {...(isHere ? { "aria-current": "page" } : {})}>
      <Icon name={icon} size={22} />
      <span>{t(word)}</span>
    </Link>
  );
}

function SearchButton({ open }: { readonly open: () => void }) {
  const { t } = useWords();
  return (
    <UnstyledButton className={styles.search} onClick={open} aria-label={t("search.open")}>
      <Icon name="search" />
      <span className={styles.searchWord}>{t("search.open")}</span>
      <kbd className={styles.key}>/</kbd>
    </UnstyledButton>
  );
}
