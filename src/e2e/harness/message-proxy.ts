/**
 * A line between a controller and its gateway that can be cut at a certain message, before it gets
 * through or right after. It stays where it is when the gateway is started anew somewhere else.
 */

import type { Socket } from "bun";

/** Cuts the line at one message. */
export interface LineCut {
  /** Counted from now on in both directions, 1 is the next one; or the first whose text is such. */
  readonly at: number | ((text: string) => boolean);
  /** Before the message gets through, or after. */
  readonly side: "before" | "after";
  /** What is to be done before the message gets through, which waits for it. */
  readonly first?: () => Promise<void>;
}

/** How far one direction of a connection was read. */
interface Stream {
  /** Of the request or the answer that the WebSocket begins with. */
  isHead: boolean;
  /** What comes waits behind a message that does. */
  isHeld: boolean;
  rest: Buffer;
}

interface Wire {
  readonly toGateway: Stream;
  readonly toController: Stream;
  /** What came from the controller before the gateway's end was open. */
  early: Buffer[];
  peer: Socket<Wire> | undefined;
  readonly direction: "toGateway" | "toController";
}

const HEAD_END = "\r\n\r\n";
const TEXT_FRAME = 0x1;

export class MessageProxy {
  readonly #target: () => string | undefined;
  readonly #server: Bun.TCPSocketListener<Wire>;
  readonly #open = new Set<Socket<Wire>>();
  #cuts: Cut[] = [];
  #heard: { readonly isAt: (frame: Frame) => boolean; readonly hear: () => void }[] = [];
  #messages = 0;

