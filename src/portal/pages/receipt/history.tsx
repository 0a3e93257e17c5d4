/** What happened with a receipt, from the till to what was taken back of it. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { components } from "../../../client/index.ts";
import { read } from "../../api/queries.ts";
import { useReversals } from "../../parts/reversals.ts";
import styles from "../../parts/sheet.module.css";
import { StorySkeleton } from "../../parts/skeletons.tsx";
import { type Moment, TimeLine } from "../../parts/time-line.tsx";
import { askerOf, useWho } from "../../parts/who.ts";
import { useFormat, useWords } from "../../words/words.tsx";

type Receipt = components["schemas"]["Receipt"];

export function History({ receipt }: { readonly receipt: Receipt }) {
  const { t } = useWords();
  const format = useFormat();
  const { reversing } = useReversals(receipt);
  const printing = usePrinting(receipt);
  const reversals = reversing.map((one): Moment => {
    const amount = format.money(one.total, one.currency);
    return {
      key: one.id,
      at: one.issuedAt,
      mood: "warn",
      text: t(one.type === "storno" ? "receipt.wasReversed" : "receipt.wasRefunded", { amount }),
      aside: (
        <Link href={`/receipts/${one.id}`}>
          {t("receipts.number", { number: one.fiscalId ?? one.id })}
        </Link>
      ),
    };
  });
  return (
    <section className="box">
      <h2 className={styles.heading}>{t("receipt.history")}</h2>
      {printing === undefined ? (
        <StorySkeleton />
      ) : (
        <TimeLine label={t("receipt.history")} moments={[...printing, ...reversals]} />
      )}
    </section>
  );
}

/**
 * How it came onto paper; of one that was made elsewhere only that it was told.
 * @returns undefined until it was read
 */
function usePrinting(receipt: Receipt): Moment[] | undefined {
  const { t } = useWords();
  const who = useWho();
  const { commandId, createdAt } = receipt;
  const { data, isPending } = useQuery({
    ...read("/api/v1/commands/{commandId}", { path: { commandId: commandId ?? "" } }),
    enabled: commandId !== null,
    retry: false,
  });
  if (commandId === null) {
    return [{ key: "told", at: createdAt, mood: "idle", text: t("receipt.told") }];
  }
  if (isPending) return undefined;
  const command = data?.command;
  if (command === undefined) {
    return [{ key: "stored", at: createdAt, mood: "good", text: t("receipt.printed") }];
  }
  const settled = command.resolution;
  return [
    {
      key: "asked",
      at: command.createdAt,
      mood: "idle",
      text: t("commands.askedBy", { who: who(askerOf(command)) }),
    },
    { key: "begun", at: command.processingAt, mood: "work", text: t("commands.begun") },
    {
      key: "printed",
      at: settled === undefined ? command.finishedAt : settled.resolvedAt,
      mood: "good",
      text:
        settled === undefined
          ? t("receipt.printed")
          : t("doubtful.saidPrinted", { who: who(settled.resolvedBy) }),
      aside: (
        <Link className="reach" href={`/commands/${commandId}`}>
          {t("receipt.steps")}
        </Link>
      ),
    },
  ];
}
