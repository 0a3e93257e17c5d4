/** What goes back, why, and how it is paid back. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import type { components, GatewayError } from "../../../client/index.ts";
import { read } from "../../api/queries.ts";
import { centsOf } from "../../parts/cents.ts";
import { CommandProgress } from "../../parts/command-progress.tsx";
import { outcomeOf } from "../../parts/command-state.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { CopyText } from "../../parts/copy-text.tsx";
import { NotAsked } from "../../parts/not-asked.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { LineLeft, useReversals } from "../../parts/reversals.ts";
import { isUnanswered, notAskedWord } from "../../parts/wish-key.ts";
import { useFormat, useWords, type Word } from "../../words/words.tsx";
import { type Body, bodyOf, chosenOf, type Reason } from "./body.ts";
import { PaidBack, ReasonChoice } from "./choices.tsx";
import { goneWord, Lines, type Quantity } from "./lines.tsx";
import { type WayBack, waysBack } from "./paid-back.ts";
import styles from "./reversal.module.css";
import { useReversing } from "./reversing.ts";

interface FormProps {
  readonly sale: components["schemas"]["Receipt"];
  readonly reversals: ReturnType<typeof useReversals>;
  readonly printer: string;
}

/** What was chosen. */
interface Draft {
  readonly quantities: readonly Quantity[];
  readonly reason?: Reason;
  readonly way?: WayBack;
}
const NOTHING: Draft = { quantities: [] };

export function ReversalForm(props: FormProps) {
  const { sale, reversals } = props;
  const { centsLeft, underWay } = reversals;
  const [turn, setTurn] = useState(0);
  const [chosen, setChosen] = useState<Draft>();
  const [asked, setAsked] = useState<Draft>(NOTHING);
  const reversing = useReversing(sale, (isTaken) => {
    setTurn((old) => old + 1);
    if (isTaken) setChosen(undefined);
    // What came of it stands on top.
    window.scrollTo(0, 0);
  });
  const { commandId, error } = reversing;
  const isRefused = useIsRefused(commandId);
  const isUnknown = isUnanswered(error);
  useEffect(() => {
    if (isUnknown) window.scrollTo(0, 0);
  }, [isUnknown]);
  const shown = new Set([
    ...underWay.map(({ id }) => id),
    ...(commandId === undefined ? [] : [commandId]),
  ]);
  return (
    <div className={styles.form}>
      {[...shown].map((id) => (
        <CommandProgress key={id} commandId={id} />
      ))}
      {isUnknown && <NotAsked order={reversing} isInDialog />}
      {error !== null && !isUnknown && <Refusal error={error} />}
      {centsLeft === 0 ? (
        <NothingLeft href={`/receipts/${sale.id}`} />
      ) : (
        <Choosing
          key={turn}
          {...props}
          reversing={reversing}
          draft={chosen ?? (isRefused ? asked : NOTHING)}
          choose={setChosen}
          ask={(draft, body) => {
            setChosen(draft);
            setAsked(draft);
            reversing.mutate(body);
          }}
        />
      )}
    </div>
  );
}

/** True once its printer has refused it: then the same is likely to be wished again. */
function useIsRefused(commandId: string | undefined): boolean {
  const { data } = useQuery({
    ...read("/api/v1/commands/{commandId}", { path: { commandId: commandId ?? "" } }),
    enabled: commandId !== undefined,
  });
  return data !== undefined && outcomeOf(data.command) === "not_printed";
}

/** What is asked about: it stays this, whatever goes back elsewhere meanwhile. */
interface Question {
  readonly draft: Draft;
  readonly cents: number;
  readonly body: Body;
}

function isSame(asked: Question | undefined, now: Question | undefined): boolean {
  return asked?.cents === now?.cents && JSON.stringify(asked?.body) === JSON.stringify(now?.body);
}

type ChoosingProps = FormProps & {
  readonly reversing: ReturnType<typeof useReversing>;
  readonly draft: Draft;
  readonly choose: (draft: Draft) => void;
  readonly ask: (draft: Draft, body: Body) => void;
};

function Choosing({ sale, reversals, printer, draft, choose, ...props }: ChoosingProps) {
  const { t } = useWords();
  const format = useFormat();
  const { lines, centsLeft } = reversals;
  const { reason } = draft;
  const [question, setQuestion] = useState<Question>();
  const [isAsking, setAsking] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const quantities = upToLeft(draft.quantities, lines);
  const chosen = chosenOf(lines, quantities);
  const isLowered = sale.subtotalModifiers.some(({ type }) => type === "discount-amount");
  const ways = waysBack(sale, chosen, reversals);
  const way = ways.find((one) => one === draft.way) ?? ways[0] ?? "cash";
  const isWrong = quantities.includes(undefined);
  const { reversing } = props;
  const failure = notAskedWord(reversing.error);
  const money = (cents: number) => format.money(cents / 100, sale.currency);
  const now = reason && {
    ...{ draft, cents: chosen.cents },
    body: bodyOf(chosen, reason, { tender: way, paid: reversals.paid }),
  };
  // Something else went back meanwhile. What was asked of the box already lowers what is left, too.
  if (isAsking && reversing.open() === undefined && !isSame(question, now)) {
    setAsking(false);
    setChanged(true);
  }
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
        onChange={(wanted) => choose({ ...draft, quantities: wanted })}
      />
      {isLowered && chosen.cents > 0 && <p className="aside">{t("reversal.lowered")}</p>}
      <ReasonChoice
        reason={reason}
        choose={(wanted) => wanted !== undefined && choose({ ...draft, reason: wanted })}
      />
      <PaidBack
        {...{ sale, ways, way, known: reversals, cents: chosen.cents }}
        choose={(wanted) => choose({ ...draft, way: wanted })}
      />
      <div className={styles.foot}>
        <strong className={styles.total}>
          {t("reversal.total", { amount: money(chosen.cents) })}
        </strong>
        <Button
          disabled={chosen.cents === 0 || reason === undefined || isWrong}
          onClick={() => {
            setChanged(false);
            setQuestion(now);
            setAsking(true);
          }}
        >
          {t("reversal.print")}
        </Button>
      </div>
      {chosen.cents > 0 && reason === undefined && (
        <p className="aside">{t("reversal.chooseReason")}</p>
      )}
      {isChanged && <Notice mood="warn" text={t("reversal.changed")} />}
      <Confirm
        isOpen={isAsking}
        isDanger
        title={t("reversal.askTitle")}
        text={t("reversal.ask", { amount: money(question?.cents ?? 0), printer })}
        action={t("reversal.print")}
        isBusy={reversing.isPending}
        late={t(reversing.late)}
        failure={failure && t(failure)}
        onConfirm={() => question !== undefined && props.ask(question.draft, question.body)}
        onClose={() => {
          reversing.giveUp();
          setAsking(false);
        }}
      />
    </>
  );
}

/** What was chosen before something went back may be more than what is left now. */
function upToLeft(
  quantities: readonly Quantity[],
  lines: readonly LineLeft[],
): readonly Quantity[] {
  return lines.map(({ quantity: left }, at) => {
    const wanted = at in quantities ? quantities[at] : 0;
    return wanted === undefined ? undefined : Math.min(wanted, left);
  });
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
      <CopyText text={error.message} />
    </Notice>
  );
}

function wordOf({ status }: GatewayError): Word {
  switch (status) {
    case 403:
      return "receipt.reverseWho";
    case 409:
      return "reversal.conflict";
    case 422:
      return "reversal.refused";
    default:
      return "commands.notAsked";
  }
}
