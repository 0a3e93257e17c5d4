/** One X or Z report; a Z beside the stored receipts of its fiscal day. */

import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/queries.ts";
import { BackLink } from "../../parts/back-link.tsx";
import { Page } from "../../parts/page.tsx";
import { PageStates } from "../../parts/page-states.tsx";
import { PracticeNote } from "../../parts/practice.tsx";
import { SheetSkeleton } from "../../parts/skeletons.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import type { Report } from "./daily.ts";
import { PrintButton } from "./print-button.tsx";
import { PrinterHeading, useNamed } from "./printer-heading.tsx";
import { ReportSheet } from "./report-sheet.tsx";

export function ReportPage({ reportId }: { readonly reportId: string }) {
  const { t } = useWords();
  const format = useFormat();
  const query = useQuery(read("/api/v1/reports/{reportId}", { path: { reportId } }));
  const report = query.data?.report;
  const back =
    report === undefined
      ? "/reports"
      : `/reports/${report.date}?printer=${encodeURIComponent(report.deviceId)}`;
  return (
    <>
      <BackLink href={back} text={report ? format.calendarDay(report.date) : t("reports.title")} />
      <Page
        title={report ? t(`command.${report.type}`) : t("reports.title")}
        aside={
          report && (
            <>
              <PracticeNote of={report} />
              <PrintButton />
            </>
          )
        }
      >
        <PageStates query={query} skeleton={<SheetSkeleton />}>
          {({ report: found }) => <Compared report={found} />}
        </PageStates>
      </Page>
    </>
  );
}

function Compared({ report }: { readonly report: Report }) {
  const { deviceId, date } = report;
  const { name } = useNamed(deviceId);
  // An X report is in none of its days.
  const { data } = useQuery(read("/api/v1/reports/daily", { query: { deviceId, date } }));
  const [device] = data?.devices ?? [];
  const day = device?.fiscalDays.find(({ report: one }) => one?.id === report.id);
  return (
    <>
      <PrinterHeading name={name} />
      <ReportSheet report={report} day={day} />
    </>
  );
}
