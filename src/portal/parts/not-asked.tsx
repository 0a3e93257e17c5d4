/** What is so while a box does not answer an order, and why it was not asked of a printer in the end. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { read } from "../api/queries.ts";
import { useWords } from "../words/words.tsx";
import { CommandProgress } from "./command-progress.tsx";
import { Late } from "./late.tsx";
import { Notice } from "./notice.tsx";
import type { Ordering } from "./order.ts";
import { isUnanswered, notAskedWord } from "./wish-key.ts";

/** Where the stream of events is broken. */
const ASK_EVERY_MS = 4_000;
/** What was asked just now is among them. */
const LOOKED_AT = 20;

interface NotAskedProps {
  readonly order: Pick<
    Ordering,
    "error" | "isPending" | "late" | "giveUp" | "deviceId" | "openKey" | "known"
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

/** The box is asked whether it has heard it; from then on it is followed like any other. */
function Unanswered({ order: { deviceId, openKey, known } }: NotAskedProps) {
  const { t } = useWords();
  // It stays this one when the next wish has another.
  const [key] = useState(openKey);
  const { data } = useQuery({
    ...read("/api/v1/commands", { query: { deviceId, limit: LOOKED_AT } }),
    staleTime: 0,
    refetchInterval: ASK_EVERY_MS,
  });
  const heard = data?.commands.find(({ idempotencyKey }) => idempotencyKey === key)?.id;
  return heard === undefined || key === undefined ? (
    <Notice mood="warn" text={t("commands.unanswered")}>
      <Button component={Link} variant="default" href={`/commands?printer=${deviceId}`}>
        {t("commands.title")}
      </Button>
    </Notice>
  ) : (
    <Heard commandId={heard} known={known} />
  );
}

/** What is wished from now on is another. */
function Heard({ commandId, known }: { readonly commandId: string; readonly known: () => void }) {
  const over = useRef(known);
  useEffect(() => over.current(), []);
  return <CommandProgress commandId={commandId} />;
}
