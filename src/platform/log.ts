/**
 * The log: one JSON object per line, a fixed sentence as `msg` and the data as fields.
 *
 *   log.info("command sent", { orgId, deviceId, commandId, ms });
 */

import type { Clock } from "./clock.ts";
import { priorityPrefix } from "./journal.ts";
import { fileDescriptorSink, type LineSink } from "./line-sink.ts";
import { type LineLevel, LOG_LEVELS, type LogLevel } from "./log-level.ts";
import { redactFields } from "./redaction.ts";

/** Data of a line. Values under secret names are masked, errors are spelled out. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes lines at one of four levels. */
export interface Log {
  debug(sentence: string, fields?: LogFields): void;
  info(sentence: string, fields?: LogFields): void;
  warn(sentence: string, fields?: LogFields): void;
  error(sentence: string, fields?: LogFields): void;
  /** A log that adds these fields to each of its lines. */
  child(fields: LogFields): Log;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Gives the `time` of each line. */
  readonly clock: Pick<Clock, "now">;
  /** Where lines go; the standard output by default. */
  readonly sink?: LineSink;
  /** Whether lines carry their priority as the journal wants it; they do not unless given. */
  readonly forJournal?: boolean;
}

/** Opens a log. */
export function createLog(options: LogOptions): Log {
  const { sink = fileDescriptorSink(1), forJournal = false } = options;
  return openLog({ ...options, sink, forJournal }, {});
}

/** @param bound stands on each line, redacted */
function openLog(options: Required<LogOptions>, bound: LogFields): Log {
  const { level: least, clock, sink, forJournal } = options;
  const write = (level: LineLevel, msg: string, fields: LogFields = {}): void => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return;
    const time = new Date(clock.now()).toISOString();
    const line = JSON.stringify({ level, time, ...bound, ...redactFields(fields), msg });
    const prefix = forJournal ? priorityPrefix(level) : "";
    sink.write(`${prefix}${line}\n`, level === "warn" || level === "error");
  };
  return {
    debug: (sentence, fields) => write("debug", sentence, fields),
    info: (sentence, fields) => write("info", sentence, fields),
    warn: (sentence, fields) => write("warn", sentence, fields),
    error: (sentence, fields) => write("error", sentence, fields),
    child: (fields) => openLog(options, { ...bound, ...redactFields(fields) }),
  };
}

/**
 * A log that adds to each line with a `deviceId` what the device is called: who reads the log knows
 * his printers by name.
 */
export function nameDevices(log: Log, nameOf: (deviceId: string) => string | undefined): Log {
  const named = (fields: LogFields | undefined): LogFields | undefined => {
    if (typeof fields?.deviceId !== "string" || fields.device !== undefined) return fields;
    const device = nameOf(fields.deviceId);
    return device === undefined ? fields : { device, ...fields };
  };
  return {
    debug: (sentence, fields) => log.debug(sentence, named(fields)),
    info: (sentence, fields) => log.info(sentence, named(fields)),
    warn: (sentence, fields) => log.warn(sentence, named(fields)),
    error: (sentence, fields) => log.error(sentence, named(fields)),
    child: (fields) => nameDevices(log.child(named(fields) ?? {}), nameOf),
  };
}

/** A log that writes nothing, for tests and for parts that run without one. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLog,
};
