/**
 * A host that speaks raw ISL frames to a device over TCP, for tests: it sends what it is told to,
 * and neither resends nor interprets anything.
 */

import { RawLine } from "../../../simulator/testing/raw-line.ts";
import { encodeRequest, type Generation, ReplyDecoder, type ReplyEvent } from "../../frame.ts";
import { decodeText, encodeText } from "../code-page.ts";

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
  readonly #line: RawLine;
  readonly #generation: Generation;
  readonly #decoder: ReplyDecoder;
  readonly #events: ReplyEvent[] = [];
  #seq = SEQ_MIN;

  private constructor(line: RawLine, generation: Generation) {
    this.#line = line;
    this.#generation = generation;
    this.#decoder = new ReplyDecoder(generation);
  }

  static async connect(port: number, generation: Generation, host?: string): Promise<RawHost> {
    return new RawHost(await RawLine.connect(port, host), generation);
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
    this.#line.write(bytes);
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
    await this.#line.until(() => this.pending > 0 || this.#line.isClosed);
    const event = this.#events.shift();
    if (!event) throw new Error("the line closed");
    return event;
  }

  /** Events that have come and were not taken. */
  get pending(): number {
    this.#events.push(...this.#decoder.push(this.#line.takeAll()));
    return this.#events.length;
  }

  /** Waits until the device cuts the line. */
  closed(): Promise<void> {
    return this.#line.closed();
  }

  close(): void {
    this.#line.close();
  }
}
