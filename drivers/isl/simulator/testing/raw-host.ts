/**
 * A host that speaks raw ISL frames to a device over TCP, for tests: it sends what it is told to,
 * and neither resends nor interprets anything.
 */

import { connect, type Socket } from "node:net";
import { encodeRequest, type Generation, ReplyDecoder, type ReplyEvent } from "../../frame.ts";
import { decodeText, encodeText } from "../code-page.ts";

const DEADLINE_MS = 5_000;
const SEQ_MIN = 0x20;
const SEQ_MAX = 0x7f;

export interface RawReply {
  readonly seq: number;
  readonly command: number;
  /** The data as text of the Cyrillic code page. */
  readonly text: string;
  readonly data: Uint8Array;
  readonly status: Uint8Array;
  readonly statusHex: string;
}

export class RawHost {
  readonly #socket: Socket;
  readonly #generation: Generation;
  readonly #events: ReplyEvent[] = [];
  #seq = SEQ_MIN;
  #isClosed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket, generation: Generation) {
    this.#socket = socket;
    this.#generation = generation;
    const decoder = new ReplyDecoder(generation);
    socket.on("data", (chunk) => {
      if (typeof chunk !== "string") this.#events.push(...decoder.push(chunk));
      this.#wake();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  static connect(port: number, generation: Generation, host = "127.0.0.1"): Promise<RawHost> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host, noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new RawHost(socket, generation));
      });
    });
  }

  /** Sends a command with the next sequence number and waits for its answer. */
  async ask(command: number, text = ""): Promise<RawReply> {
    this.send(command, text);
    return this.reply();
  }

  /** Sends a command; with `seq`, under that number instead of the next. */
  send(command: number, text = "", seq?: number): number {
    const used = seq ?? this.nextSeq();
    const data = encodeText(text, "windows-1251");
    this.sendBytes(encodeRequest(this.#generation, { seq: used, command, data }));
    return used;
  }

  sendBytes(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Takes the next sequence number. */
  nextSeq(): number {
    this.#seq = this.#seq >= SEQ_MAX ? SEQ_MIN : this.#seq + 1;
    return this.#seq;
  }

  /** The next answer. @throws Error when something else comes, or nothing in time */
  async reply(): Promise<RawReply> {
    const event = await this.event();
    if (event.kind !== "reply") throw new Error(`${event.kind} instead of a reply`);
    const { seq, command, data, status } = event;
    const text = decodeText(data, "windows-1251");
    return { seq, command, text, data, status, statusHex: Buffer.from(status).toString("hex") };
  }

  /** Whatever comes next. @throws Error when the line closes or nothing comes in time */
  async event(): Promise<ReplyEvent> {
    await this.#until(() => this.#events.length > 0 || this.#isClosed);
    const event = this.#events.shift();
    if (!event) throw new Error("the line closed");
    return event;
  }

  /** Events that have come and were not taken. */
  get pending(): number {
    return this.#events.length;
  }

  /** Waits until the device cuts the line. */
  closed(): Promise<void> {
    return this.#until(() => this.#isClosed);
  }

  close(): void {
    this.#socket.destroy();
  }

  #until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("nothing came in time")), DEADLINE_MS);
      this.#wake = () => {
        if (!isDone()) return;
        clearTimeout(timer);
        this.#wake = () => undefined;
        resolve();
      };
      this.#wake();
    });
  }
}
