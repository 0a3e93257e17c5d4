/** Below a Z report that was just made: that it differs from the stored receipts, where it does. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { read } from "../api/queries.ts";
import { useFormat, useWords } from "../words/words.tsx";
import type { Command } from "./command-state.ts";
import { Notice } from "./notice.tsx";
import type { Day } from "./shop-days.ts";
import { differenceText } from "./z-difference.ts";

/** It is the last one, or a few were made since. */
const LOOKED_AT = 5;

export function ClosedDay({ command }: { readonly command: Command }) {
  const { deviceId } = command;
  const { data: made } = useQuery({
    ...read("/api/v1/reports", { query: { deviceId, type: "z_report", limit: LOOKED_AT } }),
    staleTime: 0,
  });
  const report = made?.reports.find(({ commandId }) => commandId === command.id);
  const date = report?.date ?? "";
  const { data } = useQuery({
    ...read("/api/v1/reports/daily", { query: { deviceId, date } }),
    enabled: report !== undefined,
    staleTime: 0,
  });
  const [device] = data?.devices ?? [];
  const day = device?.fiscalDays.find(({ report: one }) => one?.id === report?.id);
  if (report === undefined || day?.balanced !== false) return null;
  return <Differs reportId={report.id} date={date} day={day} />;
}

interface DiffersProps {
  readonly reportId: string;
  /** Of the Z report. */
  readonly date: Day;
  readonly day: Parameters<typeof differenceText>[0] & { readonly currency: string };
}

/** That a Z report differs from the stored receipts, in what, and the way to look. */
export function Differs({ reportId, date, day }: DiffersProps) {
  const { t } = useWords();
  const format = useFormat();
  const difference = differenceText(day, day.currency, { t, format });
  return (
    <Notice
      mood="warn"
      text={t("reports.differsText", { date: format.calendarDay(date), difference })}
    >
      <Button component={Link} variant="default" href={`/reports/${reportId}`}>
        {t("restored.compare")}
      </Button>
    </Notice>
  );
}
