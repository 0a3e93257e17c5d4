/** The way to settle what was begun on a printer that answers no more: nobody waits for it for ever. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useBoxNow } from "../api/hooks.ts";
import { read } from "../api/queries.ts";
import { useWords } from "../words/words.tsx";
import type { Command } from "./command-state.ts";
import { isBooked } from "./outcome-words.ts";

/** As long as the box itself wants a printer to have been silent before it takes a person's word. */
const SILENT_MS = 60_000;
const LOOK_EVERY_MS = 5_000;

/** A button to the question, once it may be answered; nothing before that. */
export function SettleLeftOpen({ command }: { readonly command: Command }) {
  const { t } = useWords();
  const now = useBoxNow(LOOK_EVERY_MS);
  const { data: devices = [] } = useQuery(read("/api/v1/devices"));
  const { id, deviceId, status, processingAt } = command;
  const printer = devices.find((one) => one.id === deviceId);
  if (status !== "processing" || processingAt === null || !isBooked(command)) return null;
  if (printer === undefined || printer.effectiveStatus === "online") return null;
  if (now - Date.parse(processingAt) < SILENT_MS) {
    return null;
  }
  return (
    <Button component={Link} variant="default" href={`/doubtful/${id}`}>
      {t("doubtful.settle")}
    </Button>
  );
}
