/** The first page: can I sell, what must I do, what was sold. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { boxNow } from "../../api/box-clock.ts";
import { useMay } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { DataLost } from "../../parts/data-lost.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, PageStates } from "../../parts/page-states.tsx";
import { RowsSkeleton } from "../../parts/skeletons.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import { BoxTrouble } from "./box-trouble.tsx";
import { Doubtful } from "./doubtful.tsx";
import { isToCompare, PrinterLine } from "./printer-line.tsx";
import { Sales } from "./sales.tsx";
import styles from "./today.module.css";
import type { Today } from "./today.ts";

export default function TodayPage() {
  const { t } = useWords();
  const today = useQuery({
    ...read("/api/v1/today"),
    refetchInterval: ({ state: { data } }) => data !== undefined && untilAnother(data),
  });
  return (
    <Page title={t("today.title")} aside={<Day today={today.data} />}>
      <PageStates
        query={today}
        skeleton={<RowsSkeleton />}
        isEmpty={({ devices }) => devices.length === 0}
        empty={<NoPrinter />}
      >
        {(data) => (
          <>
            <DataLost />
            {data.doubtful.map((one) => (
              <Doubtful key={one.commandId} one={one} />
            ))}
            <BoxTrouble devices={data.devices} />
            <section aria-label={t("today.printers")} className={styles.printers}>
              {data.devices.map((line) => (
                <PrinterLine key={line.device.id} line={line} />
              ))}
            </section>
            {data.sales !== null && (
              <Sales sales={data.sales} devices={data.devices.map(({ device }) => device)} />
            )}
          </>
        )}
      </PageStates>
    </Page>
  );
}

/** Milliseconds. The box may be behind the clock that this page has of it. */
const LEFT_MS_MIN = 1_000;
const LOOK_EVERY_MS = 60_000;

/**
 * Where nobody sells at night, no event says that another day has begun; nor does any that somebody has
 * looked elsewhere at a Z report that differs.
 */
function untilAnother({ day, devices }: Today): number {
  const untilEnd = Math.max(Date.parse(day.to) - boxNow(), LEFT_MS_MIN);
  return devices.some(isToCompare) ? Math.min(untilEnd, LOOK_EVERY_MS) : untilEnd;
}

function Day({ today }: { readonly today: Today | undefined }) {
  const format = useFormat();
  return <span className="quiet">{today && format.day(today.day.from)}</span>;
}

function NoPrinter() {
  const { t } = useWords();
  const may = useMay("admin");
  return (
    <Empty
      title={t("today.noPrinter")}
      text={t(may ? "today.noPrinterText" : "today.noPrinterAsk")}
    >
      {may && (
        <>
          <Button component={Link} href="/printers/new">
            {t("today.findPrinter")}
          </Button>
          <Button component={Link} href="/setup" variant="default">
            {t("today.goOn")}
          </Button>
        </>
      )}
    </Empty>
  );
}
