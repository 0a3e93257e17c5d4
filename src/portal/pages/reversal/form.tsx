/** What goes back, why, and how it is paid back. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { components, GatewayError } from "../../../client/index.ts";
import { CommandProgress } from "../../parts/command-progress.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { CopyText } from "../../parts/copy-text.tsx";
import { Notice } from "../../parts/notice.tsx";
import { centsOf, type useReversals } from "../../parts/reversals.ts";
import { useFormat, useWords, type Word } from "../../words/words.tsx";
import { bodyOf, chosenOf, type Reason, type Tender, tendersOf } from "./body.ts";
import { PaidBack, ReasonChoice } from "./choices.tsx";
import { goneWord, Lines, type Quantity } from "./lines.tsx";
import styles from "./reversal.module.css";
import { useReversing } from "./reversing.ts";

interface FormProps {
  readonly sale: components["schemas"]["Receipt"];
  readonly reversals: ReturnType<typeof useReversals>;
  readonly printer: string;
}

export function ReversalForm(props: FormProps) {
  const { sale, reversals } = props;
  const { centsLeft, underWay } = reversals;
  // What was chosen is over with what came of it.
  const [turn, setTurn] = useState(0);
  const reversing = useReversing(sale.id, () => {
    setTurn((old) => old + 1);
    // What came of it stands on top.
    window.scrollTo(0, 0);
  });
  const asked = reversing.data?.id;
  const shown = new Set([...underWay.map(({ id }) => id), ...(asked === undefined ? [] : [asked])]);
  return (
    <div className={styles.form}>
      {[...shown].map((id) => (
        <CommandProgress key={id} commandId={id} />
      ))}
      {reversing.error !== null && <Refusal error={reversing.error} />}
      {centsLeft === 0 ? (
        <NothingLeft href={`/receipts/${sale.id}`} />
      ) : (
        <Choosing key={turn} {...props} reversing={reversing} />
      )}
    </div>
  );
}

type ChoosingProps = FormProps & { readonly reversing: ReturnType<typeof useReversing> };

function Choosing({ sale, reversals, printer, reversing }: ChoosingProps) {
  const { t } = useWords();
  const format = useFormat();
  const { lines, centsLeft } = reversals;
  const [quantities, setQuantities] = useState<readonly Quantity[]>(() => lines.map(() => 0));
  const [reason, setReason] = useState<Reason>();
  const [chosenTender, setTender] = useState<Tender>();
  const [isAsking, setAsking] = useState(false);
  const chosen = chosenOf(lines, quantities);
  const isLowered = sale.subtotalModifiers.some(({ type }) => type === "discount-amount");
  const tenders = tendersOf(sale, chosen);
  const tender = tenders.find((one) => one === chosenTender) ?? tenders[0] ?? "cash";
  const isWrong = quantities.includes(undefined);
  const money = (cents: number) => format.money(cents / 100, sale.currency);
  return (
    <>
      <p className={styles.left}>
        {t("reversal.left", { amount: money(centsLeft), total: money(centsOf(sale.total)) })}
      </p>
      <Lines
        sale={sale}
        lines={lines}
        gone={goneWord(reversals)}
        quantities={quantities}
        onChange={setQuantities}
      />
      {isLowered && chosen.cents > 0 && <p className="aside">{t("reversal.lowered")}</p>}
      <ReasonChoice reason={reason} choose={setReason} />
      <PaidBack tenders={tenders} tender={tender} choose={setTender} />
      <div className={styles.foot}>
        <strong className={styles.total}>
          {t("reversal.total", { amount: money(chosen.cents) })}
        </strong>
        <Button
          disabled={chosen.cents === 0 || reason === undefined || isWrong}
          onClick={() => setAsking(true)}
        >
          {t("reversal.print")}
        </Button>
      </div>
      {chosen.cents > 0 && reason === undefined && (
        <p className="aside">{t("reversal.chooseReason")}</p>
      )}
      <Confirm
        isOpen={isAsking && reason !== undefined}
        isDanger
        title={t("reversal.askTitle")}
        text={t("reversal.ask", { amount: money(chosen.cents), printer })}
        action={t("reversal.print")}
        isBusy={reversing.isPending}
        late={t("confirm.late")}
        onConfirm={() => reason !== undefined && reversing.mutate(bodyOf(chosen, reason, tender))}
        onClose={() => {
          reversing.giveUp();
          setAsking(false);
        }}
      />
    </>
  );
}

function NothingLeft({ href }: { readonly href: string }) {
  const { t } = useWords();
  return (
    <Notice mood="idle" text={t("reversal.nothingLeft")}>
      <Button component={Link} variant="default" href={href}>
        {t("reversal.back")}
      </Button>
    </Notice>
  );
}

/** Why it was not taken on, and what to do. */
function Refusal({ error }: { readonly error: GatewayError }) {
  const { t } = useWords();
  return (
    <Notice mood="bad" text={t(wordOf(error))}>
      {error.status !== undefined && <CopyText text={error.message} />}
    </Notice>
  );
}

function wordOf({ status }: GatewayError): Word {
  switch (status) {
    case undefined:
      return "reversal.noAnswer";
    case 403:
      return "receipt.reverseWho";
    case 409:
      return "reversal.conflict";
    case 422:
      return "reversal.refused";
    case 503:
      return "reversal.busy";
    default:
      return "commands.notAsked";
  }
}
