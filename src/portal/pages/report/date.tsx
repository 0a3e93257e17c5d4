/** A date: each fiscal day that was closed on it, and what is still open. */

import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import { boxNow } from "../../api/box-clock.ts";
import { read } from "../../api/queries.ts";
import { BackLink } from "../../parts/back-link.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, PageStates } from "../../parts/page-states.tsx";
import { PracticeNote } from "../../parts/practice.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import type { DeviceDate, FiscalDay } from "./daily.ts";
import { Figures } from "./figures.tsx";
import { PrintButton } from "./print-button.tsx";
import { PrinterHeading, useNamed } from "./printer-heading.tsx";
import styles from "./report.module.css";
import { ReportSheet } from "./report-sheet.tsx";

export function DatePage({ date }: { readonly date: string }) {
  const { t } = useWords();
  const format = useFormat();
  const [search] = useSearchParams();
  const deviceId = search.get("printer");
  const daily = useQuery(
    read("/api/v1/reports/daily", {
      query: { date, ...(deviceId === null ? {} : { deviceId }) },
    }),
  );
  const isPrinted = daily.data?.devices.some(({ fiscalDays }) => fiscalDays.length > 0);
  const printer = deviceId === null ? "" : `&printer=${encodeURIComponent(deviceId)}`;
  return (
    <>
      <BackLink href={`/reports?month=${date.slice(0, 7)}${printer}`} text={format.month(date)} />
      <Page title={format.calendarDay(date)} aside={isPrinted && <PrintButton />}>
        <PageStates
          query={daily}
          isEmpty={({ devices }) => devices.every(({ fiscalDays }) => fiscalDays.length === 0)}
          empty={<Empty title={t("report.empty")} text={t("report.emptyText")} />}
        >
          {({ devices }) =>
            devices
              .filter(({ fiscalDays }) => fiscalDays.length > 0)
              .map((device) => <Device key={device.deviceId} device={device} />)
          }
        </PageStates>
      </Page>
    </>
  );
}

function Device({ device }: { readonly device: DeviceDate }) {
  const { name, known } = useNamed(device.deviceId);
  return (
    <section className={styles.device} aria-label={name}>
      <PrinterHeading name={name}>
        <PracticeNote of={known} />
      </PrinterHeading>
      {device.fiscalDays.map((day) =>
        day.report === null ? (
          <OpenDay key="open" day={day} device={device} />
        ) : (
          <ReportSheet key={day.report.id} report={day.report} day={day} />
        ),
      )}
      <Readings device={device} />
    </section>
  );
}

/** What no Z report has closed yet. */
function OpenDay({ day, device }: { readonly day: FiscalDay; readonly device: DeviceDate }) {
  const { t } = useWords();
  const isOver = Date.parse(device.to) <= boxNow();
  const isMissing = isOver && device.fiscalDays.length === 1;
  const word = isMissing ? "report.missing" : isOver ? "report.after" : "report.openDay";
  return (
    <div className={styles.open}>
      <Notice mood={isMissing ? "bad" : "work"} text={t(word)} />
      {[day, ...day.otherCurrencies.map((stored) => ({ stored, currency: stored.currency }))].map(
        ({ stored, currency }) => (
          <Figures key={currency} deviceId={device.deviceId} stored={stored} currency={currency} />
        ),
      )}
    </div>
  );
}

/** X reports of the date: read, and nothing closed. */
function Readings({ device: { deviceId, from, to } }: { readonly device: DeviceDate }) {
  const { t } = useWords();
  const format = useFormat();
  const { data } = useQuery(
    read("/api/v1/reports", { query: { deviceId, type: "x_report", from, to, limit: 50 } }),
  );
  const found = data?.reports ?? [];
  if (found.length === 0) return null;
  return (
    <section className={`${styles.readings} no-print`} aria-label={t("command.x_report")}>
      {found.map(({ id, createdAt }) => (
        <Link key={id} className={styles.link} href={`/reports/${id}`}>
          <Icon name="receipt" />
          {t("report.reading", { time: format.time(createdAt) })}
        </Link>
      ))}
    </section>
  );
}
