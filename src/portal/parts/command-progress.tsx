/** What becomes of something that was just asked of a printer, as it happens. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { read } from "../api/queries.ts";
import { useWords } from "../words/words.tsx";
import { AlertNotice } from "./alert-notice.tsx";
import { isPausing } from "./alert-text.ts";
import { ClosedDay } from "./closed-day.tsx";
import {
  type Command,
  commandState,
  faultOf,
  isDoubtful,
  isUnderWay,
  meaningOf,
  needsItsWords,
} from "./command-state.ts";
import { CopyText } from "./copy-text.tsx";
import { Notice } from "./notice.tsx";
import { isBooked } from "./outcome-words.ts";
import { PrinterSaid } from "./printer-said.tsx";
import { useIsPaused } from "./working.ts";

/** Where the stream of events is broken. */
const ASK_EVERY_MS = 4_000;

export function CommandProgress({ commandId }: { readonly commandId: string }) {
  const { t } = useWords();
  const { data } = useQuery({
    ...read("/api/v1/commands/{commandId}", { path: { commandId } }),
    refetchInterval: ({ state }) =>
      state.data === undefined || isUnderWay(state.data.command) ? ASK_EVERY_MS : false,
  });
  if (data === undefined) return <Notice mood="work" text={t("commands.asked")} />;
  return <Progress command={data.command} />;
}

function Progress({ command }: { readonly command: Command }) {
  const { t } = useWords();
  const { result } = command;
  return (
    <>
      {isUnderWay(command) && <Stopped command={command} />}
      <Notice mood={commandState(command).mood} text={useSentence(command)}>
        {isDoubtful(command) && (
          <Button component={Link} href={`/doubtful/${command.id}`}>
            {t("doubtful.settle")}
          </Button>
        )}
        <Button component={Link} variant="default" href={`/commands/${command.id}`}>
          {t("commands.show")}
        </Button>
      </Notice>
      {command.type === "z_report" && command.status === "completed" && (
        <ClosedDay command={command} />
      )}
      {needsItsWords(command) && (
        <>
          <PrinterSaid result={result} intro={t("commands.printerSaid")} />
          {result?.errorCode !== undefined && <CopyText text={result.errorCode} />}
        </>
      )}
    </>
  );
}

/** What its printer needs before it goes on, while it is under way. */
export function Stopped({ command }: { readonly command: Command }) {
  const { deviceId, status } = command;
  const params = { path: { deviceId } };
  const { data: printer } = useQuery(read("/api/v1/devices/{deviceId}", params));
  const { data } = useQuery(read("/api/v1/devices/{deviceId}/alerts", params));
  const isOtherPaused = useIsPaused(deviceId);
  if (printer === undefined) return null;
  return data?.alerts
    .filter(isPausing)
    .map((alert) => (
      <AlertNotice
        key={alert.type}
        alert={alert}
        isPaused={isOtherPaused || (status === "processing" && isBooked(command))}
        printer={printer}
      />
    ));
}

/** How it stands, and what to do. */
export function useSentence(command: Command): string {
  const { t } = useWords();
  const number = command.resolution?.fiscalId ?? command.result?.fiscalId;
  const fault = faultOf(command);
  const meaning = meaningOf(command);
  if (isDoubtful(command)) return t("fault.unknown");
  if (isUnderWay(command)) {
    return t(command.status === "pending" ? "commands.pendingText" : "commands.workingText");
  }
  if (command.resolution !== undefined || fault === undefined) {
    if (number !== undefined && number !== null) return t("commands.printedNumber", { number });
    return t(commandState(command).word);
  }
  return meaning === undefined
    ? t(fault)
    : t("fault.both", { fault: t(fault), meaning: t(meaning) });
}
