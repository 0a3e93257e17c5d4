/** One printer: what it is, and tabs of what can be seen and done. */

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef } from "react";
import { Link, useParams } from "wouter";
import { useMayWhat } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { Page } from "../../parts/page.tsx";
import { Forbidden, PageComing, PageStates } from "../../parts/page-states.tsx";
import { usePrinterState } from "../../parts/printer-state.ts";
import { StateMark } from "../../parts/state-mark.tsx";
import { useWords } from "../../words/words.tsx";
import UnknownPage from "../unknown/page.tsx";
import { Actions } from "./actions/actions.tsx";
import { Facts } from "./facts.tsx";
import { History } from "./history/history.tsx";
import { Now } from "./now.tsx";
import styles from "./printer.module.css";
import type { Printer, Tab, TabProps } from "./tab.ts";

// What a shop seldom opens comes when it is opened: the page weighs enough.
const PaperTab = lazy(() => import("./paper/paper.tsx"));
const Setup = lazy(() => import("./setup/setup.tsx"));
const Line = lazy(() => import("./line/line.tsx"));
const Manage = lazy(() => import("./manage/manage.tsx"));

/** A new tab is a line here and a file beside this one. */
const TABS: readonly Tab[] = [
  { path: "", word: "printer.now", show: Now },
  { path: "actions", word: "printer.actions", show: Actions },
  {
    path: "paper",
    word: "printer.paper",
    show: PaperTab,
    may: "admin",
    isOf: ({ simulated }) => simulated,
  },
  { path: "setup", word: "printer.setup", show: Setup, may: "admin" },
  { path: "line", word: "printer.line", show: Line, may: "admin" },
  { path: "history", word: "printer.history", show: History },
  { path: "manage", word: "printer.manage", show: Manage, may: "admin" },
];

export default function PrinterPage() {
  const { id: deviceId = "", tab = "" } = useParams();
  const params = { path: { deviceId } };
  const { t } = useWords();
  const may = useMayWhat();
  const printer = useQuery(read("/api/v1/devices/{deviceId}", params));
  const { data } = useQuery(read("/api/v1/devices/{deviceId}/alerts", params));
  const alerts = data?.alerts ?? [];
  const shown = TABS.find(({ path }) => path === tab);
  if (shown === undefined) return <UnknownPage />;
  return (
    <Page
      title={printer.data?.name ?? t("printers.title")}
      aside={printer.data && <State printer={printer.data} alerts={alerts} />}
    >
      <PageStates query={printer} wayOut={{ href: "/printers", word: "printers.toAll" }}>
        {(found) => (
          <>
            <Facts printer={found} />
            <TabBar printer={found} at={tab} />
            {may(shown.may ?? "operator") ? (
              <Suspense fallback={<PageComing />}>
                <shown.show key={found.id} printer={found} alerts={alerts} />
              </Suspense>
            ) : (
              <Forbidden />
            )}
          </>
        )}
      </PageStates>
    </Page>
  );
}

function State({ printer, alerts }: TabProps) {
  return <StateMark {...usePrinterState()({ ...printer, alerts })} isFilled />;
}

function TabBar({ printer, at }: { readonly printer: Printer; readonly at: string }) {
  const { t } = useWords();
  const may = useMayWhat();
  const base = `/printers/${printer.id}`;
  const bar = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another place in the bar
  useEffect(() => {
    const here = bar.current?.querySelector<HTMLElement>("[aria-current]");
    // The bar alone is moved, never the page.
    if (here) bar.current?.scrollTo({ left: here.offsetLeft - bar.current.offsetLeft - 48 });
  }, [at]);
  const tabs = TABS.filter((tab) => may(tab.may ?? "operator") && tab.isOf?.(printer) !== false);
  return (
    <nav ref={bar} className={styles.tabs} aria-label={t("printer.tabs")}>
      {tabs.map(({ path, word }) => (
        <Link
          key={path}
          href={path === "" ? base : `${base}/${path}`}
          className={styles.tab}
          {...(path === at ? { "aria-current": "page" } : {})}
        >
          {t(word)}
        </Link>
      ))}
    </nav>
  );
}
