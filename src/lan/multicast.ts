/** Multicast DNS on each interface (RFC 6762), over the library that speaks it. */

import type { RemoteInfo } from "node:dgram";
import type * as library from "multicast-dns";
import { isOnLink, type LanInterface } from "./interfaces.ts";

export type Answer = NonNullable<library.ResponsePacket["answers"]>[number];
export type Question = NonNullable<library.QueryPacket["questions"]>[number];

/** A query, or what answers it. */
export interface Message {
  readonly id: number;
  readonly questions: readonly Question[];
  readonly answers: readonly Answer[];
  readonly additionals: readonly Answer[];
}

/** One interface that is open. */
export interface Multicast {
  query(question: Question): void;
  /** @param to one asker alone; all unless given */
  respond(message: Partial<Message>, to?: RemoteInfo): void;
  /** Sends what was given and ends. */
  close(): void;
}

export const MDNS_PORT = 5353;
/** What gateways are looked for by (RFC 6763). */
export const SERVICE = "_fiscald._tcp.local";

/** What is heard on an interface from its own network. */
export interface MulticastHandler {
  query?(query: Message, from: RemoteInfo): void;
  response?(response: Message): void;
  /** Nothing more is heard or sent there. */
  failed(error: Error): void;
}

/**
 * Opens one interface. The machine's own resolver may have the same port open; both hear everything.
 * @param options.port another than mDNS's for tests
 * @throws the system's error where that cannot be, as where another program keeps the port for itself
 */
export async function openMulticast(
  lan: LanInterface,
  options: MulticastHandler & { readonly port: number },
): Promise<Multicast> {
  const { default: createMulticastDns } = await import("multicast-dns");
  const socket = createMulticastDns({
    interface: lan.address,
    bind: "0.0.0.0",
    port: options.port,
  });
  socket.on("query", (query: library.QueryPacket, from: RemoteInfo) => {
    if (isOnLink(lan, from.address)) options.query?.(messageOf(query), from);
  });
  socket.on("response", (response: library.ResponsePacket, from: RemoteInfo) => {
    if (isOnLink(lan, from.address)) options.response?.(messageOf(response));
  });
  let isOpen = false;
  socket.on("error", (error: Error) => {
    if (isOpen) options.failed(error);
  });
  // A message that makes no sense, or an interface that went: neither is of any consequence.
  socket.on("warning", () => undefined);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("ready", resolve);
      socket.once("error", reject);
    });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  isOpen = true;
  let sending = 0;
  let isClosing = false;
  const sent = (): void => {
    sending -= 1;
    if (isClosing && sending === 0) socket.destroy();
  };
  return {
    query: (question) => socket.query([question]),
    respond({ id = 0, questions = [], answers = [], additionals = [] }, to) {
      const [asked, given, more] = [[...questions], [...answers], [...additionals]];
      const message = { id, questions: asked, answers: given, additionals: more };
      sending += 1;
      if (to === undefined) socket.respond(message, sent);
      else socket.respond(message, to, sent);
    },
    close() {
      isClosing = true;
      if (sending === 0) socket.destroy();
    },
  };
}

function messageOf(packet: library.QueryPacket | library.ResponsePacket): Message {
  const { id = 0, questions = [], answers = [], additionals = [] } = packet;
  return { id, questions, answers, additionals };
}
