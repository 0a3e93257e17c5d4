/**
 * A serial line in this process, at the speed of a real one: a pseudo-terminal has no speed, so
 * the bytes are let through here by the clock.
 *
 * A byte that is written begins when the line is free and arrives one byte's time later, never
 * before. What has arrived is handed over by a loop that looks at the clock in each turn of the
 * event loop, about once a microsecond; timers would be a millisecond late, which is twelve bytes
 * at 115,200 baud. So the last byte of a frame, on which everything waits, arrives within some
 * microseconds of its time. The price is one busy processor.
 */

import type { Line, LineListener } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import type { OpenPort } from "#drivers/simulator/host.ts";

/** How a serial line is set. */
export interface LineSettings {
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly hasParity: boolean;
  readonly stopBits: 1 | 2;
}

/** Bits that one byte takes, its start bit included: 10 for 8N1 and 7O1, 11 for 8E1. */
export function bitsOf({ dataBits, hasParity, stopBits }: LineSettings): number {
  return 1 + dataBits + (hasParity ? 1 : 0) + stopBits;
}

type Side = "host" | "device";

/** What a line did since it was last asked. Milliseconds. */
export interface LineUse {
  readonly bytes: number;
  /** From the begin of the first byte to the end of the last. */
  readonly spanMs: number;
  /** The bytes' own time. */
  readonly wireMs: number;
  /** Time in which nothing was on the line because the side that spoke next had not begun. */
  readonly waitedForMs: Readonly<Record<Side, number>>;
  /** Times that the line turned from one side to the other. */
  readonly turns: number;
}

interface Chunk {
  readonly bytes: Uint8Array;
  readonly beginsAt: number;
  /** Bytes of it that have arrived. */
  arrived: number;
}

/** One direction of the line. */
class Direction {
  readonly chunks: Chunk[] = [];
  freeAt = 0;
  hear: ((bytes: Uint8Array) => void) | undefined;
}

const NO_USE = { bytes: 0, turns: 0 };

/** A line with a host's end for a driver and a device's end for a simulator. */
export class PacedLine {
  readonly #toDevice = new Direction();
  readonly #toHost = new Direction();
  #byteMs: number;
  #isRunning = false;
  #isClosed = false;
  #use = { ...NO_USE, firstAt: 0, lastAt: 0, last: undefined as Side | undefined };
  #waited = { host: 0, device: 0 };
  #onClosed: (() => void) | undefined;

  constructor(settings: LineSettings) {
    this.#byteMs = byteMsOf(settings);
  }

  /** Sets another speed; only while nothing is on the line. */
  set(settings: LineSettings): void {
    this.#byteMs = byteMsOf(settings);
  }

  /** Begins to measure anew. */
  reset(): void {
    this.#use = { ...NO_USE, firstAt: 0, lastAt: 0, last: undefined };
    this.#waited = { host: 0, device: 0 };
  }

  get use(): LineUse {
    const { bytes, turns, firstAt, lastAt } = this.#use;
    return {
      bytes,
      turns,
      spanMs: lastAt - firstAt,
      wireMs: bytes * this.#byteMs,
      waitedForMs: this.#waited,
    };
  }

  /** The driver's end. */
  host(): Line {
    return {
      write: (bytes) => this.#send("host", bytes),
      listen: (listener) => this.#listen(listener),
      close: () => {
        this.#isClosed = true;
        this.#onClosed?.();
      },
    };
  }

  /** The device's end, as a simulator opens it. */
  readonly openPort: OpenPort = async (device) => {
    const take = device.connect({
      isOpen: true,
      send: (bytes) => this.#send("device", bytes),
      cut: () => this.#onClosed?.(),
    });
    this.#toDevice.hear = take;
    return {
      number: 0,
      interrupt: () => undefined,
      restore: () => undefined,
      stop: async () => {
        this.#isClosed = true;
      },
    };
  };

  #listen(listener: LineListener): void {
    this.#toHost.hear = (bytes) => listener.data(bytes);
    this.#onClosed = () => listener.closed(new FiscalError("E102", "The line was closed"));
  }

  #send(from: Side, bytes: Uint8Array): void {
    if (this.#isClosed || bytes.length === 0) return;
    const direction = from === "host" ? this.#toDevice : this.#toHost;
    const now = performance.now();
    const beginsAt = Math.max(now, direction.freeAt);
    direction.freeAt = beginsAt + bytes.length * this.#byteMs;
    direction.chunks.push({ bytes: bytes.slice(), beginsAt, arrived: 0 });
    this.#note(from, bytes.length, { beginsAt, endsAt: direction.freeAt });
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(() => this.#run());
  }

  #note(from: Side, bytes: number, { beginsAt, endsAt }: { beginsAt: number; endsAt: number }) {
    const use = this.#use;
    if (use.last === undefined) use.firstAt = beginsAt;
    else {
      this.#waited[from] += Math.max(0, beginsAt - use.lastAt);
      if (use.last !== from) use.turns += 1;
    }
    use.last = from;
    use.bytes += bytes;
    use.lastAt = Math.max(use.lastAt, endsAt);
  }

  /** Hands over what has arrived, in every turn of the event loop until the line is empty. */
  #run(): void {
    this.#deliver(this.#toDevice);
    this.#deliver(this.#toHost);
    this.#isRunning = this.#toDevice.chunks.length > 0 || this.#toHost.chunks.length > 0;
    if (this.#isRunning) setImmediate(() => this.#run());
  }

  #deliver(direction: Direction): void {
    const now = performance.now();
    for (let first = direction.chunks[0]; first; first = direction.chunks[0]) {
      const due = Math.floor((now - first.beginsAt) / this.#byteMs);
      const upTo = Math.min(first.bytes.length, Math.max(0, due));
      const fresh = first.bytes.subarray(first.arrived, upTo);
      first.arrived = upTo;
      const isWhole = upTo === first.bytes.length;
      if (isWhole) direction.chunks.shift();
      if (fresh.length > 0) direction.hear?.(fresh);
      if (!isWhole) return;
    }
  }
}

/** Time of one byte on the line. Milliseconds. */
function byteMsOf(settings: LineSettings): number {
  return (1_000 * bitsOf(settings)) / settings.baudRate;
}
