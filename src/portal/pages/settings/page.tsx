/** The settings: their pages beside a list; where that has no room, the list is a page of its own. */

import { useMediaQuery } from "@mantine/hooks";
import { Suspense } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { useMayWhat } from "../../api/hooks.ts";
import { BackLink } from "../../parts/back-link.tsx";
import { useTop } from "../../parts/kept-place.ts";
import { Page } from "../../parts/page.tsx";
import { Forbidden, PageSkeleton } from "../../parts/page-states.tsx";
import { SETTINGS, type SettingsPage, settingsHref } from "../../settings-pages.ts";
import { useWords } from "../../words/words.tsx";
import UnknownPage from "../unknown/page.tsx";
import { SettingsList } from "./list.tsx";
import styles from "./settings.module.css";

const HOME = "/settings";
/** As in settings.module.css. */
const WIDE = "(min-width: 1000px)";
type NamedPage = (typeof SETTINGS)[number]["pages"][number];
const NAMED: readonly NamedPage[] = SETTINGS.flatMap<NamedPage>(({ pages }) => [...pages]);
const PAGES: readonly SettingsPage[] = NAMED;

export default function SettingsPages() {
  const { t } = useWords();
  const may = useMayWhat();
  const [path] = useLocation();
  useTop(path);
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  // Deeper ones lead back to the page that they are of.
  const here = NAMED.find((page) => settingsHref(page) === path);
  if (path === HOME) {
    const first = PAGES.find((page) => may(page.may));
    if (isWide && first !== undefined) return <Redirect to={settingsHref(first)} replace />;
    return (
      <Page title={t("nav.settings")}>
        <SettingsList isFull />
      </Page>
    );
  }
  return (
    <div className={styles.settings}>
      {isWide && (
        <div className={`${styles.side} no-print`}>
          <SettingsList />
        </div>
      )}
      <div className={styles.page}>
        {!isWide && here !== undefined && <BackLink href={HOME} text={t("nav.settings")} />}
        <Suspense fallback={<Coming page={here} />}>
          <Switch>
            {PAGES.map((page) => (
              <Route key={page.name} path={`${settingsHref(page)}${page.rest ?? ""}`}>
                {may(page.may) ? <page.page /> : <NotForYou />}
              </Route>
            ))}
            <Route component={UnknownPage} />
          </Switch>
        </Suspense>
      </div>
    </div>
  );
}

/** A page that is being fetched, under the title that it will have. */
function Coming({ page }: { readonly page: NamedPage | undefined }) {
  const { t } = useWords();
  if (page === undefined) return <PageSkeleton />;
  return (
    <Page title={t(`settings.page.${page.name}`)}>
      <PageSkeleton />
    </Page>
  );
}

/** Somebody sent the address on; the list does not lead here. */
function NotForYou() {
  const { t } = useWords();
  return (
    <Page title={t("nav.settings")}>
      <Forbidden />
    </Page>
  );
}
