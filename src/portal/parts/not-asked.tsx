/** What is so while a box does not answer an order, and why it was not asked of a printer in the end. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { useWords } from "../words/words.tsx";
import { heardAs, type LookedFor } from "./heard-as.ts";
import { Late } from "./late.tsx";
import { Notice } from "./notice.tsx";
import type { Ordering } from "./order.ts";
import { isUnanswered, notAskedWord } from "./wish-key.ts";

/** Where the stream of events is broken. */
const ASK_EVERY_MS = 4_000;

interface NotAskedProps {
  readonly order: Pick<
    Ordering,
    "error" | "isPending" | "late" | "giveUp" | "deviceId" | "lookedFor" | "known" | "notHeard"
  >;
  /** True while a dialog says what is so, and has the way back. */
  readonly isInDialog?: boolean;
}

export function NotAsked({ order, isInDialog = false }: NotAskedProps) {
  const { t } = useWords();
  if (order.isPending && !isInDialog) return <AskedAgain {...order} />;
  if (order.error === null) return null;
  if (isUnanswered(order.error)) return <Unanswered order={order} />;
  if (isInDialog) return null;
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
function Unanswered({ order }: NotAskedProps) {
  // It stays this one when the next wish has another.
  const [wish] = useState(order.lookedFor);
  return wish === undefined ? (
    <Unknown deviceId={order.deviceId} />
  ) : (
    <LookedUp {...{ order, wish }} />
  );
}

function LookedUp({ order, wish }: NotAskedProps & { readonly wish: LookedFor }) {
  const { data, dataUpdatedAt } = useQuery({
    ...heardAs(wish),
    staleTime: 0,
    refetchInterval: ASK_EVERY_MS,
  });
  // What was on its way at the first answer has arrived by the next one.
  const firstAnswer = useFirst(dataUpdatedAt);
  const heard = data?.id;
  if (typeof heard === "string") return <Heard commandId={heard} known={order.known} />;
  if (heard === null && firstAnswer !== undefined && dataUpdatedAt > firstAnswer) {
    return <NotHeard notHeard={order.notHeard} />;
  }
  return <Unknown deviceId={wish.deviceId} />;
}

function Unknown({ deviceId }: { readonly deviceId: string }) {
  const { t } = useWords();
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
