/** Every address of the portal. A page is a line here and a folder in pages/, loaded when opened. */

import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { PageSkeleton } from "./parts/page-states.tsx";
import type { PageRoute } from "./shell/page-route.ts";
import { Shell } from "./shell/shell.tsx";
import { SignedIn } from "./shell/signed-in.tsx";

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
  { path: "/printers/:id/:tab?", page: lazy(() => import("./pages/printer/page.tsx")) },
  { path: "/doubtful/:id", page: lazy(() => import("./pages/doubtful/page.tsx")) },
  { path: "/more", page: lazy(() => import("./pages/more/page.tsx")) },
];

/** Pages of anybody, each the whole screen. */
const OPEN_PAGES: readonly PageRoute[] = [
  { path: "/login", page: lazy(() => import("./pages/login/page.tsx")) },
  { path: "/setup/:step?", page: lazy(() => import("./pages/setup/page.tsx")) },
];

const UnknownPage = lazy(() => import("./pages/unknown/page.tsx"));

export function Portal() {
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Switch>
        {OPEN_PAGES.map(({ path, page: Page }) => (
          <Route key={path} path={path}>
            <Page />
          </Route>
        ))}
        <Route>
          <SignedIn>
            <Shell pages={PAGES}>
              <Suspense fallback={<PageSkeleton />}>
                <Switch>
                  {PAGES.map(({ path, page }) => (
                    <Route key={path} path={path} component={page} />
                  ))}
                  <Route component={UnknownPage} />
                </Switch>
              </Suspense>
            </Shell>
          </SignedIn>
        </Route>
      </Switch>
    </Suspense>
  );
}
