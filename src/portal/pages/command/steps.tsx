/** The steps of a command, from who asked to what became of it. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { read } from "../../api/queries.ts";
import { type Command, commandState } from "../../parts/command-state.ts";
import { numberWord } from "../../parts/outcome-words.ts";
import styles from "../../parts/sheet.module.css";
import { type Moment, TimeLine } from "../../parts/time-line.tsx";
import { askerOf, useWho } from "../../parts/who.ts";
import { useWords } from "../../words/words.tsx";

export function Steps({ command }: { readonly command: Command }) {
  const { t } = useWords();
  const who = useWho();
  const { createdAt, sentAt, processingAt, resolution } = command;
  const deed = numberWord(command);
  const moments: Moment[] = [
    {
      key: "asked",
      at: createdAt,
      mood: "idle",
      text: t("commands.askedBy", { who: who(askerOf(command)) }),
    },
    { key: "sent", at: sentAt, mood: "work", text: t("commands.handedOver") },
    { key: "begun", at: processingAt, mood: "work", text: t("commands.begun") },
    useEnd(command),
    {
      key: "settled",
      at: resolution?.resolvedAt ?? null,
      mood: resolution?.outcome === "printed" ? "good" : "idle",
      text: t(resolution?.outcome === "printed" ? "doubtful.saidPrinted" : "doubtful.saidNot", {
        who: who(resolution?.resolvedBy ?? null),
      }),
      ...(deed === undefined
        ? {}
        : {
            aside: (
              <Link className="reach" href={`/doubtful/${command.id}`}>
                {t(deed)}
              </Link>
            ),
          }),
    },
  ];
  return (
    <section className="box">
      <h2 className={styles.heading}>{t("receipt.history")}</h2>
      <TimeLine label={t("receipt.history")} moments={moments} />
    </section>
  );
}

/** The end as the printer told it, with the way to the receipt that it left. */
function useEnd(command: Command): Moment {
  const { t } = useWords();
  const { deviceId, finishedAt, result, resolution, type } = command;
  const fiscalId = resolution?.fiscalId ?? result?.fiscalId;
  const isReceipt = type === "print_receipt" || type === "print_reversal_receipt";
  const { data } = useQuery({
    ...read("/api/v1/receipts", { query: { deviceId, fiscalId: fiscalId ?? "", limit: 1 } }),
    enabled: isReceipt && typeof fiscalId === "string",
  });
  const receipt = data?.receipts.find(({ commandId }) => commandId === command.id);
  const isOpen = resolution !== undefined;
  const { mood, word } = commandState(command);
  return {
    key: "ended",
    at: finishedAt,
    mood: isOpen ? "bad" : mood,
    text: t(isOpen ? "commands.unclear" : word),
    ...(receipt === undefined || typeof fiscalId !== "string"
      ? {}
      : {
          aside: (
            <Link className="reach" href={`/receipts/${receipt.id}`}>
              {t("receipts.number", { number: fiscalId })}
            </Link>
          ),
        }),
  };
}
