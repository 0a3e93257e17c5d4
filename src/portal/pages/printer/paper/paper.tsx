/** A simulated printer's paper as it comes out, and the faults that one may bring upon it. */

import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { answer, type GatewayError } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { useReach } from "../../../api/hooks.ts";
import { AlertNotice } from "../../../parts/alert-notice.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { PageStates } from "../../../parts/page-states.tsx";
import { reasonFor } from "../../../parts/reason-for.ts";
import { Section } from "../../../parts/section.tsx";
import { commandsOf, useIsPaused } from "../../../parts/working.ts";
import { useWords } from "../../../words/words.tsx";
import type { TabProps } from "../tab.ts";
import styles from "./paper.module.css";

const PATH = "/api/v1/devices/{deviceId}/paper";
/** While something prints, lines come out that no event tells of. */
const PRINTING_MS = 1_000;
const DOCUMENTS = 5;

export default function PaperTab({ printer, alerts }: TabProps) {
  const { t } = useWords();
  const { data } = useQuery(commandsOf(printer.id, "processing"));
  const isPrinting = (data?.commands.length ?? 0) > 0;
  const isPaused = useIsPaused(printer.id);
  return (
    <>
      <Notice mood="idle" text={t("simulated.note")} />
      <div className={styles.sides}>
        <Section title={t("simulated.paper")} text={t("simulated.paperText")}>
          <Paper deviceId={printer.id} name={printer.name} isPrinting={isPrinting} />
        </Section>
        <Faults deviceId={printer.id}>
          {/* Below the buttons, so that none moves away under the finger that has pressed one. */}
          {alerts.map((alert) => (
            <AlertNotice
              key={`${alert.type}-${alert.commandId}`}
              alert={alert}
              isPaused={isPaused}
            />
          ))}
        </Faults>
      </div>
    </>
  );
}

interface PaperProps {
  readonly deviceId: string;
  readonly name: string;
  readonly isPrinting: boolean;
}

function Paper({ deviceId, name, isPrinting }: PaperProps) {
  const { t } = useWords();
  const paper = useQuery<Blob, GatewayError>({
    queryKey: [PATH, { path: { deviceId } }],
    queryFn: async ({ signal }) => {
      const params = { path: { deviceId }, query: { format: "svg", last: DOCUMENTS } } as const;
      const picture: unknown = await answer(api.GET(PATH, { params, parseAs: "blob", signal }));
      return picture as Blob;
    },
    refetchInterval: isPrinting ? PRINTING_MS : false,
  });
  return (
    <PageStates query={paper}>
      {(picture) => <Picture picture={picture} label={t("simulated.paperOf", { printer: name })} />}
    </PageStates>
  );
}

function Picture({ picture, label }: { readonly picture: Blob; readonly label: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(picture);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return <img className={styles.paper} src={url} alt={label} />;
}

/** What may befall a printer in a shop. */
const FAULTS = [
  { name: "paper_out", fault: { kind: "paper_out" } },
  { name: "paper_low", fault: { kind: "paper_low" } },
  { name: "cover_open", fault: { kind: "cover_open" } },
  { name: "unplug", fault: { kind: "unplug", ms: 20_000 } },
  { name: "power_loss", fault: { kind: "power_loss", when: "after", offMs: 10_000 } },
  { name: "silent_after", fault: { kind: "silent_after", count: 3 } },
  { name: "day_over", fault: { kind: "day_over" } },
  { name: "clock", fault: { kind: "clock", shiftMs: 900_000 } },
  { name: "fiscal_memory_near_full", fault: { kind: "fiscal_memory_near_full" } },
  { name: "fiscal_memory_full", fault: { kind: "fiscal_memory_full" } },
  { name: "hardware_error", fault: { kind: "hardware_error" } },
] as const;
type Fault = (typeof FAULTS)[number];

interface FaultsProps {
  readonly deviceId: string;
  /** What has come of them. */
  readonly children: ReactNode;
}

function Faults({ deviceId, children }: FaultsProps) {
  const { t } = useWords();
  const queries = useQueryClient();
  const isSilent = useReach().kind === "silent";
  const params = { path: { deviceId } };
  const act = useMutation({
    mutationFn: (fault: Fault | undefined) =>
      fault === undefined
        ? answer(api.DELETE("/api/v1/devices/{deviceId}/faults", { params }))
        : answer(api.POST("/api/v1/devices/{deviceId}/faults", { params, body: fault.fault })),
    onSuccess() {
      // Its state is read now and then; whoever broke it wants to see it now.
      void api.GET("/api/v1/devices/{deviceId}/live-status", { params });
      return queries.invalidateQueries({ queryKey: [PATH] });
    },
  });
  const { variables: last } = act;
  return (
    <Section title={t("simulated.faults")} text={t("simulated.faultsText")}>
      <fieldset className={styles.faults} disabled={isSilent}>
        <legend className="unseen">{t("simulated.faults")}</legend>
        {FAULTS.map((fault) => (
          <Button
            key={fault.name}
            variant="default"
            disabled={act.isPending}
            onClick={() => act.mutate(fault)}
          >
            {t(`simulated.fault.${fault.name}`)}
          </Button>
        ))}
        <Button disabled={act.isPending} onClick={() => act.mutate(undefined)}>
          {t("simulated.mend")}
        </Button>
      </fieldset>
      {act.isSuccess && (
        <Notice
          mood="good"
          text={
            last === undefined
              ? t("simulated.mended")
              : t("simulated.done", { fault: t(`simulated.fault.${last.name}`) })
          }
        />
      )}
      {act.isError && <Notice mood="bad" text={t(reasonFor(act.error))} />}
      {children}
    </Section>
  );
}
