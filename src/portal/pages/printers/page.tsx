/** All printers, each with its state. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { Link } from "wouter";
import type { components } from "../../../client/index.ts";
import { useMay } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { Icon } from "../../parts/icon.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, PageStates } from "../../parts/page-states.tsx";
import { usePrinterState } from "../../parts/printer-state.ts";
import { RowsSkeleton } from "../../parts/skeletons.tsx";
import { StateMark } from "../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./printers.module.css";

export default function PrintersPage() {
  const { t } = useWords();
  const devices = useQuery(read("/api/v1/devices"));
  const { data: { alerts = {} } = {} } = useQuery(read("/api/v1/devices/alerts"));
  return (
    <Page title={t("printers.title")} aside={<AddButton />}>
      <PageStates
        query={devices}
        skeleton={<RowsSkeleton />}
        isEmpty={(found) => found.length === 0}
        empty={<Empty title={t("printers.empty")} text={t("printers.emptyText")} />}
      >
        {(found) => (
          <ul className={styles.list}>
            {found.map((device) => (
              <Row key={device.id} device={device} alerts={alerts[device.id] ?? []} />
            ))}
          </ul>
        )}
      </PageStates>
    </Page>
  );
}

type RowProps = {
  readonly device: components["schemas"]["Device"];
  readonly alerts: readonly components["schemas"]["Alert"][];
};

function Row({ device, alerts }: RowProps) {
  const { t } = useWords();
  const format = useFormat();
  const state = usePrinterState()({ ...device, alerts });
  const kind = device.simulated ? t("printer.simulated") : null;
  const details = [kind, device.model, device.serialNumber].filter((part) => part !== null);
  return (
    <li>
      <Link className={styles.row} href={`/printers/${device.id}`}>
        <Icon name="printer" size={24} />
        <span className={styles.names}>
          <strong>{device.name}</strong>
          <span className="aside">
            {details.length === 0 ? t("printers.neverReached") : <Joined parts={details} />}
          </span>
        </span>
        <span className={styles.state}>
          <StateMark {...state} />
          {device.effectiveStatus === "offline" && device.lastSeen !== null && (
            <span className="aside">
              {t("printers.lastSeen", { time: format.dateTime(device.lastSeen) })}
            </span>
          )}
        </span>
        <Icon name="next" />
      </Link>
    </li>
  );
}

/** A line breaks at words and behind dots, and not at the hyphen of a model such as `FP-700X`. */
function Joined({ parts }: { readonly parts: readonly string[] }) {
  return parts.map((part, at) => (
    <Fragment key={part}>
      {at > 0 && "\u00a0· "}
      {part.includes(" ") ? part : <span className={styles.part}>{part}</span>}
    </Fragment>
  ));
}

function AddButton() {
  const { t } = useWords();
  if (!useMay("admin")) return null;
  return (
    <Button component={Link} href="/printers/new" leftSection={<Icon name="plus" />}>
      {t("printers.add")}
    </Button>
  );
}
