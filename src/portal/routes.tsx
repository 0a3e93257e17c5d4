/** Every address of the portal. A page is a line here and a folder in pages/, loaded when opened. */

import { lazy, Suspense } from "react";
import { Route, Switch, useLocation } from "wouter";
import { PageComing } from "./parts/page-states.tsx";
import { barOf, type PageRoute } from "./shell/page-route.ts";
import { Shell } from "./shell/shell.tsx";
import { SignedIn } from "./shell/signed-in.tsx";
import { Unloaded } from "./shell/unloaded.tsx";

/** Pages of whoever is signed in. */
const PAGES: readonly PageRoute[] = [
  {
    path: "/",
    page: lazy(() => import("./pages/today/page.tsx")),
    place: { word: "nav.today", icon: "today" },
  },
  {
    path: "/printers",
    page: lazy(() => import("./pages/printers/page.tsx")),
    place: { word: "nav.printers", icon: "printer" },
  },
  { path: "/printers/new", page: lazy(() => import("./pages/new-printer/page.tsx")) },
  { path: "/alerts", page: lazy(() => import("./pages/alerts/page.tsx")) },
  { path: "/printers/:id/:tab?", page: lazy(() => import("./pages/printer/page.tsx")) },
  {
    path: "/receipts",
    page: lazy(() => import("./pages/receipts/page.tsx")),
    place: { word: "nav.receipts", icon: "receipt" },
  },
  { path: "/receipts/:id", page: lazy(() => import("./pages/receipt/page.tsx")) },
  { path: "/receipts/:id/reversal", page: lazy(() => import("./pages/reversal/page.tsx")) },
  {
    path: "/reports",
    page: lazy(() => import("./pages/reports/page.tsx")),
    place: { word: "nav.reports", icon: "calendar" },
  },
  { path: "/reports/:id", page: lazy(() => import("./pages/report/page.tsx")) },
  {
    path: "/commands",
    page: lazy(() => import("./pages/commands/page.tsx")),
    place: { word: "nav.commands", icon: "list" },
  },
  { path: "/commands/:id", page: lazy(() => import("./pages/command/page.tsx")) },
  {
    path: "/settings/*?",
    page: lazy(() => import("./pages/settings/page.tsx")),
    place: { word: "nav.settings", icon: "settings" },
  },
];

/** Pages of anybody, each the whole screen. */
const OPEN_PAGES: readonly PageRoute[] = [
  { path: "/login", page: lazy(() => import("./pages/login/page.tsx")) },
  { path: "/forgotten", page: lazy(() => import("./pages/forgotten/page.tsx")) },
  { path: "/reset", page: lazy(() => import("./pages/reset/page.tsx")) },
  { path: "/setup/:step?", page: lazy(() => import("./pages/setup/page.tsx")) },
];

/** A question to whoever is signed in, with nothing around it. */
const DoubtfulPage = lazy(() => import("./pages/doubtful/page.tsx"));
/** On a phone, where the bar below ends. */
const MorePage = lazy(() => import("./pages/more/page.tsx"));
const UnknownPage = lazy(() => import("./pages/unknown/page.tsx"));

export function Portal() {
  const [path] = useLocation();
  return (
    <Unloaded at={path}>
      <Suspense fallback={<PageComing />}>
        <Switch>
          {OPEN_PAGES.map(({ path, page: Page }) => (
            <Route key={path} path={path}>
              <Page />
            </Route>
          ))}
          <Route path="/doubtful/:commandId">
            <SignedIn>
              <DoubtfulPage />
            </SignedIn>
          </Route>
          <Route>
            <SignedIn>
              <Shell pages={PAGES}>
                <Suspense fallback={<PageComing />}>
                  <Switch>
                    {PAGES.map(({ path, page }) => (
                      <Route key={path} path={path} component={page} />
                    ))}
                    <Route path="/more">
                      <MorePage places={barOf(PAGES).more} />
                    </Route>
                    <Route component={UnknownPage} />
                  </Switch>
                </Suspense>
              </Shell>
            </SignedIn>
          </Route>
        </Switch>
      </Suspense>
    </Unloaded>
  );
}
