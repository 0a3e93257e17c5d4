/** How to find out, from what takes a look to what takes a call. */

import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { answer, type GatewayError, type operations } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { amountOf, type Command } from "../../parts/command-state.ts";
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
            <LastReceipt command={command} sum={sum} />
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

interface LastReceiptProps {
  readonly command: Command;
  readonly sum: (amount: number) => string;
}

/** What the printer has printed last, and what the gateway says that speaks for. */
function LastReceipt({ command, sum }: LastReceiptProps) {
  const { t } = useWords();
  const path = { commandId: command.id };
  const ask = useMutation<Told, GatewayError>({
    mutationFn: () =>
      answer(api.GET("/api/v1/commands/{commandId}/last-receipt", { params: { path } })),
  });
  return (
    <>
      <span>{t("doubtful.ask.text")}</span>
      <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate()}>
        {t("doubtful.ask.action")}
      </Button>
      {ask.isError && <Notice mood="warn" text={t("doubtful.ask.failed")} />}
      {ask.data && <Says told={ask.data} sum={sum} />}
    </>
  );
}

function Says({ told, sum }: Pick<LastReceiptProps, "sum"> & { readonly told: Told }) {
  const { t } = useWords();
  const { lastReceipt, lastDocumentNumber: paper = null, before, indicates } = told;
  const { receiptNumber: number, receiptAmount: amount } = lastReceipt;
  const isTold = number !== null || paper !== null;
  return (
    <>
      {number !== null && (
        <Notice
          mood="idle"
          text={
            amount === null
              ? t("doubtful.ask.number", { number })
              : t("doubtful.ask.numberAmount", { number, amount: sum(amount) })
          }
        />
      )}
      {/* It may not say which of its papers is a receipt; none has a higher number than the last. */}
      {number === null && paper !== null && (
        <Notice mood="idle" text={t("doubtful.ask.paper", { number: paper })} />
      )}
      {!isTold && indicates === null && <Notice mood="idle" text={t("doubtful.ask.untold")} />}
      {indicates !== null && before !== null && (
        <span>{t(`doubtful.ask.${indicates}`, { before })}</span>
      )}
      {isTold && indicates === null && <span>{t("doubtful.ask.unsaid")}</span>}
    </>
  );
}

type Told =
  operations["getCommandsByCommandIdLastReceipt"]["responses"][200]["content"]["application/json"];
