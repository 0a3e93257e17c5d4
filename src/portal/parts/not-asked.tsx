/** What is so while a box does not answer an order, and why it was not asked of a printer in the end. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { read } from "../api/queries.ts";
import { useWords } from "../words/words.tsx";
import { Late } from "./late.tsx";
import { Notice } from "./notice.tsx";
import type { Ordering } from "./order.ts";
import { isUnanswered, notAskedWord } from "./wish-key.ts";

/** Where the stream of events is broken. */
const ASK_EVERY_MS = 4_000;
/** Of what was asked from then on it is among the first. */
const LOOKED_AT = 100;
/** The box's clock may have been set back a little since. */
const LOOKED_BACK_MS = 60_000;

interface NotAskedProps {
  readonly order: Pick<
    Ordering,
    "error" | "isPending" | "late" | "giveUp" | "deviceId" | "open" | "known" | "notHeard"
  >;
  /** True while a dialog says what is so, and has the way back. */
  readonly isInDialog?: boolean;
}

export function NotAsked({ order, isInDialog = false }: NotAskedProps) {
  const { t } = useWords();
  if (order.isPending && !isInDialog) return <AskedAgain {...order} />;
  if (order.error === null) return null;
  if (isUnanswered(order.error)) return <Unanswered order={order} />;
  return <Notice mood="bad" text={t(notAskedWord(order.error) ?? "commands.notAsked")} />;
}

/** With the way back. */
function AskedAgain({ late, giveUp }: Pick<Ordering, "late" | "giveUp">) {
  const { t } = useWords();
  return (
    <Late isBusy text={t(late)}>
      <Button variant="default" onClick={giveUp}>
        {t("confirm.cancel")}
      </Button>
    </Late>
  );
}

/** The box is asked whether it has heard it; from then on whoever shows the order follows it. */
function Unanswered({ order: { deviceId, open, known, notHeard } }: NotAskedProps) {
  const { t } = useWords();
  // It stays this one when the next wish has another.
  const [wish] = useState(open);
  const from = new Date((wish?.at ?? 0) - LOOKED_BACK_MS).toISOString();
  const { data, dataUpdatedAt } = useQuery({
    ...read("/api/v1/commands", { query: { deviceId, from, sortOrder: "asc", limit: LOOKED_AT } }),
    staleTime: 0,
    refetchInterval: ASK_EVERY_MS,
  });
  const heard = data?.commands.find(({ idempotencyKey }) => idempotencyKey === wish?.key)?.id;
  // What was on its way at the first answer has arrived by the next one.
  const firstAnswer = useFirst(dataUpdatedAt);
  if (heard !== undefined && wish !== undefined) return <Heard commandId={heard} known={known} />;
  if (firstAnswer !== undefined && dataUpdatedAt > firstAnswer) {
    return <NotHeard notHeard={notHeard} />;
  }
  return (
    <Notice mood="warn" text={t("commands.unanswered")}>
      <Button component={Link} variant="default" href={`/commands?printer=${deviceId}`}>
        {t("commands.title")}
      </Button>
    </Notice>
  );
}

/** The first one since this is on the page. @param at the last one, by this computer's clock */
function useFirst(at: number): number | undefined {
  const [shownAt] = useState(Date.now);
  const [first, setFirst] = useState<number>();
  if (first === undefined && at > shownAt) setFirst(at);
  return first;
}

/** Told once. */
function NotHeard({ notHeard }: { readonly notHeard: () => void }) {
  const { t } = useWords();
  const over = useRef(notHeard);
  useEffect(() => over.current(), []);
  return <Notice mood="warn" text={t("commands.notHeard")} />;
}

interface HeardProps {
  readonly commandId: string;
  readonly known: (commandId: string) => void;
}

/** Told once. */
function Heard({ commandId, known }: HeardProps) {
  const over = useRef(known);
  over.current = known;
  useEffect(() => void over.current(commandId), [commandId]);
  return null;
}
