/** `fiscald command resolve`: a person says what became of a document. */

import { Argument, type Command as CommandLine } from "commander";
import { BOX_ACTOR } from "#core/access.ts";
import { tellsOutcome } from "#core/command/catalogue.ts";
import { type Command, isFinal } from "#core/command/command.ts";
import { notSettledWords, settledBeforeWords } from "#core/command/not-settled.ts";
import { PAPER_NUMBER } from "#core/command/settled.ts";
import { correctNumber } from "../queue/corrected-number.ts";
import { createRecordKeeper } from "../queue/record-keeper.ts";
import { settleHold } from "../queue/settlement.ts";
import { type Box, type BoxOptions, boxCommand, timezoneOf, withBox } from "./box.ts";
import { existingCommand } from "./command-show.ts";
import { isNumbered } from "./command-words.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { folded } from "./fitted.ts";
import { ANSWER_LIMIT_MS } from "./gateway-answer.ts";
import { localTime } from "./local-time.ts";
import { printJson, printLine } from "./output.ts";
import { askGateway } from "./running-gateway.ts";

const OUTCOMES = ["printed", "not_printed"] as const;

interface ResolveOptions extends BoxOptions {
  readonly fiscalId?: string;
}

/** What the person says. */
interface Word {
  readonly outcome: (typeof OUTCOMES)[number];
  readonly fiscalId: string | undefined;
}

export function resolveCommand(): CommandLine {
  const line = boxCommand("resolve", "say what became of a document whose outcome is unknown")
    .argument("<id>", "id of the command: fiscald command open lists them")
    .addArgument(new Argument("<outcome>", "what the paper shows").choices(OUTCOMES))
    .option("--fiscal-id <NUMBER>", "the number on the paper, of a document that was printed");
  return line.action((id: string, outcome: Word["outcome"], options: ResolveOptions) =>
    withBox(line, async (box) => {
      const command = existingCommand(box, id, options.org);
      const word = { outcome, fiscalId: options.fiscalId };
      requireNumber(command, word);
      const settled = await settleOpen(box, command, word);
      if (settled === undefined) await settleUnderWay({ line, box }, command, word);
      if (options.json === true) {
        printJson({ id, outcome });
        return;
      }
      const printer = box.stores.devices.find(command.deviceId)?.name ?? command.deviceId;
      const said = `${id} was ${outcome === "printed" ? "printed" : "not printed"}`;
      const follows = {
        hold: `what waits for it on ${printer} goes on`,
        number: `its number is ${word.fiscalId} now`,
        doubt: `what waits goes on as soon as ${printer} answers and was asked too`,
      }[settled ?? "doubt"];
      for (const row of folded("", `${said}; ${follows}`)) printLine(row);
    }),
  );
}

function requireNumber({ type }: Command, { outcome, fiscalId }: Word): void {
  if (fiscalId === undefined) return;
  if (outcome === "not_printed") {
    throw new CliFailure(EXIT.usage, "--fiscal-id is for a document that was printed");
  }
  if (!isNumbered(type)) {
    const message = `--fiscal-id is for receipts and Z reports: a ${type} has no number`;
    throw new CliFailure(EXIT.usage, message);
  }
  if (!new RegExp(PAPER_NUMBER).test(fiscalId)) {
    throw new CliFailure(EXIT.usage, "--fiscal-id is the number on the paper, in digits");
  }
}

/**
 * Settles what a person is asked of, or corrects its number. A running gateway notices the change of the
 * database by itself.
 * @returns what was settled; undefined when nobody is asked, and no number corrected
 */
function settleOpen(
  { stores, writer, clock, random }: Box,
  { id }: Command,
  word: Word,
): Promise<"hold" | "number" | undefined> {
  const records = createRecordKeeper(stores, random);
  const said = { ...word, by: BOX_ACTOR, address: null, now: clock.now() };
  return writer.run((tx) => {
    const found = stores.commands.get(null, id);
    if (found === undefined) throw new Error("a command that is gone");
    const how = { said, stores, records };
    if (settleHold(tx, found, how)) return "hold";
    return correctNumber(tx, found, how) ? "number" : undefined;
  });
}

/**
 * Settles what is still under way: only the gateway knows how long its printer was silent.
 * @throws CliFailure with code 2 when that was not long enough, or there is nothing to settle
 */
async function settleUnderWay(
  { line, box }: { readonly line: CommandLine; readonly box: Box },
  { id, orgId }: Command,
  { outcome, fiscalId }: Word,
): Promise<void> {
  const command = box.stores.commands.get(null, id);
  if (command === undefined) throw new Error("a command that is gone");
  if (command.status !== "processing" || command.mark === null || !tellsOutcome(command.type)) {
    throw new CliFailure(EXIT.usage, notOpen(box, command, outcome));
  }
  const body = { outcome, ...(fiscalId === undefined ? {} : { fiscalId }) };
  const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
  const path = `/commands/${id}/resolve`;
  try {
    const said = await askGateway(line, box, { orgId, scope: "commands", path, body, signal });
    await said.body?.cancel();
  } catch (error) {
    if (!(error instanceof CliFailure) || error.exitCode !== EXIT.usage) throw error;
    throw new CliFailure(EXIT.usage, `${id}: ${error.message}`, { cause: error });
  }
}

function notOpen(box: Box, command: Command, said: "printed" | "not_printed"): string {
  const { id, orgId, status, result } = command;
  const settled = box.stores.outcomeHolds.find(id)?.outcome;
  if (settled === "printed" || settled === "not_printed") {
    return `${id}: ${settledBeforeWords(settled, said)}`;
  }
  if (isFinal(status)) {
    const outcome = result?.data?.outcome;
    const end = typeof outcome === "string" ? `${status}, ${outcome}` : status;
    return `there is nothing to settle: the end of ${id} is known: ${end}`;
  }
  const timezone = timezoneOf(box, orgId);
  return `${id}: ${notSettledWords(command, (instant) => localTime(instant, timezone))}`;
}
