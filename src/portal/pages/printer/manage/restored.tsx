/** The printer is ahead of what the box knows: what to compare before a person accepts that. */

import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { answer } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { useMay } from "../../../api/hooks.ts";
import { read } from "../../../api/queries.ts";
import { Confirm } from "../../../parts/confirm.tsx";
import { dotted } from "../../../parts/dotted.ts";
import { FactList } from "../../../parts/fact-list.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { reasonFor } from "../../../parts/reason-for.ts";
import { Section } from "../../../parts/section.tsx";
import { useFormat, useWords } from "../../../words/words.tsx";
import { usePrinterRead } from "../setup/live-read.ts";
import type { TabProps } from "../tab.ts";
import { useReadAgain } from "./change.ts";
import styles from "./manage.module.css";
import { useWaiting } from "./waiting.ts";

interface RestoredProps extends Pick<TabProps, "printer"> {
  /** Which words tell of it: the box was put back from a copy, or the printer's number shows it. */
  readonly told: "restored" | "unknownReceipts";
  /** Nothing is printed until a person accepts. */
  readonly isHeld: boolean;
  /** When the last one was issued that was known before them, where the box could tell. */
  readonly since: string | undefined;
  /** It was accepted, and stands here no more. */
  readonly accepted: () => void;
}

export function Restored({ printer, told, isHeld, since, accepted }: RestoredProps) {
  const { t } = useWords();
  const isOwner = useMay("owner");
  const [isAsking, setAsking] = useState(false);
  const again = useReadAgain();
  const count = useWaiting(printer);
  const params = { path: { deviceId: printer.id } };
  const accept = useMutation({
    mutationFn: () => answer(api.POST("/api/v1/devices/{deviceId}/accept-state", { params })),
    onSuccess: async () => {
      await again();
      setAsking(false);
      accepted();
    },
  });
  return (
    <Section title={t(`ahead.${told}.title`)} text={t(`ahead.${told}.text`)} isDanger={isHeld}>
      <ol className={styles.steps}>
        <li>{t(`ahead.${told}.step1`)}</li>
        <li>{t(`ahead.${told}.step2`)}</li>
        <li>{t(`ahead.${told}.step3`)}</li>
      </ol>
      <Between printer={printer} since={since} />
      <div className={styles.buttons}>
        <Button
          component={Link}
          variant="default"
          href={`/receipts?printer=${encodeURIComponent(printer.id)}`}
        >
          {t("restored.receipts")}
        </Button>
        {isOwner ? (
          <Button onClick={() => setAsking(true)}>{t(`ahead.${told}.accept`)}</Button>
        ) : (
          <Notice mood="idle" text={t("restored.ownerOnly")} />
        )}
      </div>
      <Confirm
        isOpen={isAsking}
        isDanger={isHeld}
        title={t(`ahead.${told}.acceptTitle`, { printer: printer.name })}
        text={t(`ahead.${told}.acceptText`)}
        action={t(`ahead.${told}.accept`)}
        isBusy={accept.isPending}
        failure={accept.isError ? t(reasonFor(accept.error)) : undefined}
        onConfirm={() => accept.mutate()}
        onClose={() => setAsking(false)}
      >
        {isHeld && count > 0 && (
          <Notice mood="warn" text={t("restored.acceptWaiting", { count })} />
        )}
      </Confirm>
    </Section>
  );
}

/** A receipt by its number. */
interface Shown {
  readonly number: string | null;
  /** The Z report that closes its day, where that is known. */
  readonly day: number | string | null;
  /** Some printers count these by themselves. */
  readonly isReversal: boolean;
}

/** Tells a receipt by number, amount and time, and by its day where its printer counts anew each day. */
function useReceiptText(isOfDay: boolean) {
  const { t } = useWords();
  const format = useFormat();
  const numberText = ({ number, day }: Shown) => {
    if (number === null) return undefined;
    return isOfDay && day !== null
      ? t("restored.numberOfDay", { number, z: String(day) })
      : t("restored.number", { number });
  };
  return (shown: Shown, amount: number | null, at: string | null) =>
    dotted([
      shown.isReversal ? t("receipts.kind.storno") : undefined,
      numberText(shown),
      amount === null ? undefined : format.money(amount),
      at === null ? undefined : format.dateTime(at),
    ]);
}

const RECEIPTS = "/api/v1/devices/{deviceId}/receipts";
/** In the order in which they came, by the box's clock: a printer's clock is set back now and then. */
const AS_BOOKED = { limit: 1, time: "bookedAt", sortBy: "bookedAt" } as const;

/**
 * Where, by the box's clock, the last one ends that was known before the unknown ones.
 * @param since when it was issued, as its printer has dated it; by the box's clock where it has not
 */
function useBehind(path: { readonly deviceId: string }, since: string | undefined) {
  const dated = since && { from: since, to: behind(since) };
  const { data } = useQuery({
    ...read(RECEIPTS, { path, query: { limit: 1, sortBy: "bookedAt", ...dated } }),
    enabled: since !== undefined,
  });
  if (since === undefined || data === undefined) return undefined;
  return behind(data.receipts[0]?.bookedAt ?? since);
}

/** The next instant. @param at ISO 8601 */
function behind(at: string): string {
  return new Date(Date.parse(at) + 1).toISOString();
}

/**
 * The receipts between which the unknown ones lie: the last that the box knew before them, and the
 * first that it knows behind them; where there is none, the printer's last.
 */
function Between({ printer, since }: Pick<RestoredProps, "printer" | "since">) {
  const { t } = useWords();
  const told = usePrinterRead("/api/v1/devices/{deviceId}/last-receipt", printer);
  const path = { deviceId: printer.id };
  const at = useBehind(path, since);
  const { data: stored } = useQuery({
    ...read(RECEIPTS, { path, query: { ...AS_BOOKED, ...(at && { to: at }) } }),
    enabled: since === undefined || at !== undefined,
  });
  const { data: later } = useQuery({
    ...read(RECEIPTS, { path, query: { ...AS_BOOKED, sortOrder: "asc", ...(at && { from: at }) } }),
    enabled: at !== undefined,
  });
  const last = told.data?.lastReceipt;
  const [known] = stored?.receipts ?? [];
  const [next] = later?.receipts ?? [];
  const paper = told.data?.lastDocumentNumber ?? null;
  // Numbers that begin anew with each day are compared with their day.
  const z = told.data?.lastZReportNumber ?? null;
  const text = useReceiptText(z !== null);
  const atPrinter =
    last === undefined
      ? undefined
      : dotted([
          text(
            { number: last.receiptNumber, day: z === null ? null : z + 1, isReversal: false },
            ...([last.receiptAmount, last.receiptDateTime] as const),
          ),
          // With other papers behind it, or without a word which of them was a receipt.
          paper === null || paper === last.receiptNumber
            ? ""
            : t("restored.paper", { number: paper }),
        ]);
  const ofBox = (one: typeof known) => {
    if (one === undefined) return t("restored.none");
    const { receiptNumber, fiscalId, zReportNumber: day, type, total, issuedAt } = one;
    // As the printer counts: its name for the document may be another row of numbers.
    const number = receiptNumber ?? fiscalId;
    return text({ number, day, isReversal: type === "storno" }, total, issuedAt);
  };
  return (
    <FactList
      facts={
        next === undefined
          ? [
              [t("restored.atPrinter"), atPrinter ?? t("restored.untold")],
              [t("restored.atBox"), ofBox(known)],
            ]
          : [
              [t("restored.before"), ofBox(known)],
              [t("restored.after"), ofBox(next)],
            ]
      }
    />
  );
}
