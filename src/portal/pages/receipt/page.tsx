/** One receipt: its paper, its data, what happened with it, and what can be done. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import type { components } from "../../../client/index.ts";
import { useMay, useOrganization } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { BackLink } from "../../parts/back-link.tsx";
import { CopyText } from "../../parts/copy-text.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useTop } from "../../parts/kept-place.ts";
import { Money } from "../../parts/money.tsx";
import { Page } from "../../parts/page.tsx";
import { PageStates } from "../../parts/page-states.tsx";
import { PracticeNote } from "../../parts/practice.tsx";
import { useVatGroups } from "../../parts/printer-groups.ts";
import { PrinterPaper } from "../../parts/printer-paper.tsx";
import { receiptLines } from "../../parts/receipt-lines.ts";
import { lackingOf } from "../../parts/reversal-lack.ts";
import { useReversals } from "../../parts/reversals.ts";
import styles from "../../parts/sheet.module.css";
import { dayOf } from "../../parts/shop-days.ts";
import { SheetSkeleton } from "../../parts/skeletons.tsx";
import { useFormat, useWords, type Word } from "../../words/words.tsx";
import { Duplicate } from "./duplicate.tsx";
import { History } from "./history.tsx";

type Receipt = components["schemas"]["Receipt"];

export default function ReceiptPage() {
  const { id: receiptId = "" } = useParams();
  const { t } = useWords();
  const receipt = useQuery(read("/api/v1/receipts/{receiptId}", { path: { receiptId } }));
  const found = receipt.data?.receipt;
  const number = found?.fiscalId ?? null;
  useTop();
  return (
    <>
      <BackLink href="/receipts" text={t("nav.receipts")} />
      <Page title={titleOf(found?.type, number, t)} aside={<PracticeNote of={found} />}>
        <PageStates query={receipt} skeleton={<SheetSkeleton />}>
          {({ receipt: shown }) => <Sheet receipt={shown} />}
        </PageStates>
      </Page>
    </>
  );
}

function titleOf(
  type: Receipt["type"] | undefined,
  number: string | null,
  t: ReturnType<typeof useWords>["t"],
): string {
  if (type === undefined) return t("nav.receipts");
  return number === null ? t(`paper.type.${type}`) : t(`receipt.title.${type}`, { number });
}

function Sheet({ receipt }: { readonly receipt: Receipt }) {
  const { t } = useWords();
  const format = useFormat();
  const groups = useVatGroups(receipt.deviceId);
  return (
    <div className={styles.sheet}>
      <PrinterPaper
        deviceId={receipt.deviceId}
        label={t("paper.label", { number: receipt.fiscalId ?? "" })}
        lines={receiptLines(receipt, { t, format, groups })}
        note={t("paper.note")}
      />
      <div className={styles.data}>
        <Actions receipt={receipt} />
        <Facts receipt={receipt} />
        <History receipt={receipt} />
      </div>
    </div>
  );
}

function Actions({ receipt }: { readonly receipt: Receipt }) {
  const { t } = useWords();
  const mayReverse = useMay("admin");
  const currency = useOrganization()?.currency;
  const isSale = receipt.type === "sale";
  const { data: devices } = useQuery(read("/api/v1/devices"));
  const lacking =
    devices &&
    lackingOf(receipt, {
      printer: devices.find(({ id }) => id === receipt.deviceId),
      currency,
    });
  const { centsLeft, isKnown } = useReversals(receipt);
  const isUsedUp = isKnown && centsLeft === 0;
  const isReversible = isSale && mayReverse && lacking === undefined && !isUsedUp;
  return (
    <section className={`${styles.actions} no-print`} aria-label={t("receipt.actions")}>
      {isReversible && isKnown && (
        <Button component={Link} href={`/receipts/${receipt.id}/reversal`}>
          {t("receipt.reverse")}
        </Button>
      )}
      {/* It keeps its place, and leads nowhere, until it is known whether anything is left. */}
      {isSale && mayReverse && !isUsedUp && (lacking !== undefined || !isKnown) && (
        <Button disabled>{t("receipt.reverse")}</Button>
      )}
      <Duplicate receipt={receipt} />
      <Button variant="default" onClick={() => window.print()}>
        {t("receipt.printPicture")}
      </Button>
      {isSale && !mayReverse && <p className="aside">{t("receipt.reverseWho")}</p>}
      {isSale && isUsedUp && <p className="aside">{t("reversal.nothingLeft")}</p>}
      {isSale && mayReverse && lacking !== undefined && !isUsedUp && (
        <p className="aside">
          {t("reversal.impossible")}: {t(lacking)}
        </p>
      )}
    </section>
  );
}

function Facts({ receipt }: { readonly receipt: Receipt }) {
  const { t } = useWords();
  const format = useFormat();
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  const printer = devices.find(({ id }) => id === receipt.deviceId)?.name;
  const timezone = useOrganization()?.timezone;
  // The printer's clock is that wrong, or the receipt was long in doubt.
  const isElsewhere = dayOf(receipt.issuedAt, timezone) !== dayOf(receipt.bookedAt, timezone);
  const facts: (readonly [Word, string | null | undefined])[] = [
    ["receipt.issued", format.dateTime(receipt.issuedAt)],
    ["receipt.counted", isElsewhere ? format.dateTime(receipt.bookedAt) : null],
    ["receipt.printer", printer],
    ["receipt.number", receipt.receiptNumber],
    ["receipt.sale", receipt.uniqueSaleNumber],
    ["receipt.customer", receipt.customerCif],
    ["receipt.day", receipt.zReportNumber],
    ["receipt.memory", receipt.fiscalMemorySerialNumber],
  ];
  return (
    <section className="box">
      <dl className={styles.facts}>
        <div>
          <dt>{t("receipt.total")}</dt>
          <dd>
            <strong>
              <Money amount={receipt.total} currency={receipt.currency} />
            </strong>
          </dd>
        </div>
        {facts.map(([word, value]) =>
          value === null || value === undefined ? null : (
            <div key={word}>
              <dt>{t(word)}</dt>
              <dd translate="no">{value}</dd>
            </div>
          ),
        )}
      </dl>
      {receipt.originalReceiptId !== null && (
        <Link className={styles.link} href={`/receipts/${receipt.originalReceiptId}`}>
          <Icon name="receipt" />
          {t("receipt.original")}
        </Link>
      )}
      <CopyText text={receipt.id} />
    </section>
  );
}
