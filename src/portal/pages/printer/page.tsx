/** One printer: what it is, and tabs of what can be seen and done. */

import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { read } from "../../api/queries.ts";
import { Page } from "../../parts/page.tsx";
import { PageStates } from "../../parts/page-states.tsx";
import { printerState } from "../../parts/printer-state.ts";
import { StateMark } from "../../parts/state-mark.tsx";
import { useWords } from "../../words/words.tsx";
import UnknownPage from "../unknown/page.tsx";
import { Actions } from "./actions/actions.tsx";
import { Facts } from "./facts.tsx";
import { Now } from "./now.tsx";
import styles from "./printer.module.css";
import type { Tab, TabProps } from "./tab.ts";

/** A new tab is a line here and a file beside this one. */
const TABS: readonly Tab[] = [
  { path: "", word: "printer.now", show: Now },
  { path: "actions", word: "printer.actions", show: Actions },
];

export default function PrinterPage() {
  const { id: deviceId = "", tab = "" } = useParams();
  const params = { path: { deviceId } };
  const { t } = useWords();
  const printer = useQuery(read("/api/v1/devices/{deviceId}", params));
  const { data } = useQuery(read("/api/v1/devices/{deviceId}/alerts", params));
  const alerts = data?.alerts ?? [];
  const Shown = TABS.find(({ path }) => path === tab)?.show;
  if (Shown === undefined) return <UnknownPage />;
  return (
    <Page
      title={printer.data?.name ?? t("printers.title")}
      aside={printer.data && <State printer={printer.data} alerts={alerts} />}
    >
      <PageStates query={printer}>
        {(found) => (
          <>
            <Facts printer={found} />
            {TABS.length > 1 && <TabBar base={`/printers/${found.id}`} at={tab} />}
            <Shown printer={found} alerts={alerts} />
          </>
        )}
      </PageStates>
    </Page>
  );
}

function State({ printer, alerts }: TabProps) {
  const { t } = useWords();
  const { mood, word } = printerState({ ...printer, alerts });
  return <StateMark mood={mood} word={t(word)} isFilled />;
}

function TabBar({ base, at }: { readonly base: string; readonly at: string }) {
  const { t } = useWords();
  return (
    <nav className={styles.tabs} aria-label={t("printer.tabs")}>
      {TABS.map(({ path, word }) => (
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
