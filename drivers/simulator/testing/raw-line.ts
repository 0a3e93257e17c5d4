/** A line to a simulated device over TCP, for tests: bytes as they are, and waiting for them. */

import { connect, type Socket } from "node:net";
import { DEADLINE_MS } from "#src/platform/testing/deadline.ts";

export class RawLine {
  readonly #socket: Socket;
  #heard = Buffer.alloc(0);
  #isClosed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk) => {
      this.#heard = Buffer.concat([this.#heard, Buffer.from(chunk)]);
      this.#wake();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  static connect(port: number, host = "127.0.0.1"): Promise<RawLine> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host, noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new RawLine(socket));
      });
    });
  }

  write(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** What has come and was not taken. */
  get heard(): Buffer {
    return this.#heard;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Takes as many bytes as come next. @throws Error when the line closes or they are late */
  async take(count: number): Promise<Buffer> {
    await this.until(() => this.#heard.length >= count || this.#isClosed);
    if (this.#heard.length < count) throw new Error("the line closed");
    return this.#cut(count);
  }

  /** Takes all up to this byte, that included. @throws Error when the line closes or it is late */
  async takeThrough(end: number): Promise<Buffer> {
    await this.until(() => this.#heard.includes(end) || this.#isClosed);
    const at = this.#heard.indexOf(end);
    if (at < 0) throw new Error("the line closed");
    return this.#cut(at + 1);
  }

  /** Takes what has come so far. */
  takeAll(): Buffer {
    return this.#cut(this.#heard.length);
  }

  /** Waits until this holds; asked whenever something came. @throws Error when it is late */
  until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const heard = this.#heard.toString("hex");
        reject(new Error(`nothing came in time${heard === "" ? "" : ` behind ${heard}`}`));
      }, DEADLINE_MS);
      this.#wake = () => {
        if (!isDone()) return;
        clearTimeout(timer);
        this.#wake = () => undefined;
        resolve();
      };
      this.#wake();
    });
  }

  /** Waits until the device cuts the line. */
  closed(): Promise<void> {
    return this.until(() => this.#isClosed);
  }

  close(): void {
    this.#socket.destroy();
  }

  #cut(count: number): Buffer {
    const taken = this.#heard.subarray(0, count);
    this.#heard = this.#heard.subarray(count);
    return taken;
  }
}
