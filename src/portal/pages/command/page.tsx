/** One thing that was asked of a printer: what it is, and what happened with it, step by step. */

import { Anchor, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { read } from "../../api/queries.ts";
import { BackLink } from "../../parts/back-link.tsx";
import { commandLines } from "../../parts/command-lines.ts";
import { Stopped, useSentence } from "../../parts/command-progress.tsx";
import { type Command, commandState, isDoubtful, isUnderWay } from "../../parts/command-state.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { useTop } from "../../parts/kept-place.ts";
import { SettleLeftOpen } from "../../parts/left-open.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { PageStates } from "../../parts/page-states.tsx";
import { PracticeNote } from "../../parts/practice.tsx";
import { useVatGroups } from "../../parts/printer-groups.ts";
import { PrinterPaper } from "../../parts/printer-paper.tsx";
import { PrinterSaid } from "../../parts/printer-said.tsx";
import styles from "../../parts/sheet.module.css";
import { StateMark } from "../../parts/state-mark.tsx";
import { useFormat, useWords } from "../../words/words.tsx";
import { CancelButton } from "./cancel.tsx";
import { Steps } from "./steps.tsx";

/** Where the stream of events is broken. */
const ASK_EVERY_MS = 4_000;

export default function CommandPage() {
  const { id: commandId = "" } = useParams();
  const { t } = useWords();
  const command = useQuery({
    ...read("/api/v1/commands/{commandId}", { path: { commandId } }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isUnderWay(data.command) ? ASK_EVERY_MS : false,
  });
  const found = command.data?.command;
  useTop();
  return (
    <>
      <BackLink href="/commands" text={t("commands.title")} />
      <Page
        title={found === undefined ? t("commands.title") : t(`command.${found.type}`)}
        aside={found !== undefined && <State command={found} />}
      >
        <PageStates query={command}>{({ command: shown }) => <Sheet command={shown} />}</PageStates>
      </Page>
    </>
  );
}

function State({ command }: { readonly command: Command }) {
  const { t } = useWords();
  const { mood, word } = commandState(command);
  return (
    <>
      <PracticeNote of={command} />
      <StateMark mood={mood} word={t(word)} isFilled />
    </>
  );
}

function Sheet({ command }: { readonly command: Command }) {
  const { t } = useWords();
  const format = useFormat();
  const groups = useVatGroups(command.deviceId);
  const lines = commandLines(command, { t, format, groups });
  return (
    <div className={styles.sheet} data-paper={lines !== undefined}>
      {lines !== undefined && (
        <PrinterPaper
          deviceId={command.deviceId}
          label={t(`command.${command.type}`)}
          lines={lines}
          note={t("commands.paperNote")}
        />
      )}
      <div className={styles.data}>
        {isUnderWay(command) && <Stopped command={command} />}
        <Now command={command} />
        <Steps command={command} />
        <Details command={command} />
      </div>
    </div>
  );
}

/** How it stands, and what can be done about it. */
function Now({ command }: { readonly command: Command }) {
  const { t } = useWords();
  return (
    <Notice mood={commandState(command).mood} text={useSentence(command)}>
      {isDoubtful(command) && (
        <Button component={Link} href={`/doubtful/${command.id}`}>
          {t("doubtful.settle")}
        </Button>
      )}
      <SettleLeftOpen command={command} />
      {command.status === "pending" && <CancelButton command={command} />}
    </Notice>
  );
}

/** For whoever helps by telephone. */
function Details({ command }: { readonly command: Command }) {
  const { t } = useWords();
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  const { id, deviceId, idempotencyKey, result, payload } = command;
  const device = devices.find((one) => one.id === deviceId);
  const answered = result?.data === undefined ? undefined : JSON.stringify(result.data, null, 2);
  return (
    <section className="box">
      <dl className={styles.facts}>
        {device !== undefined && (
          <div>
            <dt>{t("receipt.printer")}</dt>
            <dd>
              <Link className="reach" href={`/printers/${device.id}`}>
                {device.name}
              </Link>
            </dd>
          </div>
        )}
        {result?.errorCode !== undefined && (
          <div>
            <dt>{t("commands.code")}</dt>
            <dd>
              <Anchor
                className="reach"
                href={`/docs/errors.html#${result.errorCode.toLowerCase()}`}
              >
                {result.errorCode}
              </Anchor>
            </dd>
          </div>
        )}
        {idempotencyKey !== null && (
          <div>
            <dt>{t("commands.key")}</dt>
            <dd>
              <CopyText text={idempotencyKey} />
            </dd>
          </div>
        )}
      </dl>
      <PrinterSaid result={result} intro={t("commands.printerSaid")} />
      <CopyText text={id} />
      <details>
        <summary className={`aside ${styles.more}`}>{t("commands.details")}</summary>
        <CopyText isBlock text={JSON.stringify(payload, null, 2)} />
        {answered !== undefined && <CopyText isBlock text={answered} />}
      </details>
    </section>
  );
}
