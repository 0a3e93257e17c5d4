/** A report as paper, and its figures beside the stored receipts. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { answer } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/hooks.ts";
import { queries, read } from "../../api/queries.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { Notice } from "../../parts/notice.tsx";
import { useVatGroups } from "../../parts/printer-groups.ts";
import { PrinterPaper } from "../../parts/printer-paper.tsx";
import { reportLines } from "../../parts/report-lines.ts";
import { unseenText } from "../../parts/unseen-reports.ts";
import { useWho } from "../../parts/who.ts";
import { useFormat, useWords, type Word } from "../../words/words.tsx";
import { agreementOf } from "./agreement.ts";
import type { FiscalDay, Report } from "./daily.ts";
import { Figures } from "./figures.tsx";
import styles from "./report.module.css";

const AUDIT = "/api/v1/audit";
const looksAt = (resource: string) =>
  ({ resource, action: "report.looked_at", sortOrder: "asc" }) as const;

/** Nobody is sent any more to a report that differs once somebody has it before her. */
function useLooked(reportId: string | undefined): void {
  const { mutate } = useMutation({
    mutationFn: (id: string) =>
      answer(api.POST("/api/v1/reports/{reportId}/look", { params: { path: { reportId: id } } })),
    onSuccess: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey: [path] }) => path === "/api/v1/today" || path === AUDIT,
      }),
  });
  useEffect(() => {
    if (reportId !== undefined) mutate(reportId);
  }, [reportId, mutate]);
}

interface ReportSheetProps {
  readonly report: Report;
  /** What the Z report closed; undefined where there is nothing to compare. */
  readonly day: FiscalDay | undefined;
}

export function ReportSheet({ report, day }: ReportSheetProps) {
  const { t } = useWords();
  const format = useFormat();
  const groups = useVatGroups(report.deviceId);
  useLooked(day?.balanced === false ? report.id : undefined);
  return (
    <div className={styles.sheet}>
      <PrinterPaper
        deviceId={report.deviceId}
        label={t(`command.${report.type}`)}
        lines={reportLines(report, { t, format, groups })}
        note={t("paper.note")}
      />
      <div className={styles.data}>
        {day !== undefined && <Verdict day={day} />}
        <Figures
          deviceId={report.deviceId}
          report={report}
          {...(day === undefined ? {} : { stored: day.stored })}
          currency={day?.currency ?? report.currency ?? undefined}
        />
        {day?.otherCurrencies.map((sums) => (
          <Figures
            key={sums.currency}
            deviceId={report.deviceId}
            stored={sums}
            currency={sums.currency}
          />
        ))}
        {day?.balanced === false && <Looks reportId={report.id} />}
        <p className={`aside ${styles.id}`}>
          {t("report.madeAt", { time: format.dateTime(report.closedAt ?? report.createdAt) })}
          <span className="no-print">
            <CopyText text={report.id} />
          </span>
        </p>
      </div>
    </div>
  );
}

/** Who has looked at a report that differs. For owners and admins, as all that was done. */
function Looks({ reportId }: { readonly reportId: string }) {
  const { t } = useWords();
  const format = useFormat();
  const who = useWho();
  const mayRead = useMay("admin");
  const { data } = useQuery({ ...read(AUDIT, { query: looksAt(reportId) }), enabled: mayRead });
  return data?.entries.map(({ id, actor, createdAt }) => (
    <p key={id} className="aside">
      {t("report.lookedAt", { who: who(actor), time: format.dateTime(createdAt) })}
    </p>
  ));
}

function Verdict({ day }: { readonly day: FiscalDay }) {
  const { t } = useWords();
  const format = useFormat();
  const { balanced, unseenReports } = day;
  const cent = format.money(0.01, day.currency);
  return (
    <>
      {balanced === null ? (
        <Notice mood="idle" text={t("report.untold")} />
      ) : balanced ? (
        <Notice mood="good" text={t(AGREEMENTS[agreementOf(day)], { cent })} />
      ) : (
        <Notice mood="warn" text={t("report.disagrees")} />
      )}
      {unseenReports !== null && <Notice mood="warn" text={unseenText(unseenReports, t)} />}
    </>
  );
}

/** How far a report agrees with the receipts whose number and worth it has. */
const AGREEMENTS = {
  wholly: "report.agrees",
  rounded: "report.agreesRounded",
  inTotal: "report.agreesInTotal",
} as const satisfies Record<ReturnType<typeof agreementOf>, Word>;
