/** Clients that listen to events over real sockets, for tests. */

import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

const Heard = Type.Object({
  id: Type.String(),
  type: Type.String(),
  createdAt: Type.String(),
  orgId: Type.String(),
  data: Type.Object({}, { additionalProperties: true }),
});
export type HeardEvent = Static<typeof Heard>;

/** Somebody who listens. */
export interface TestListener {
  /** Resolves when what happens from now on is heard; rejects when it was refused. */
  readonly opened: Promise<void>;
  /** In the order in which they came. */
  readonly events: readonly HeardEvent[];
  /** Resolves with what was heard so far as soon as it is enough. */
  until(isEnough: (events: readonly HeardEvent[]) => boolean): Promise<readonly HeardEvent[]>;
  /** How it ended; a WebSocket with its code. */
  readonly ended: Promise<number>;
  hangUp(): void;
}

/** Listens over a WebSocket. @param query begins with its question mark, or is empty */
export function openSocket(
  url: string,
  query: string,
  headers: Record<string, string> = {},
): TestListener {
  const address = `${url.replace("http", "ws")}/api/v1/events${query}`;
  const socket = new WebSocket(address, { headers });
  const { listener, open, hear, end } = collect(() => socket.close());
  socket.addEventListener("open", open);
  socket.addEventListener("message", ({ data }) => hear(String(data)));
  socket.addEventListener("close", ({ code }) => end(code));
  return listener;
}

/** Listens by server-sent events. */
export function openStream(
  url: string,
  query: string,
  headers: Record<string, string> = {},
): TestListener {
  const hangUp = new AbortController();
  const { listener, open, hear, end } = collect(() => hangUp.abort());
  const read = async (): Promise<void> => {
    const { body, status } = await fetch(`${url}/api/v1/events/stream${query}`, {
      ...{ headers, signal: hangUp.signal },
    });
    if (status !== 200) return end(status);
    open();
    let rest = "";
    for await (const piece of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const messages = `${rest}${piece}`.split("\n\n");
      rest = messages.pop() ?? "";
      for (const message of messages) {
        const [, id, data] = /^id: (.*)\ndata: (.*)$/.exec(message) ?? [];
        if (data !== undefined && parse(data).id === id) hear(data);
      }
    }
    end(200);
  };
  read().catch(() => end(0));
  return listener;
}

function collect(hangUp: () => void) {
  const events: HeardEvent[] = [];
  const ended = Promise.withResolvers<number>();
  const opened = Promise.withResolvers<void>();
  opened.promise.catch(() => undefined);
  let isOver = false;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const look of [...waiting]) look();
  };
  const listener: TestListener = {
    opened: opened.promise,
    events,
    ended: ended.promise,
    hangUp,
    until(isEnough) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          if (isEnough(events)) resolve(events);
          else if (isOver) reject(new Error(`it ended after ${events.map(({ type }) => type)}`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      });
    },
  };
  return {
    listener,
    open: () => opened.resolve(),
    hear(text: string) {
      events.push(parse(text));
      wake();
    },
    end(code: number) {
      isOver = true;
      opened.reject(new Error(`refused with ${code}`));
      ended.resolve(code);
      wake();
    },
  };
}

function parse(text: string): HeardEvent {
  return Value.Decode(Heard, JSON.parse(text));
}
