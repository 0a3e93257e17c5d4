/** `fiscald trace`: what passes on a device's line, for the person at the box. */

import { isatty } from "node:tty";
import { type Command, InvalidArgumentError } from "commander";
import { TRACE_ENTRIES_MAX } from "#core/device/trace.ts";
import { systemClock } from "../platform/clock.ts";
import { waitForStopSignal } from "../platform/signals.ts";
import { type BoxOptions, boxCommand, deviceCalled, organizationId, withBox } from "./box.ts";
import { printLine } from "./output.ts";
import { askGateway } from "./running-gateway.ts";
import { followLine, type LineReading, showKept } from "./trace-follow.ts";
import { createTraceText, type ShownLine } from "./trace-text.ts";

const STDOUT = 1;

interface TraceOptions extends BoxOptions {
  readonly last: number;
  readonly follow: boolean;
  readonly hex?: true;
}

export function traceCommand(): Command {
  const command = boxCommand("trace", "show what passes on a device's line, until Ctrl-C")
    .argument("<device>", "its id or name")
    .option("--last <N>", "begin with so many of the kept entries", readLast, TRACE_ENTRIES_MAX)
    .option("--no-follow", "end after what is kept")
    .option("--hex", "show the bytes of each frame");
  return command.action((device: string, options: TraceOptions) => trace(command, device, options));
}

async function trace(command: Command, device: string, options: TraceOptions): Promise<void> {
  const hangUp = new AbortController();
  const { signal } = hangUp;
  void waitForStopSignal().then(() => hangUp.abort());
  const reading: LineReading = {
    ask: ({ follow, last }) =>
      withBox(command, (box) => {
        const orgId = organizationId(box, options.org);
        const { id } = deviceCalled(box, orgId, device);
        const path = `/devices/${id}/trace?follow=${follow}&last=${last}`;
        return askGateway(command, box, { orgId, scope: "devices:write", path, signal });
      }),
    show: shower(options),
    clock: systemClock,
  };
  try {
    const from = await showKept(reading, options.last);
    if (options.follow && from) await followLine(reading, { from, keptMax: TRACE_ENTRIES_MAX });
  } catch (error) {
    // Asked to stop, which also breaks the answer off.
    if (!signal.aborted) throw error;
  } finally {
    hangUp.abort();
  }
}

/** Makes the function that prints an entry; false when nobody reads any more. */
function shower(options: TraceOptions): (line: ShownLine) => boolean {
  if (options.json === true) return (line) => printLine(JSON.stringify(line));
  const hasColor = isatty(STDOUT) && Bun.enableANSIColors;
  const textOf = createTraceText({ hasColor, showsHex: options.hex === true });
  return (line) => textOf(line).every(printLine);
}

function readLast(text: string): number {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (count <= TRACE_ENTRIES_MAX) return count;
  throw new InvalidArgumentError(`It takes a number from 0 to ${TRACE_ENTRIES_MAX}.`);
}
