/**
 * The parts of the queue, and who of them tells whom. Each has a matter of its own; `CommandQueue` is what
 * the rest of the gateway sees of them.
 */

import { waitsForPerson } from "#core/command/catalogue.ts";
import type { Command } from "#core/command/command.ts";
import { AskedPerson } from "./asked-person.ts";
import { type CommandChanges, createCommandChanges } from "./changes.ts";
import { Claims } from "./claims.ts";
import { Deadlines } from "./deadlines.ts";
import { Dispatch } from "./dispatch.ts";
import { Doubts } from "./doubts.ts";
import { expire } from "./expiry.ts";
import { HandOut } from "./hand-out.ts";
import { Holds } from "./holds.ts";
import { Lanes, setOut } from "./lanes.ts";
import { LateResults } from "./late-results.ts";
import { Leftovers } from "./leftovers.ts";
import { Questions } from "./questions.ts";
import type { QueueOptions } from "./queue-options.ts";
import { Reports } from "./reports.ts";
import { SetClock } from "./set-clock.ts";
import { Unheard } from "./unheard.ts";

export class QueueParts {
  readonly lanes = new Lanes();
  readonly clock: SetClock;
  /** What was unfinished at the start. */
  readonly leftovers: Leftovers;
  readonly holds: Holds;
  readonly lateResults: LateResults;
  readonly deadlines: Deadlines;
  readonly changes: CommandChanges;
  readonly handOut: HandOut;
  readonly claims: Claims;
  readonly unheard: Unheard;
  readonly dispatch: Dispatch;
  readonly questions: Questions;
  readonly doubts: Doubts;
  readonly person: AskedPerson;
  readonly reports: Reports;
  readonly #controllers: QueueOptions["controllers"];

  constructor(options: QueueOptions) {
    const { lanes } = this;
    this.#controllers = options.controllers;
    this.clock = new SetClock(options);
    this.leftovers = new Leftovers(options.clock);
    this.holds = new Holds({ ...options, lanes });
    this.lateResults = new LateResults({ ...options, holds: this.holds });
    const { leftovers, holds, lateResults } = this;
    this.deadlines = new Deadlines({
      ...options,
      // What is made below is there by the first deadline.
      isToWait: (command) => leftovers.isToWait(command, options.stores),
      expire: (command) => expire(command, { ...options, ...this.#asked() }),
    });
    const { deadlines } = this;
    this.changes = createCommandChanges(options.stores, options.records, this.#effects());
    const { changes } = this;
    const freed = (deviceId: string): void => this.dispatch.advance(deviceId);
    this.handOut = new HandOut({ ...options, deadlines, holds, changes, freed });
    this.claims = new Claims({ ...options, lanes, holds, changes, deadlines, freed });
    const { claims, handOut } = this;
    this.unheard = new Unheard({ ...options, lanes, changes, handOut, freed });
    this.dispatch = new Dispatch({ ...options, lanes, claims, handOut });
    const { dispatch } = this;
    this.questions = new Questions({ ...options, lanes, holds, handOut, lateResults });
    this.doubts = new Doubts({ ...options, lanes, changes, handOut, dispatch });
    const { doubts } = this;
    this.person = new AskedPerson({ ...options, ...this.#asked(), holds, doubts });
    const { person } = this;
    this.reports = new Reports({ ...options, ...this.#asked(), deadlines, lateResults, person });
  }

  /** Why a command of this type does not begin on the device, in words for a till; if known. */
  reasonOf({ deviceId, type }: Pick<Command, "deviceId" | "type">): string | undefined {
    const held = waitsForPerson(type) ? this.holds.reasonOf(deviceId) : undefined;
    const line = this.#controllers.reasonOf(deviceId);
    return held?.asksPerson === true ? held.first : (line ?? held?.first);
  }

  /** A command is final, or back in the line: nothing of it is waited for any more. */
  letGo(command: Command): void {
    this.deadlines.forget(command);
    this.unheard.forget(command);
    const lane = this.lanes.find(command.deviceId);
    if (lane?.out?.id !== command.id) return;
    // Other records of its printer waited for it, or do from now on.
    const { shared } = lane;
    setOut(lane, undefined);
    if (shared || command.result?.data?.outcome === "unknown") this.person.holdsChanged();
  }

  #asked() {
    const { lanes, changes, dispatch, questions } = this;
    return { lanes, changes, dispatch, questions };
  }

  #effects(): Parameters<typeof createCommandChanges>[2] {
    return {
      onHold: (deviceId) => {
        this.lanes.of(deviceId).held = true;
      },
      reasonOf: (command) => this.reasonOf(command),
      begun: (command) => {
        this.deadlines.forget(command);
        this.unheard.begun(command);
      },
      ended: (command) => this.letGo(command),
      putBack: (command) => {
        this.letGo(command);
        this.deadlines.watch(command, true);
      },
      leftovers: this.leftovers,
    };
  }
}
