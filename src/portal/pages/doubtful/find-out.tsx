/** How to find out, from what takes a look to what takes a call. */

import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { answer, type GatewayError } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { read } from "../../api/queries.ts";
import { amountOf, type Command, doubtOf } from "../../parts/command-state.ts";
import { Notice } from "../../parts/notice.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import styles from "./doubtful.module.css";

interface FindOutProps {
  readonly command: Command;
  /** Its name; undefined once it is removed: nobody can ask it then. */
  readonly printer: string | undefined;
  readonly back: () => void;
}

export function FindOut({ command, printer, back }: FindOutProps) {
  const { t } = useWords();
  const format = useFormat();
  const time = format.time(command.sentAt ?? command.createdAt);
  const amount = amountOf(command);
  const sum = (value: number) =>
    command.currency === null ? format.amount(value) : format.money(value, command.currency);
  const what =
    amount === undefined
      ? t("doubtful.look.any", { time })
      : t("doubtful.look.amount", { amount: sum(amount), time });
  return (
    <div className={styles.step}>
      <ol className={styles.steps}>
        <li>
          <strong>{t("doubtful.look.title")}</strong>
          <span>{t("doubtful.look.where")}</span>
          <span>{what}</span>
        </li>
        {printer !== undefined && (
          <li>
            <strong>{t("doubtful.ask.title", { printer })}</strong>
            <LastReceipt command={command} />
          </li>
        )}
        <li>
          <strong>{t("doubtful.journal.title")}</strong>
          <span>{t("doubtful.journal.text")}</span>
        </li>
        <li>
          <strong>{t("doubtful.call.title")}</strong>
          <span>{t(printer === undefined ? "doubtful.call.removed" : "doubtful.call.text")}</span>
        </li>
      </ol>
      <Button size="lg" variant="default" onClick={back}>
        {t("doubtful.backToAnswers")}
      </Button>
    </div>
  );
}

/** What the printer has printed last, beside what is known here: it speaks for one answer. */
function LastReceipt({ command }: { readonly command: Command }) {
  const { t } = useWords();
  const format = useFormat();
  const { deviceId } = command;
  const ask = useMutation<Told, GatewayError>({
    mutationFn: () =>
      answer(
        api.GET("/api/v1/devices/{deviceId}/last-receipt", { params: { path: { deviceId } } }),
      ),
  });
  const { data: known } = useQuery(
    read("/api/v1/receipts", {
      query: { deviceId, limit: 1, sortBy: "issuedAt", sortOrder: "desc", to: command.createdAt },
    }),
  );
  const before = known?.receipts[0]?.fiscalId ?? undefined;
  const told = ask.data?.lastReceipt;
  const number = told?.receiptNumber ?? undefined;
  // A printer may not say which of its papers is a receipt; none has a higher number than the last.
  const paper = (number === undefined && ask.data?.lastDocumentNumber) || undefined;
  return (
    <>
      <span>{t("doubtful.ask.text")}</span>
      <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate()}>
        {t("doubtful.ask.action")}
      </Button>
      {ask.isError && <Notice mood="warn" text={t("doubtful.ask.failed")} />}
      {told !== undefined && number === undefined && (
        <Notice
          mood="idle"
          text={
            paper === undefined
              ? t("doubtful.ask.untold")
              : t("doubtful.ask.paper", { number: paper })
          }
        />
      )}
      {paper !== undefined && before !== undefined && (
        <span>
          {t(Number(paper) <= Number(before) ? "doubtful.ask.same" : "doubtful.ask.papers", {
            before,
          })}
        </span>
      )}
      {told !== undefined && number !== undefined && (
        <Notice
          mood="idle"
          text={
            told.receiptAmount === null
              ? t("doubtful.ask.number", { number })
              : t("doubtful.ask.numberAmount", { number, amount: format.money(told.receiptAmount) })
          }
        />
      )}
      {told !== undefined && number !== undefined && before !== undefined && (
        <span>
          {t(whatItSays(command, { number, amount: told.receiptAmount, before }), { before })}
        </span>
      )}
    </>
  );
}

interface Told {
  readonly lastReceipt: {
    readonly receiptNumber: string | null;
    readonly receiptAmount: number | null;
  };
  readonly lastDocumentNumber?: string | null;
}

/** Which answer the printer's last receipt speaks for. */
function whatItSays(
  command: Command,
  last: { readonly number: string; readonly amount: number | null; readonly before: string },
): "doubtful.ask.more" | "doubtful.ask.same" | "doubtful.ask.other" {
  if (Number(last.number) <= Number(last.before)) return "doubtful.ask.same";
  const amount = amountOf(command);
  const isOtherAmount = last.amount !== null && amount !== undefined && last.amount !== amount;
  const doubt = doubtOf(command.result);
  const isOtherNumber = doubt?.code === "other_number" && Number(last.number) !== doubt.params.own;
  return isOtherAmount || isOtherNumber ? "doubtful.ask.other" : "doubtful.ask.more";
}
