/**
 * Follows a line for as long as somebody looks. An answer ends with its credential, and that of the
 * person at the box with its minute: then the next one goes on behind the last entry that was shown.
 */

import { BOX_TOKEN_SECONDS } from "#core/limits.ts";
import { TraceAnswer, TraceLine } from "../modules/devices/trace-schema.ts";
import type { Clock } from "../platform/clock.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { readAnswer } from "./gateway-answer.ts";
import { readLines } from "./read-lines.ts";
import type { ShownLine } from "./trace-text.ts";

/** The end of a token is in whole seconds. */
const TOKEN_MS_MIN = (BOX_TOKEN_SECONDS - 1) * 1_000;

export interface LineReading {
  /** Asks for entries of the line, each time with a credential of its own. */
  readonly ask: (query: { readonly follow: boolean; readonly last: number }) => Promise<Response>;
  /** Prints an entry; false when nobody reads any more. */
  readonly show: (line: ShownLine) => boolean;
  readonly clock: Pick<Clock, "elapsed">;
}

/** What was shown last, or would have been. */
type Position = Pick<Exclude<ShownLine, { kind: "dropped" }>, "number" | "times">;

const NOTHING_YET: Position = { number: 0, times: 0 };

/**
 * Shows the last of the kept entries.
 * @returns from where to follow; undefined when nobody reads any more
 */
export async function showKept(
  { ask, show }: LineReading,
  last: number,
): Promise<Position | undefined> {
  // One at least: it says where what follows begins.
  const answer = await ask({ follow: false, last: Math.max(1, last) });
  const { entries } = readAnswer(TraceAnswer, await answer.json());
  if (last > 0) for (const entry of entries) if (!show(entry)) return undefined;
  return entries.at(-1) ?? NOTHING_YET;
}

/**
 * Shows each entry behind a position, once, until nobody reads any more.
 * @param keptMax how many entries a gateway may keep
 * @throws CliFailure with code 3 when the gateway has no more to tell
 */
export async function followLine(
  { ask, show, clock }: LineReading,
  { from, keptMax }: { readonly from: Position; readonly keptMax: number },
): Promise<void> {
  let position = from;
  let answer = await ask({ follow: true, last: keptMax }).catch((error: unknown) => {
    // It was there a moment ago, when it showed what is kept.
    throw error instanceof CliFailure && error.exitCode === EXIT.state ? overFor(error) : error;
  });
  for (;;) {
    const askedAt = clock.elapsed();
    if (answer.body === null) throw new Error("the gateway's answer has no body");
    for await (const text of readLines(answer.body)) {
      const line = readAnswer(TraceLine, JSON.parse(text));
      if (line.kind !== "dropped") {
        if (!isBehind(line, position)) continue;
        position = line;
      }
      if (!show(line)) return;
    }
    if (clock.elapsed() - askedAt < TOKEN_MS_MIN) throw overFor(undefined);
    try {
      answer = await ask({ follow: true, last: keptMax });
    } catch (error) {
      throw error instanceof CliFailure ? overFor(error) : error;
    }
  }
}

/** True when it comes later, or is the same one and has repeated since. */
function isBehind(line: Position, { number, times }: Position): boolean {
  return line.number > number || (line.number === number && line.times > times);
}

function overFor(cause: CliFailure | undefined): CliFailure {
  const message = "the gateway stopped, or no longer serves the device";
  return new CliFailure(EXIT.state, message, { cause });
}
