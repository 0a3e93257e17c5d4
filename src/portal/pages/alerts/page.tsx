/** What printers needed somebody for: from when until when, and how it ended. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { memo } from "react";
import { Link } from "wouter";
import { type Params, read } from "../../api/queries.ts";
import { dotted } from "../../parts/dotted.ts";
import { useEndless } from "../../parts/endless.ts";
import { EndlessList, idOf, useHeight } from "../../parts/endless-list.tsx";
import filterStyles from "../../parts/filters.module.css";
import { ChipSelect, useFilters } from "../../parts/filters.tsx";
import rowStyles from "../../parts/list-row.module.css";
import { Page } from "../../parts/page.tsx";
import { Empty } from "../../parts/page-states.tsx";
import {
  ALERT_MOODS,
  type AlertPeriod,
  type AlertStory,
  useAlertStory,
} from "../../parts/past-alert.ts";
import { printerChoices } from "../../parts/printer-choices.ts";
import { StateMark } from "../../parts/state-mark.tsx";
import { useWords } from "../../words/words.tsx";
import styles from "./alerts.module.css";

type Filter = NonNullable<Params<"/api/v1/alerts">["query"]>;

const STATES = ["standing", "past"] as const;
const SEVERITIES = ["error", "warning", "info"] as const;
/** Pixels, as `alerts.module.css` has it. */
const HEIGHTS = { wide: () => 68, middle: () => 88, narrow: () => 112 };

export default function AlertsPage() {
  const { t } = useWords();
  const { params, clear } = useFilters();
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  return (
    <Page title={t("pastAlerts.title")}>
      <p className="aside">{t("pastAlerts.intro")}</p>
      <search className={filterStyles.bar}>
        <ChipSelect
          name="printer"
          label={t("filters.printer")}
          all={t("filters.printer.all")}
          choices={printerChoices(devices, t)}
        />
        <ChipSelect
          name="state"
          label={t("pastAlerts.state")}
          all={t("pastAlerts.state")}
          choices={STATES.map((value) => ({ value, label: t(`pastAlerts.state.${value}`) }))}
        />
        <ChipSelect
          name="severity"
          label={t("pastAlerts.severity")}
          all={t("pastAlerts.severity.all")}
          choices={SEVERITIES.map((value) => ({ value, label: t(`pastAlerts.severity.${value}`) }))}
        />
        {params.size > 0 && (
          <Button variant="subtle" onClick={clear}>
            {t("filters.clear")}
          </Button>
        )}
      </search>
      <List printers={new Set(devices.map(({ id }) => id))} />
    </Page>
  );
}

function useFilter(): Filter {
  const { params } = useFilters();
  const deviceId = params.get("printer") ?? "";
  const state = STATES.find((one) => one === params.get("state"));
  const severity = SEVERITIES.find((one) => one === params.get("severity"));
  return {
    ...(deviceId === "" ? {} : { deviceId }),
    ...(state === undefined ? {} : { state }),
    ...(severity === undefined ? {} : { severity }),
  };
}

/** @param printers those that are there, and have a page */
function List({ printers }: { readonly printers: ReadonlySet<string> }) {
  const { t } = useWords();
  const { params } = useFilters();
  const list = useEndless("/api/v1/alerts", useFilter());
  const tell = useAlertStory();
  const heightOf = useHeight(HEIGHTS);
  return (
    <EndlessList
      list={list}
      rows={list.rows}
      keyOf={idOf}
      heightOf={heightOf}
      label={t("pastAlerts.title")}
      empty={<Empty title={t(params.size > 0 ? "commands.none" : "pastAlerts.empty")} />}
    >
      {(alert) => <Row alert={alert} {...tell(alert)} hasPrinter={printers.has(alert.deviceId)} />}
    </EndlessList>
  );
}

interface RowProps extends AlertStory {
  readonly alert: AlertPeriod;
  /** Its printer is still there. */
  readonly hasPrinter: boolean;
}

const Row = memo(function Row({ alert, what, when, how, hasPrinter }: RowProps) {
  const { severity, deviceId, deviceName, commandId } = alert;
  const text = (
    <>
      <span className={styles.what}>
        <StateMark mood={ALERT_MOODS[severity]} word={what} />
      </span>{" "}
      <span className={`aside ${styles.details}`}>{dotted([deviceName, when, how])}</span>
    </>
  );
  const page = commandId === undefined ? `/printers/${deviceId}` : `/commands/${commandId}`;
  if (!hasPrinter) return <div className={`${rowStyles.row} ${styles.row}`}>{text}</div>;
  return (
    <Link className={`${rowStyles.row} ${styles.row}`} href={page} state={{ fromList: true }}>
      {text}
    </Link>
  );
});
