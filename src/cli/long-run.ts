/** What the commands have in common that run until they are asked to stop. */

import { currentSurroundings } from "../config/surroundings.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import { isJournal } from "../platform/journal.ts";
import { fileDescriptorSink, gatherLines } from "../platform/line-sink.ts";
import { createLog, type Log } from "../platform/log.ts";
import { type OtherSignal, outliveOtherSignals } from "../platform/signals.ts";
import { EXIT } from "./exit.ts";

/**
 * Survives the signals that are no reason to stop.
 * @param onSignal acts on one; true when it did
 * @returns tells the log of them from now on
 */
export function heedSignals(
  onSignal: (signal: OtherSignal) => boolean = () => false,
): (log: Log) => void {
  let onOtherSignal = (_signal: OtherSignal): void => {};
  outliveOtherSignals((signal) => onOtherSignal(signal));
  return (log) => {
    onOtherSignal = (signal) =>
      log.info(onSignal(signal) ? "looking at the certificate" : "signal ignored", { signal });
  };
}

/** The log on the standard output, a few lines at a time. */
export function openLog(config: Pick<Config, "log.level">): Log {
  const sink = gatherLines(fileDescriptorSink(1), (ms, flush) => systemClock.setTimer(ms, flush));
  process.once("exit", sink.flush);
  return createLog({
    level: config["log.level"],
    clock: systemClock,
    sink,
    forJournal: toJournal(),
  });
}

/** For lines that whoever started the process waits for, at any log level. */
export function starterLog(): Log {
  return createLog({ level: "info", clock: systemClock, forJournal: toJournal() });
}

function toJournal(): boolean {
  return isJournal(currentSurroundings().environment, 1);
}

/**
 * Ends the process on an error nobody caught: after one, the state in memory cannot be trusted,
 * while what is on disk is made for a restart at any moment. The service manager starts anew.
 */
export function endOnDefect(log: Log): void {
  const end = (error: unknown): void => {
    log.error("defect: ending", { error });
    process.exit(EXIT.defect);
  };
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
}