  /**
   * @param target URL of the gateway as it runs now; undefined while there is none, as the port of
   * one that was killed may be somebody else's by then
   */
  constructor(target: () => string | undefined) {
    this.#target = target;
    this.#server = Bun.listen<Wire>({
      ...{ hostname: "127.0.0.1", port: 0 },
      socket: {
        open: (socket) => this.#opened(socket),
        data: (socket, bytes) => this.#came(socket, bytes),
        close: (socket) => this.#closed(socket),
        error: (socket) => this.#closed(socket),
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** Messages that got through, heartbeats left out. */
  get messages(): number {
    return this.#messages;
  }

  /** Cuts the line at a message to come. */
  cut({ at, ...how }: LineCut): void {
    const number = typeof at === "number" ? this.#messages + at : 0;
    const isAt = ({ text }: Frame): boolean =>
      typeof at === "number" ? this.#messages === number : at(text);
    this.#cuts.push({ isAt, ...how });
  }

  /** Resolves once a message of such a text has got through, from now on. */
  passed(isAt: (text: string) => boolean): Promise<void> {
    return new Promise((hear) => {
      this.#heard.push({ isAt: ({ text }) => isAt(text), hear });
    });
  }

  /** Forgets the cuts that are still to come. */
  clear(): void {
    this.#cuts = [];
  }

  /** Ends every connection, and takes no more. */
  stop(): void {
    this.#server.stop(true);
    for (const socket of [...this.#open]) socket.terminate();
  }

  #opened(socket: Socket<Wire>): void {
    const streams = { toGateway: newStream(), toController: newStream() };
    const wire: Wire = { ...streams, early: [], peer: undefined, direction: "toGateway" };
    socket.data = wire;
    this.#open.add(socket);
    const target = this.#target();
    if (target === undefined) {
      socket.terminate();
      return;
    }
    const { hostname, port } = new URL(target);
    Bun.connect<Wire>({
      ...{ hostname, port: Number(port) },
      socket: {
        open: (peer) => {
          if (!this.#open.has(socket)) {
            peer.terminate();
            return;
          }
          peer.data = { ...wire, early: [], peer: socket, direction: "toController" };
          wire.peer = peer;
          this.#open.add(peer);
          for (const bytes of wire.early.splice(0)) this.#came(socket, bytes);
        },
        data: (peer, bytes) => this.#came(peer, bytes),
        close: (peer) => this.#closed(peer),
        error: (peer) => this.#closed(peer),
      },
    }).catch(() => socket.terminate());
  }

  #closed(socket: Socket<Wire>): void {
    this.#open.delete(socket);
    const peer = socket.data?.peer;
    if (peer && this.#open.delete(peer)) peer.terminate();
  }

  #came(socket: Socket<Wire>, bytes: Buffer): void {
    const wire = socket.data;
    const { peer } = wire;
    if (!peer) {
      wire.early.push(Buffer.from(bytes));
      return;
    }
    const stream = wire[wire.direction];
    stream.rest = Buffer.concat([stream.rest, bytes]);
    if (stream.isHeld) return;
    if (stream.isHead && !passHead(stream, peer)) return;
    for (let frame = nextFrame(stream); frame; frame = nextFrame(stream)) {
      if (!this.#pass(frame, stream, peer)) return;
    }
  }

  /** @returns false when the line was cut there */
  #pass(frame: Frame, stream: Stream, peer: Socket<Wire>): boolean {
    const isCounted = frame.opcode === TEXT_FRAME && !isHeartbeat(frame);
    if (isCounted) this.#messages += 1;
    const cut = isCounted ? this.#cuts.find(({ isAt }) => isAt(frame)) : undefined;
    if (!cut) {
      this.#write(frame, peer);
      return true;
    }
    this.#cuts = this.#cuts.filter((one) => one !== cut);
    if (cut.first === undefined) this.#cutAt(frame, peer, cut);
    else {
      stream.isHeld = true;
      void cut.first().then(() => this.#cutAt(frame, peer, cut));
    }
    return false;
  }

  #write(frame: Frame, peer: Socket<Wire>): void {
    peer.write(frame.bytes);
    const heard = this.#heard.filter(({ isAt }) => isAt(frame));
    this.#heard = this.#heard.filter((one) => !heard.includes(one));
    for (const { hear } of heard) hear();
  }

  #cutAt(frame: Frame, peer: Socket<Wire>, { side }: Cut): void {
    if (side === "after") this.#write(frame, peer);
    const other = peer.data.peer;
    // What was written gets there before the end does.
    peer.end();
    other?.end();
  }
}

interface Cut extends Omit<LineCut, "at"> {
  readonly isAt: (frame: Frame) => boolean;
}

interface Frame {
  readonly opcode: number;
  readonly bytes: Buffer;
  readonly text: string;
}

function newStream(): Stream {
  return { isHead: true, isHeld: false, rest: Buffer.alloc(0) };
}

/** @returns false while it has not come as a whole */
function passHead(stream: Stream, peer: Socket<Wire>): boolean {
  const end = stream.rest.indexOf(HEAD_END);
  if (end < 0) return false;
  const length = end + HEAD_END.length;
  peer.write(stream.rest.subarray(0, length));
  stream.rest = stream.rest.subarray(length);
  stream.isHead = false;
  return true;
}

/** The next whole frame (RFC 6455, 5.2); messages are not spread over several by either end. */
function nextFrame(stream: Stream): Frame | undefined {
  const { rest } = stream;
  if (rest.length < 2) return undefined;
  const isMasked = (rest.readUInt8(1) & 0x80) !== 0;
  const short = rest.readUInt8(1) & 0x7f;
  const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
  const start = 2 + lengthBytes + (isMasked ? 4 : 0);
  if (rest.length < start) return undefined;
  const length =
    lengthBytes === 8
      ? Number(rest.readBigUInt64BE(2))
      : lengthBytes === 2
        ? rest.readUInt16BE(2)
        : short;
  if (rest.length < start + length) return undefined;
  const payload = Buffer.from(rest.subarray(start, start + length));
  if (isMasked) {
    const mask = rest.subarray(start - 4, start);
    for (let i = 0; i < length; i += 1) payload[i] = (payload[i] ?? 0) ^ (mask[i % 4] ?? 0);
  }
  const bytes = Buffer.from(rest.subarray(0, start + length));
  stream.rest = rest.subarray(start + length);
  return { opcode: bytes.readUInt8(0) & 0x0f, bytes, text: payload.toString("utf8") };
}

/** They come when they come, and say nothing of a document. */
function isHeartbeat({ text }: Frame): boolean {
  return /^\{"type":"(ping|pong)"/.test(text);
}
