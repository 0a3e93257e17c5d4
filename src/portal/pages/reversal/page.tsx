/** Takes a sale back, or a part of it: the same receipt with quantities to choose. */

import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import type { components } from "../../../client/index.ts";
import { useMay, useOrganization } from "../../api/hooks.ts";
import { read } from "../../api/queries.ts";
import { BackLink } from "../../parts/back-link.tsx";
import { useTop } from "../../parts/kept-place.ts";
import { Page } from "../../parts/page.tsx";
import { allOf, Empty, PageStates } from "../../parts/page-states.tsx";
import { lackingOf } from "../../parts/reversal-lack.ts";
import { useReversals } from "../../parts/reversals.ts";
import { useWords } from "../../words/words.tsx";
import { ReversalForm } from "./form.tsx";

type Receipt = components["schemas"]["Receipt"];

export default function ReversalPage() {
  const { id: receiptId = "" } = useParams();
  const { t } = useWords();
  const may = useMay("admin");
  const receipt = useQuery(read("/api/v1/receipts/{receiptId}", { path: { receiptId } }));
  const number = receipt.data?.receipt.fiscalId;
  useTop();
  return (
    <>
      <BackLink href={`/receipts/${receiptId}`} text={t("reversal.back")} />
      <Page
        title={typeof number === "string" ? t("reversal.titleOf", { number }) : t("reversal.title")}
      >
        {may ? (
          <PageStates query={receipt}>{({ receipt: sale }) => <Reversal sale={sale} />}</PageStates>
        ) : (
          <Empty title={t("states.forbidden.title")} text={t("receipt.reverseWho")} />
        )}
      </Page>
    </>
  );
}

function Reversal({ sale }: { readonly sale: Receipt }) {
  const reversals = useReversals(sale);
  const devices = useQuery(read("/api/v1/devices"));
  // What is not a sale has nothing to read.
  const reads = sale.type === "sale" ? [...reversals.reads, devices] : [devices];
  return (
    <PageStates query={allOf(reads)}>
      {() => <Choice sale={sale} reversals={reversals} devices={devices.data ?? []} />}
    </PageStates>
  );
}

interface ChoiceProps {
  readonly sale: Receipt;
  readonly reversals: ReturnType<typeof useReversals>;
  readonly devices: readonly components["schemas"]["Device"][];
}

function Choice({ sale, reversals, devices }: ChoiceProps) {
  const { t } = useWords();
  const printer = devices.find(({ id }) => id === sale.deviceId);
  const currency = useOrganization()?.currency;
  const lacking = lackingOf(sale, { printer, currency });
  if (lacking !== undefined) {
    return <Empty title={t("reversal.impossible")} text={t(lacking)} />;
  }
  return <ReversalForm sale={sale} reversals={reversals} printer={printer?.name ?? ""} />;
}
