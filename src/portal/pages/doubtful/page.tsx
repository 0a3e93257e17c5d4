/** Of one document nobody knows whether it was printed: a person looks, and says. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { read } from "../../api/queries.ts";
import { AlonePage } from "../../parts/alone-page.tsx";
import { commandLines } from "../../parts/command-lines.ts";
import { type Command, doubtOf, isDoubtful, isUnderWay } from "../../parts/command-state.ts";
import { useTop } from "../../parts/kept-place.ts";
import { Notice } from "../../parts/notice.tsx";
import { isBooked } from "../../parts/outcome-words.ts";
import { PageStates } from "../../parts/page-states.tsx";
import { PracticeNote } from "../../parts/practice.tsx";
import { useVatGroups } from "../../parts/printer-groups.ts";
import { PrinterPaper } from "../../parts/printer-paper.tsx";
import { PrinterSaid } from "../../parts/printer-said.tsx";
import { useFormat, useWords, type Word } from "../../words/words.tsx";
import { Answers, type Settling, useSettling } from "./answers.tsx";
import styles from "./doubtful.module.css";
import { Settled } from "./settled.tsx";

/** While the printer is still asked, it may tell at any moment. */
const LOOK_EVERY_MS = 3_000;

export default function DoubtfulPage() {
  const { commandId = "" } = useParams();
  const { t } = useWords();
  const command = useQuery({
    ...read("/api/v1/commands/{commandId}", { path: { commandId } }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isUnderWay(data.command) ? LOOK_EVERY_MS : false,
  });
  useTop();
  // What cannot be tried again leads back by itself.
  const hasNoWayOut = command.error?.status !== 404 && command.error?.status !== 403;
  return (
    <AlonePage
      title={t(titleOf(command.data?.command))}
      aside={<PracticeNote of={command.data?.command} />}
      isWide
    >
      <PageStates query={command}>
        {({ command: found }) => <Shown key={found.id} command={found} />}
      </PageStates>
      {hasNoWayOut && (
        <Link className={styles.leave} href="/">
          {t("unknown.home")}
        </Link>
      )}
    </AlonePage>
  );
}

/** Asks only what can still be asked, or was; until that is known, says what this is about. */
function titleOf(command: Command | undefined): Word {
  const isAsked = command !== undefined && isBooked(command);
  if (!isAsked || !(isAnswered(command) || isDoubtful(command) || isUnderWay(command))) {
    return "state.outcome_unknown";
  }
  switch (command.type) {
    case "print_reversal_receipt":
    case "void_receipt":
      return "doubtful.reversal";
    case "z_report":
      return "doubtful.z";
    case "cash_in":
    case "cash_out":
      return "doubtful.cash";
    default:
      return "doubtful.receipt";
  }
}

function Shown({ command }: { readonly command: Command }) {
  const { t } = useWords();
  // What was answered here is known for as long as the page shows this one.
  const settle = useSettling(command.id);
  if (!isBooked(command)) return <Nothing command={command} text={t("doubtful.never")} />;
  if (isAnswered(command)) {
    const isRefused = settle.error?.status === 409;
    return <Settled command={command} lost={isRefused ? settle.variables : undefined} />;
  }
  if (!isDoubtful(command) && !isUnderWay(command)) {
    return <Nothing command={command} text={t("doubtful.known")} />;
  }
  return <WithPrinter command={command} settle={settle} />;
}

/** Asked in other words where the printer is gone, so not before it is known. */
function WithPrinter({ command, settle }: Pick<QuestionProps, "command" | "settle">) {
  const devices = useQuery(read("/api/v1/devices"));
  return (
    <PageStates query={devices}>
      {(known) => (
        <Question
          command={command}
          settle={settle}
          printer={known.find(({ id }) => id === command.deviceId)?.name}
        />
      )}
    </PageStates>
  );
}

function isAnswered({ resolution }: Command): boolean {
  return resolution?.outcome === "printed" || resolution?.outcome === "not_printed";
}

interface QuestionProps {
  readonly command: Command;
  readonly settle: Settling;
  /** Its name; undefined once it is removed. */
  readonly printer: string | undefined;
}

function Question({ command, settle, printer }: QuestionProps) {
  const { t } = useWords();
  const format = useFormat();
  const groups = useVatGroups(command.deviceId);
  const lines = commandLines(command, { t, format, groups });
  const standsOpen = useStandsOpen(command.id);
  const { finishedAt, sentAt, createdAt, result } = command;
  const time = format.dateTime(sentAt ?? createdAt);
  return (
    <>
      <p className={styles.about}>
        {printer === undefined
          ? t("doubtful.aboutRemoved", { time })
          : t("doubtful.about", { printer, time })}
      </p>
      <div className={styles.both}>
        {lines !== undefined && (
          <PrinterPaper
            deviceId={command.deviceId}
            label={t("doubtful.looks")}
            lines={lines}
            note={t("doubtful.looksNote")}
          />
        )}
        <section className={styles.answers}>
          {isUnderWay(command) && <Notice mood="work" text={t("doubtful.stillAsking")} />}
          {standsOpen && <Notice mood="warn" text={t("doubtful.standsOpen")} />}
          <Answers command={command} settle={settle} printer={printer} standsOpen={standsOpen} />
          {finishedAt !== null && (
            <PrinterSaid
              result={result}
              intro={t("doubtful.said", { time: format.dateTime(finishedAt) })}
            />
          )}
          {finishedAt !== null && doubtOf(result) !== undefined && (
            <p className="aside">{t("doubtful.askedAt", { time: format.dateTime(finishedAt) })}</p>
          )}
        </section>
      </div>
    </>
  );
}

/** A person called it not printed, and the printer shows it open all the same. */
function useStandsOpen(commandId: string): boolean {
  const { data: { alerts = {} } = {} } = useQuery(read("/api/v1/devices/alerts"));
  return Object.values(alerts)
    .flat()
    .some((alert) => alert.commandId === commandId && alert.standsOpen === true);
}

function Nothing({ command, text }: { readonly command: Command; readonly text: string }) {
  const { t } = useWords();
  return (
    <Notice mood="good" text={text}>
      <Button component={Link} variant="default" href={`/commands/${command.id}`}>
        {t("commands.show")}
      </Button>
    </Notice>
  );
}
