/** What controllers report of commands: judged, and carried out as far as it is to be believed. */

import { type Command, isFinal } from "#core/command/command.ts";
import { judge, type Report, type Reporter, type ReportOutcome } from "#core/controller/judge.ts";
import type { CommandReport } from "#core/controller/messages.ts";
import { remoteResult } from "#core/controller/remote-result.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { AskedPerson } from "./asked-person.ts";
import type { CommandChanges } from "./changes.ts";
import { isOpen, reportOf, urgencyOf } from "./controller-report.ts";
import { asSaidLast } from "./corrected-number.ts";
import type { Deadlines } from "./deadlines.ts";
import type { Dispatch } from "./dispatch.ts";
import type { Lanes } from "./lanes.ts";
import type { LateResults } from "./late-results.ts";
import type { Questions } from "./questions.ts";
import { noteReport } from "./report-audit.ts";

export interface ReportsOptions {
  readonly stores: Pick<Stores, "audit" | "commands" | "devices" | "outcomeHolds">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
  readonly lanes: Lanes;
  readonly deadlines: Pick<Deadlines, "remaining">;
  readonly changes: CommandChanges;
  readonly lateResults: LateResults;
  readonly dispatch: Dispatch;
  readonly person: AskedPerson;
  readonly questions: Questions;
}

interface JudgedReport {
  /** What it is taken for. */
  readonly taken: Report;
  /** What was said: it may tell more than what it is taken for. */
  readonly told: Report;
  readonly arrival: Arrival;
}

/** When something came. */
interface Arrival {
  /** UTC milliseconds. */
  readonly now: number;
  /** Lines that had been lost by then: see `Lanes.losses`. */
  readonly losses: number;
}

export class Reports {
  readonly #o: ReportsOptions;

  constructor(options: ReportsOptions) {
    this.#o = options;
  }

  /** Takes what a controller reports of a command. @returns what became of it, once on disk */
  take(reporter: Reporter, message: CommandReport): Promise<ReportOutcome> {
    const { clock, dispatch, lanes, writer } = this.#o;
    const now = clock.now();
    const arrival = { now, losses: lanes.losses };
    const report = reportOf(message);
    const { deviceId } = message;
    const isInside = reporter.orgId === null && deviceId !== undefined;
    const lane = isInside ? dispatch.goAhead(deviceId, report, now) : undefined;
    const stored = writer.run(
      (tx) => this.#judged(tx, report, { reporter, arrival }),
      urgencyOf(report, lane !== undefined),
    );
    // Whatever became of the report: what was not taken with it is not out ahead of anything.
    if (lane) stored.catch(() => undefined).finally(() => (lane.ahead = undefined));
    return stored;
  }

  #judged(
    tx: Transaction,
    told: Report,
    { reporter, arrival }: { readonly reporter: Reporter; readonly arrival: Arrival },
  ): ReportOutcome {
    const { now } = arrival;
    const { stores, deadlines, lateResults, changes, dispatch, person, questions } = this.#o;
    const found = stores.commands.get(reporter.orgId, told.commandId);
    const command = found && asSaidLast(stores, found);
    const report = command && reporter.orgId !== null ? this.#usable(command, told) : told;
    const isOver = command !== undefined && deadlines.remaining(command) <= 0;
    const asked = command && isFinal(command.status) ? questions.find(command.id) : undefined;
    const verdict = judge(command, report, { reporter, isOver, asked });
    noteReport(tx, stores.audit, { command, reporter, report, verdict, now });
    switch (verdict.kind) {
      case "known":
        return "STORED";
      case "refuse":
        if (command && asked && report.kind === "mark") questions.refused(tx, command.id);
        if (command && verdict.late) {
          lateResults.append(tx, command, { ...verdict.late, from: reporter, now });
          tx.after(() => person.holdsChanged());
        }
        return verdict.code;
      case "learn":
        questions.learn(report.commandId, verdict.baseline);
        return "STORED";
      case "answer":
        if (command) questions.answered(tx, command, { ...verdict, from: reporter, now });
        tx.after(() => person.holdsChanged());
        return "STORED";
      case "expire":
        if (command) {
          changes.apply(tx, command, { input: { kind: "expired" }, now });
          tx.after(() => dispatch.advance(command.deviceId));
        }
        return "FINAL";
      case "apply":
        if (command && person.refuses(tx, command, { report, now })) return "FINAL";
        if (command) this.#apply(tx, command, { taken: verdict.report, told: report, arrival });
        return "STORED";
      default:
        return verdict satisfies never;
    }
  }

  /** What a controller outside of the process tells, as far as it may be used. */
  #usable(command: Command, report: Report): Report {
    if (report.kind !== "result") return report;
    const { driver } = this.#o.stores.devices.find(command.deviceId) ?? {};
    return { ...report, result: remoteResult(command, report.result, driver) };
  }

  /** Carries out what a controller reports. */
  #apply(tx: Transaction, command: Command, { taken, told, arrival }: JudgedReport) {
    const { now } = arrival;
    const { changes, dispatch, person } = this.#o;
    switch (taken.kind) {
      case "ack":
        changes.apply(tx, command, { input: ACKNOWLEDGED, now });
        return;
      case "mark": {
        const { mark, baseline } = taken;
        changes.mark(tx, command, { mark, baseline, now });
        this.#heardOf(command, arrival);
        return;
      }
      case "learned": {
        const { mark } = command;
        // It says nothing of how far the document is, and where nothing is stored of that, of nothing.
        if (mark === null) return;
        changes.mark(tx, command, { mark, baseline: taken.baseline, now });
        this.#heardOf(command, arrival);
        return;
      }
      case "result": {
        const { result } = taken;
        changes.apply(tx, command, { input: { kind: "finished", result }, now });
        const refusedWith = told.kind === "result" ? told.result.errorCode : undefined;
        person.learn(tx, command, { isDone: result.success, refusedWith, now });
        if (isOpen(result) || !dispatch.claimAhead(tx, command.deviceId, now)) {
          dispatch.claim(tx, command.deviceId, now);
        }
        return;
      }
      default:
        taken satisfies never;
    }
  }

  /**
   * The device has done something for the command: it can be asked. Known at once, as a person who is
   * heard in the same transaction would settle what has just been allowed to go on. A mark may be
   * written well after it came: where the line was lost between, nothing was heard since.
   */
  #heardOf({ id, deviceId }: Command, { losses }: Arrival): void {
    const lane = this.#o.lanes.find(deviceId);
    if (lane?.out?.id === id && lane.lostAt <= losses) lane.silentSince = undefined;
  }
}

const ACKNOWLEDGED = { kind: "acknowledged" } as const;
