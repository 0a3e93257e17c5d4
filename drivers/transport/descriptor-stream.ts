/**
 * Bytes in and out of an open non-blocking descriptor: what serial ports, Bluetooth sockets and
 * pseudo-terminals have in common.
 *
 * Reading is Bun's stream of a descriptor, which waits in the event loop and reads only as much as
 * is asked for. Writing is the plain system call; a full buffer of the kernel is waited for.
 */

import { writeSync } from "node:fs";
import type { DriverEnvironment } from "#core/driver.ts";

/** Waiting for room in the kernel's buffer, doubled each time between these. */
const FULL_WAIT_MS_MIN = 1;
const FULL_WAIT_MS_MAX = 8;

interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

export class DescriptorStream {
  readonly #fd: number;
  readonly #reader: ChunkReader;
  readonly #setTimer: DriverEnvironment["setTimer"];
  #released = false;

  /** @param fd stays the caller's to close, after `release` */
  constructor(fd: number, setTimer: DriverEnvironment["setTimer"]) {
    this.#fd = fd;
    this.#setTimer = setTimer;
    this.#reader = Bun.file(fd).stream().getReader();
  }

  get released(): boolean {
    return this.#released;
  }

  /** The next bytes, at least one; undefined when the other end hung up or after the release. */
  async read(): Promise<Uint8Array | undefined> {
    for (;;) {
      const chunk = await this.#next();
      if (chunk === undefined || chunk.length > 0) return chunk;
    }
  }

  /**
   * Writes all bytes in order; one call at a time.
   * @returns false when the stream was released before all were written
   * @throws Error of the system call when the line is broken
   */
  async write(bytes: Uint8Array): Promise<boolean> {
    let waitMs = FULL_WAIT_MS_MIN;
    for (let sent = 0; sent < bytes.length; ) {
      if (this.#released) return false;
      const written = this.#writeSome(bytes, sent);
      sent += written;
      if (written > 0) waitMs = FULL_WAIT_MS_MIN;
      else {
        await new Promise<void>((resolve) => this.#setTimer(waitMs, resolve));
        waitMs = Math.min(2 * waitMs, FULL_WAIT_MS_MAX);
      }
    }
    return true;
  }

  /** Ends reading and writing; a read that waits gets undefined. */
  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    await this.#reader.cancel().catch(() => {
      // A stream that failed is over already.
    });
    // The runtime closes its own copy of the descriptor one turn later.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  async #next(): Promise<Uint8Array | undefined> {
    if (this.#released) return undefined;
    try {
      const { done, value } = await this.#reader.read();
      return done || this.#released ? undefined : value;
    } catch {
      // EIO is how a terminal says that its other end is gone.
      return undefined;
    }
  }

  #writeSome(bytes: Uint8Array, from: number): number {
    try {
      return writeSync(this.#fd, bytes, from);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EAGAIN") return 0;
      throw error;
    }
  }
}
