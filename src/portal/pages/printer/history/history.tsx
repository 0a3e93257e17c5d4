/** What became of a printer: its connections, what it needs, and who changed what. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useMay } from "../../../api/hooks.ts";
import { type Body, read } from "../../../api/queries.ts";
import { useAlertText } from "../../../parts/alert-text.ts";
import { CopyText } from "../../../parts/copy-text.tsx";
import { dotted } from "../../../parts/dotted.ts";
import { HistoryList } from "../../../parts/history-list.tsx";
import { Empty, PageStates } from "../../../parts/page-states.tsx";
import { ALERT_MOODS, useAlertStory } from "../../../parts/past-alert.ts";
import { type Moment, TimeLine } from "../../../parts/time-line.tsx";
import { useIsPaused } from "../../../parts/working.ts";
import { type Translate, useWords } from "../../../words/words.tsx";
import styles from "../printer.module.css";
import type { TabProps } from "../tab.ts";
import { endWord } from "./end-words.ts";
import { SettingsChanged } from "./settings-changed.tsx";

export function History({ printer, alerts }: TabProps) {
  const { t } = useWords();
  const mayAudit = useMay("admin");
  const tell = useAlertText();
  const isPaused = useIsPaused(printer.id);
  return (
    <>
      <section className={styles.section}>
        <h2 className={styles.heading}>{t("printerHistory.alerts")}</h2>
        {alerts.length === 0 ? (
          <p className="quiet">{t("printerHistory.noAlerts")}</p>
        ) : (
          <TimeLine
            newestFirst
            label={t("printerHistory.alerts")}
            moments={alerts.map((alert) => ({
              ...{ key: `${alert.type} ${alert.detectedAt}`, at: alert.detectedAt },
              mood: ALERT_MOODS[alert.severity],
              text: tell(alert, { isPaused, printer }),
            }))}
          />
        )}
      </section>
      <PastAlerts printer={printer} />
      <Connections printer={printer} />
      <section className={styles.section}>
        <h2 className={styles.heading}>{t("printerHistory.settings")}</h2>
        <SettingsChanged deviceId={printer.id} />
        <div>
          <Button
            component={Link}
            variant="default"
            href={`/commands?printer=${encodeURIComponent(printer.id)}&reads=1`}
          >
            {t("printerHistory.toRequests")}
          </Button>
        </div>
      </section>
      {mayAudit && (
        <section className={styles.section}>
          <h2 className={styles.heading}>{t("history.title")}</h2>
          <HistoryList filter={{ resource: printer.id }} />
        </section>
      )}
    </>
  );
}

/** So many of those that have ended. */
const PAST_ALERTS = 10;

function PastAlerts({ printer: { id: deviceId } }: Pick<TabProps, "printer">) {
  const { t } = useWords();
  const tell = useAlertStory();
  const query = { deviceId, state: "past", limit: PAST_ALERTS } as const;
  const past = useQuery(read("/api/v1/alerts", { query }));
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{t("printerHistory.pastAlerts")}</h2>
      <PageStates
        query={past}
        isEmpty={({ alerts }) => alerts.length === 0}
        empty={<p className="quiet">{t("printerHistory.noPastAlerts")}</p>}
      >
        {({ alerts }) => (
          <>
            <TimeLine
              newestFirst
              label={t("printerHistory.pastAlerts")}
              moments={alerts.map((alert): Moment => {
                const { what: text, when: lasted, how } = tell(alert);
                const mood = ALERT_MOODS[alert.severity];
                const when = dotted([lasted, how]);
                return { key: alert.id, at: alert.detectedAt, mood, text, when };
              })}
            />
            <div>
              <Button
                component={Link}
                variant="default"
                href={`/alerts?printer=${encodeURIComponent(deviceId)}`}
              >
                {t("printerHistory.toAlerts")}
              </Button>
            </div>
          </>
        )}
      </PageStates>
    </section>
  );
}

function Connections({ printer }: Pick<TabProps, "printer">) {
  const { t } = useWords();
  const path = "/api/v1/devices/{deviceId}/connection-history";
  const history = useQuery(read(path, { path: { deviceId: printer.id } }));
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{t("printerHistory.connections")}</h2>
      <p className="aside">{t("printerHistory.connectionsText")}</p>
      <PageStates
        query={history}
        isEmpty={({ events }) => events.length === 0}
        empty={<Empty title={t("printerHistory.noConnections")} />}
      >
        {({ events }) => (
          <TimeLine
            newestFirst
            label={t("printerHistory.connections")}
            moments={events.map((event, at) => ({
              key: `${event.timestamp} ${at}`,
              ...connectionMoment(event, t, printer.managedBy === "remote"),
            }))}
          />
        )}
      </PageStates>
    </section>
  );
}

type ConnectionEvent = Body<"/api/v1/devices/{deviceId}/connection-history">["events"][number];

/** @param isRemote true where it is worth saying which computer or phone it was */
function connectionMoment(
  { type, timestamp, reason, deviceModel }: ConnectionEvent,
  t: Translate,
  isRemote: boolean,
): Omit<Moment, "key"> {
  if (type === "connected") {
    const by =
      isRemote && deviceModel !== ""
        ? { aside: t("printerHistory.by", { name: deviceModel }) }
        : {};
    return { at: timestamp, mood: "good", text: t("printerHistory.connected"), ...by };
  }
  return {
    ...{ at: timestamp, mood: "bad", text: t(endWord(reason)) },
    ...(reason === null ? {} : { aside: <CopyText text={reason} /> }),
  };
}
