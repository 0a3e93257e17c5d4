/** What was said, by whom and when, and the way on. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { read } from "../../api/queries.ts";
import type { Command } from "../../parts/command-state.ts";
import { Notice } from "../../parts/notice.tsx";
import { settledWord } from "../../parts/outcome-words.ts";
import { useWho } from "../../parts/who.ts";
import { useFormat, useWords } from "../../words/words.tsx";
import type { Said } from "./answers.tsx";
import { Correction } from "./correction.tsx";
import styles from "./doubtful.module.css";

interface SettledProps {
  readonly command: Command;
  /** What was answered here, and came too late. */
  readonly lost: Said | undefined;
}

export function Settled({ command, lost }: SettledProps) {
  const { t } = useWords();
  const format = useFormat();
  const name = useWho();
  const { data: today } = useQuery(read("/api/v1/today"));
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  const isThere = devices.some(({ id }) => id === command.deviceId);
  const { outcome, fiscalId = null, resolvedAt, resolvedBy } = command.resolution ?? {};
  const said = { who: name(resolvedBy ?? null) };
  const next = today?.doubtful.find(({ commandId }) => commandId !== command.id);
  return (
    <div className={styles.step}>
      <Notice
        mood={outcome === "printed" ? "good" : "idle"}
        text={t(outcome === "printed" ? "doubtful.saidPrinted" : "doubtful.saidNot", said)}
      />
      {lost !== undefined && !isSame(lost, { outcome, fiscalId }) && (
        <Notice mood="bad" text={t("doubtful.lost")} />
      )}
      {fiscalId !== null && (
        <p className={styles.about}>{t("receipts.number", { number: fiscalId })}</p>
      )}
      {resolvedAt !== undefined && resolvedAt !== null && (
        <p className="aside">{format.dateTime(resolvedAt)}</p>
      )}
      <p className={styles.about}>
        {t(settledWord(command, outcome === "printed" ? "printed" : "not_printed"))}
      </p>
      {isThere && <p className={styles.about}>{t("doubtful.goesOn")}</p>}
      <Correction command={command} />
      {next !== undefined && (
        <Button component={Link} size="lg" href={`/doubtful/${next.commandId}`}>
          {t("doubtful.next")}
        </Button>
      )}
      <Button component={Link} variant="default" href={`/commands/${command.id}`}>
        {t("commands.show")}
      </Button>
    </div>
  );
}

interface Counted {
  readonly outcome: string | null | undefined;
  readonly fiscalId: string | null;
}

/** True where the answer that counts says the same; who could not read a number contradicts none. */
function isSame(said: Said, counted: Counted): boolean {
  if (said.outcome !== counted.outcome) return false;
  const [mine, theirs] = [said.fiscalId, counted.fiscalId ?? undefined];
  return mine === undefined || theirs === undefined || Number(mine) === Number(theirs);
}
