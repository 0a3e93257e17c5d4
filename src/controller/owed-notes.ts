/**
 * What was done on devices unasked, for the audit log of the gateway: kept until that has it. What is said
 * behind the moment is said with its time.
 */

import type { ToGateway } from "#core/controller/messages.ts";
import type { GatewayChannel } from "./channel.ts";
import type { ControllerEnvironment } from "./environment.ts";

type Note = Omit<Extract<ToGateway, { readonly type: "device.note" }>, "type" | "noteId">;

interface OwedNote extends Note {
  readonly noteId: string;
  /** UTC milliseconds. */
  readonly doneAt: number;
}

/** Of those beyond it the oldest are lost: more is not done on the printers of a shop unasked. */
const NOTES_MAX = 20;
/** Waiting before what could not be written down is said again. */
const RETRY_MS = 1_000;
/** Ids of one process are not those of another. */
const MARK_BOUND = 2 ** 32;

export class OwedNotes {
  readonly #channel: GatewayChannel;
  readonly #clock: Pick<ControllerEnvironment["clock"], "now" | "setTimer">;
  readonly #mark: string;
  /** The oldest first. */
  #notes: OwedNote[] = [];
  #count = 0;
  /** The gateway says what it has stored; older ones do not. */
  #isAnswered = false;
  #cancelTimer = (): void => undefined;

  constructor(channel: GatewayChannel, { clock, random }: ControllerEnvironment) {
    this.#channel = channel;
    this.#clock = clock;
    this.#mark = random(MARK_BOUND).toString(36);
  }

  say(note: Note): void {
    this.#count += 1;
    const owed = { ...note, noteId: `${this.#mark}-${this.#count}`, doneAt: this.#clock.now() };
    this.#notes = [...this.#notes, owed].slice(-NOTES_MAX);
    if (this.#channel.isConnected) this.#tell(owed, note.details);
  }

  /**
   * A gateway hears what is said from now on, and knows whose the devices are.
   * @param isAnswered it says what it has stored
   */
  welcomed(isAnswered: boolean): void {
    this.#isAnswered = isAnswered;
    this.#tellAll();
  }

  /** The gateway has it. */
  stored(noteId: string): void {
    this.#notes = this.#notes.filter((note) => note.noteId !== noteId);
  }

  /** The gateway could not take something of a device; it may have been a note. */
  notTaken(): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.setTimer(RETRY_MS, () => this.#tellAll());
  }

  /** Nothing is said from now on. */
  stop(): void {
    this.#cancelTimer();
  }

  #tellAll(): void {
    if (!this.#channel.isConnected) return;
    for (const note of this.#notes) {
      const doneAt = new Date(note.doneAt).toISOString();
      this.#tell(note, { ...note.details, doneAt });
    }
  }

  #tell({ noteId, deviceId, action }: OwedNote, details: Note["details"]): void {
    this.#channel.send({ type: "device.note", deviceId, action, details, noteId });
    if (!this.#isAnswered) this.stored(noteId);
  }
}
