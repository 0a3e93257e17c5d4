/** Lines within the process, for tests: what is written to one end is heard at the other. */

import type { Line, LineListener } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";

/** Two ends of one line. Bytes arrive in a later microtask, in order, as they do over a wire. */
export function memoryLinePair(): readonly [MemoryLine, MemoryLine] {
  const one = new MemoryLine();
  const two = new MemoryLine();
  one.join(two);
  two.join(one);
  return [one, two];
}

/** One end of a line within the process. */
export class MemoryLine implements Line {
  #peer: MemoryLine | undefined;
  #listener: LineListener | undefined;
  #unheard: Uint8Array[] = [];
  #loss: FiscalError | undefined;
  #closed = false;

  /** Sets the other end. */
  join(peer: MemoryLine): void {
    this.#peer = peer;
  }

  write(bytes: Uint8Array): void {
    if (this.#closed || this.#loss) return;
    const copy = bytes.slice();
    queueMicrotask(() => this.#peer?.hear(copy));
  }

  listen(listener: LineListener): void {
    this.#listener = listener;
    for (const chunk of this.#unheard.splice(0)) listener.data(chunk);
    if (this.#loss) listener.closed(this.#loss);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#listener = undefined;
    queueMicrotask(() => this.#peer?.lose());
  }

  /** Takes bytes from the other end. */
  hear(chunk: Uint8Array): void {
    if (this.#closed || this.#loss) return;
    if (this.#listener) this.#listener.data(chunk);
    else this.#unheard.push(chunk);
  }

  /** Learns that the other end is gone. */
  lose(): void {
    if (this.#closed || this.#loss) return;
    this.#loss = new FiscalError("E102", "The connection to the device was lost");
    this.#listener?.closed(this.#loss);
  }
}
