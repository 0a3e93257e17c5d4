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
import styles from "./doubtful.module.css";

export function Settled({ command }: { readonly command: Command }) {
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
