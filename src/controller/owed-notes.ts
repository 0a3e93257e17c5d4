/**
 * What was done on devices unasked, for the audit log of the gateway. What is said while no gateway
 * hears it is said once one does, with the time at which it was done.
 */

import type { ToGateway } from "#core/controller/messages.ts";
import type { Clock } from "../platform/clock.ts";
import type { GatewayChannel } from "./channel.ts";

type Note = Omit<Extract<ToGateway, { readonly type: "device.note" }>, "type">;

/** Of those beyond it the oldest are lost: more is not done on the printers of a shop unasked. */
const NOTES_MAX = 20;

export class OwedNotes {
  readonly #channel: GatewayChannel;
  readonly #clock: Pick<Clock, "now">;
  /** The oldest first. */
  #notes: Note[] = [];

  constructor(channel: GatewayChannel, clock: Pick<Clock, "now">) {
    this.#channel = channel;
    this.#clock = clock;
  }

  say(note: Note): void {
    if (this.#channel.isConnected) {
      this.#channel.send({ type: "device.note", ...note });
      return;
    }
    const doneAt = new Date(this.#clock.now()).toISOString();
    const details = { ...note.details, doneAt };
    this.#notes = [...this.#notes, { ...note, details }].slice(-NOTES_MAX);
  }

  /** A gateway hears what is said from now on, and knows whose the devices are. */
  tellAll(): void {
    for (const note of this.#notes.splice(0)) this.say(note);
  }
}
