/** Changes of a command inside an operation of the writer: the lifecycle, and what goes with it. */

import { effectOf, tellsOutcome } from "#core/command/catalogue.ts";
import { type Command, type CommandResult, isFinal } from "#core/command/command.ts";
import { failure, type LifecycleInput, next } from "#core/command/lifecycle.ts";
import { advances, type Baseline, type Mark } from "#core/command/marks.ts";
import type { Reporter } from "#core/controller/judge.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction } from "#db/writer.ts";
import { askPerson } from "./ask-person.ts";
import type { RecordKeeper } from "./record-keeper.ts";
import { repeatFault } from "./repeated.ts";
import { type MaybePrinted, toldResult, waitsForWord } from "./restored-waiting.ts";

/** What is to be done to a command, and when that is. */
export interface CommandChange {
  readonly input: LifecycleInput;
  /** UTC milliseconds. */
  readonly now: number;
  /** A person settles it: its device is still to be asked of it. */
  readonly isAsked?: boolean;
}

/** How far a command is. */
export interface MarkReport {
  readonly mark: Mark;
  readonly baseline: Baseline | undefined;
  /** UTC milliseconds. */
  readonly now: number;
}

/** What follows from changes beyond the database. */
export interface ChangeEffects {
  /**
   * What prints on the device waits for a person. May be called for a change that is undone after all,
   * because holding back too long is harmless and too short is not.
   */
  onHold(deviceId: string): void;
  /** Why the command has not begun, where anybody knows. */
  reasonOf(command: Pick<Command, "deviceId" | "type">): string | undefined;
  /** The command has begun; that is on disk. */
  begun(command: Command): void;
  /** The command is final; that is on disk. */
  ended(command: Command): void;
  /** The command is back in the line; that is on disk. */
  putBack(command: Command): void;
  /** What was unfinished at the start; `all` at the box, where nobody has asked any printer since. */
  readonly leftovers?: MaybePrinted;
}

/** Where no queue runs: nobody waits, and nobody is told. */
export const NO_EFFECTS: ChangeEffects = {
  onHold: () => undefined,
  reasonOf: () => undefined,
  begun: () => undefined,
  ended: () => undefined,
  putBack: () => undefined,
};

export interface CommandChanges {
  /**
   * Applies an input with everything that belongs to it: a completed document leaves a receipt, an
   * unknown outcome holds the device, and whoever listens hears of the new state.
   * @returns the command as it then is, or undefined when its state does not accept the input
   */
  apply(tx: Transaction, command: Command, change: CommandChange): Command | undefined;
  /**
   * Stores how far a command is. Its first mark is its acknowledgement too: one write for both.
   * A mark that comes again is from a session that began anew: what it read counts.
   */
  mark(tx: Transaction, command: Command, report: MarkReport): void;
  /**
   * A controller is about to be handed a command. One without marks may print at any time from then
   * on without a word, so that its mark is stored for it: it is handed the command once. The command
   * stays `sent` until the controller acknowledges it.
   * @returns the command as it then is
   */
  handed(command: Command, to: { readonly server: Reporter; readonly now: number }): Command;
  /** Why a command cannot even be sent. */
  refusalOf(command: NewCommand): CommandResult | undefined;
  /** One that may be sent is about to be. */
  named(command: NewCommand): void;
}

/** Makes the changes over the stores. */
export function createCommandChanges(
  stores: Stores,
  records: RecordKeeper,
  effects: ChangeEffects,
): CommandChanges {
  const ask = (tx: Transaction, command: Command, now: number): void =>
    askPerson(tx, command, { stores, hold: () => effects.onHold(command.deviceId), now });
  const noteBegun = (tx: Transaction, begun: Command): void => {
    tx.after(() => effects.begun(begun));
    tx.emit({ type: "command.updated", orgId: begun.orgId, command: begun });
  };
  const mark: CommandChanges["mark"] = (tx, command, report) => {
    const isNews = command.mark === report.mark || advances(command.mark ?? undefined, report.mark);
    const begun = isNews ? stores.commands.setMark(command.id, report) : undefined;
    if (begun && command.status === "sent") noteBegun(tx, begun);
  };
  return {
    apply(tx, command, { input: meant, now, isAsked = false }) {
      const input = waitsForWord(stores, command, { input: meant, leftovers: effects.leftovers })
        ? ({ kind: "put_back" } as const)
        : meant;
      const isLate = input.kind === "expired" && input.reason === undefined;
      const reason = isLate ? effects.reasonOf(command) : undefined;
      const change = next(command, isLate ? { ...input, reason } : input);
      if ("refused" in change) return undefined;
      const { to } = change;
      if (to === "processing") {
        const begun = stores.commands.markProcessing(command.id, now);
        if (begun) noteBegun(tx, begun);
        return begun;
      }
      if (to === "pending") {
        const waits = stores.commands.putBack(command.id, now);
        if (waits) tx.after(() => effects.putBack(waits));
        if (waits) tx.emit({ type: "command.updated", orgId: waits.orgId, command: waits });
        return waits;
      }
      if (!isFinal(to) || change.result === undefined) return undefined;
      const { leftovers } = effects;
      const result = toldResult(stores, command, { input, result: change.result, leftovers });
      const ended = stores.commands.finish(command.id, { status: to, result, now, isAsked });
      if (!ended) return undefined;
      // What a run that is not known here may have printed, anybody may have been given by it.
      if (result !== change.result) stores.commands.noteFormer(command.id, null);
      records.keep(tx, command, { result, now });
      if (tellsOutcome(command.type) && result.data?.outcome === "unknown") ask(tx, ended, now);
      else tx.emit({ type: "command.updated", orgId: command.orgId, command: ended });
      tx.after(() => effects.ended(ended));
      tx.emit({ type: `command.${to}`, orgId: command.orgId, command: ended });
      return ended;
    },
    mark,
    handed(command, { server, now }) {
      const maySpeak = server.reportsMarks || effectOf(command.type) === "none";
      if (maySpeak || command.mark !== null) return command;
      return stores.commands.presumeMark(command.id, "committing", now) ?? command;
    },
    refusalOf(command) {
      const other = repeatFault(stores, command);
      if (other !== undefined) return failure(command, "E400", other);
      const overtaken = records.overtakenBy(command);
      return overtaken && failure(command, overtaken.code, overtaken.message);
    },
    named(command) {
      if (command.type === "void_receipt") records.name(command);
    },
  };
}
