/** Changes something that the printer has stored, once, and tells what became of it in place. */

import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { read } from "../../../api/queries.ts";
import { useSentence } from "../../../parts/command-progress.tsx";
import { type Command, isUnderWay } from "../../../parts/command-state.ts";
import { CopyText } from "../../../parts/copy-text.tsx";
import { NotAsked } from "../../../parts/not-asked.tsx";
import { Notice } from "../../../parts/notice.tsx";
import { useOrder } from "../../../parts/order.ts";
import { StateMark } from "../../../parts/state-mark.tsx";
import { useWords } from "../../../words/words.tsx";
import type { Printer } from "../tab.ts";
import type { PrinterPath } from "./live-read.ts";

/** Where the stream of events is broken. */
const ASK_EVERY_MS = 4_000;

interface SettingOptions {
  /** What the printer answers differently afterwards. */
  readonly changed: readonly PrinterPath[];
  readonly saved: () => void;
  /** As of `useOrder`. */
  readonly name?: string;
}

/**
 * For a part: `order.mutate` asks; what it changed is read again before `saved` is called. Its fields are
 * disabled while `isBusy`: whoever types then would no longer see what becomes of it.
 */
export function useSetting(printer: Printer, { changed, saved, name }: SettingOptions) {
  const order = useOrder(printer, name === undefined ? {} : { name });
  const queries = useQueryClient();
  const commandId = order.data?.id;
  const { data } = useQuery({
    ...read("/api/v1/commands/{commandId}", { path: { commandId: commandId ?? "" } }),
    enabled: commandId !== undefined,
    refetchInterval: ({ state }) =>
      state.data === undefined || isUnderWay(state.data.command) ? ASK_EVERY_MS : false,
  });
  const command = commandId === undefined ? undefined : data?.command;
  const status = command?.status;
  // What the printer stored is not what stands in the fields until it was read again.
  const [readAgain, setReadAgain] = useState<string>();
  const done = useRef(saved);
  done.current = saved;
  const paths = useRef(changed);
  const deviceId = printer.id;
  useEffect(() => {
    if (status !== "completed" || commandId === undefined) return;
    const again = paths.current.map((path) =>
      queries.invalidateQueries({ queryKey: [path, { path: { deviceId } }] }),
    );
    void Promise.all(again).then(() => {
      done.current();
      setReadAgain(commandId);
    });
  }, [status, commandId, deviceId, queries]);
  const isReading = status === "completed" && readAgain !== commandId;
  const isBusy =
    order.isPending ||
    (commandId !== undefined && (command === undefined || isUnderWay(command) || isReading));
  return { order, command, isBusy };
}

/** Beside the button: at work, saved, or why not. */
export function SettingState({ order, command, isBusy }: ReturnType<typeof useSetting>) {
  const { t } = useWords();
  if (order.isPending || order.isError) return <NotAsked order={order} />;
  if (isBusy) {
    const isWaiting = command?.status === "pending";
    return (
      <Notice mood="work" text={t(isWaiting ? "commands.pendingText" : "commands.workingText")} />
    );
  }
  if (command === undefined) return null;
  if (command.status === "completed") {
    return (
      <span role="status">
        <StateMark mood="good" word={t("save.saved")} />
      </span>
    );
  }
  return <Failed command={command} />;
}

function Failed({ command }: { readonly command: Command }) {
  const { t } = useWords();
  const sentence = useSentence(command);
  const detail = command.result?.errorMessage;
  return (
    <>
      <Notice mood="bad" text={t("setting.notSaved", { reason: sentence })}>
        <Button component={Link} variant="default" href={`/commands/${command.id}`}>
          {t("commands.show")}
        </Button>
      </Notice>
      {detail !== undefined && detail !== "" && <CopyText text={detail} />}
    </>
  );
}
