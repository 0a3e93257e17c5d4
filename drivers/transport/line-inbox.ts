/** The hearing half of a line: keeps what comes before anybody listens, and tells a loss once. */

import type { LineListener } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";

/** Bytes kept for a line that nobody listens to yet; a device that sends more is cut off. */
const UNHEARD_BYTES_MAX = 65_536;

export class LineInbox {
  #listener: LineListener | undefined;
  #unheard: Uint8Array[] = [];
  #unheardBytes = 0;
  #loss: FiscalError | undefined;
  #closed = false;

  /** True while bytes may come and go. */
  get isOpen(): boolean {
    return !this.#closed && this.#loss === undefined;
  }

  listen(listener: LineListener): void {
    if (this.#closed) return;
    this.#listener = listener;
    const unheard = this.#unheard;
    this.#unheard = [];
    this.#unheardBytes = 0;
    for (const chunk of unheard) listener.data(chunk);
    if (this.#loss && !this.#closed) listener.closed(this.#loss);
  }

  /** Passes bytes on. @returns false when nobody listens and there is no room for them */
  hear(chunk: Uint8Array): boolean {
    if (!this.isOpen) return true;
    if (this.#listener) {
      this.#listener.data(chunk);
      return true;
    }
    this.#unheardBytes += chunk.length;
    if (this.#unheardBytes > UNHEARD_BYTES_MAX) return false;
    this.#unheard.push(chunk);
    return true;
  }

  /** The line broke. */
  lose(cause: unknown): void {
    if (!this.isOpen) return;
    this.#loss = new FiscalError("E102", "The connection to the device was lost", { cause });
    this.#listener?.closed(this.#loss);
  }

  /** Nothing is told from now on. */
  close(): void {
    this.#closed = true;
    this.#listener = undefined;
    this.#unheard = [];
  }
}
