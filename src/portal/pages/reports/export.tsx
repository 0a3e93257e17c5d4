/** Files for the accountant: receipts as a table or as data, and everything as XML. */

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { answer, type GatewayError } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { useMay, useOrganization } from "../../api/hooks.ts";
import { DayField } from "../../parts/day-field.tsx";
import { Failure } from "../../parts/page-states.tsx";
import { areDays, areTurned } from "../../parts/period.ts";
import { saveFile } from "../../parts/save-file.ts";
import { addDays, type Day, startOfDay } from "../../parts/shop-days.ts";
import { useWords } from "../../words/words.tsx";
import styles from "./reports.module.css";

/** Kinds of files. */
const KINDS = ["csv", "json", "xml"] as const;
type Kind = (typeof KINDS)[number];

interface ExportProps {
  /** Of the month that is shown. */
  readonly first: Day;
  readonly today: Day;
}

export function Export({ first, today }: ExportProps) {
  const { t } = useWords();
  const heading = useId();
  const mayExport = useMay("admin");
  const timezone = useOrganization()?.timezone;
  const lastOfMonth = addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1);
  const [from, setFrom] = useState(first);
  const [last, setLast] = useState(lastOfMonth < today ? lastOfMonth : today);
  const days = { first: from, last };
  const save = useMutation<void, GatewayError, Kind>({
    async mutationFn(kind) {
      const at = (day: Day) => new Date(startOfDay(day, timezone)).toISOString();
      const file = await load(kind, { from: at(from), to: at(addDays(last, 1)) });
      saveFile(file, `${kind === "xml" ? "journal" : "receipts"}-${from}-${last}.${kind}`);
    },
  });
  return (
    <section className="box" aria-labelledby={heading}>
      <h2 className={styles.boxHeading} id={heading}>
        {t("reports.export")}
      </h2>
      <p className="aside">{t(mayExport ? "reports.exportText" : "reports.exportWho")}</p>
      <div className={styles.range}>
        <DayField label={t("reports.from")} value={from} onChange={setFrom} />
        <DayField
          label={t("reports.last")}
          value={last}
          onChange={setLast}
          error={areTurned(days) && t("reports.badRange")}
        />
      </div>
      <div className={styles.files}>
        {KINDS.filter((kind) => mayExport || kind === "xml").map((kind) => (
          <Button
            key={kind}
            variant="default"
            disabled={!areDays(days) || save.isPending}
            loading={save.isPending && save.variables === kind}
            onClick={() => save.mutate(kind)}
          >
            {t(`reports.file.${kind}`)}
          </Button>
        ))}
      </div>
      {save.isError && <Failure error={save.error} />}
    </section>
  );
}

/** The file as the gateway makes it. */
async function load(
  kind: Kind,
  range: { readonly from: string; readonly to: string },
): Promise<Blob> {
  const parseAs = "blob";
  const file: unknown =
    kind === "xml"
      ? await answer(api.GET("/api/v1/reports/journal", { params: { query: range }, parseAs }))
      : await answer(
          api.GET("/api/v1/receipts/export", {
            // What the sums of these days are made of.
            params: { query: { ...range, time: "bookedAt", format: kind } },
            parseAs,
          }),
        );
  // Without it Excel reads a table in the letters of the computer's country, and names are garbled.
  return kind === "csv" ? new Blob(["\ufeff", file as Blob]) : (file as Blob);
}
