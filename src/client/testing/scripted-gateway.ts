/** A gateway that answers what a test wants, and a clock that only moves when somebody sleeps. */

import type { Send } from "../login.ts";
import type { Timing } from "../repeat.ts";

/** A request as the gateway got it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** An answer, what comes instead of one, or nothing for as long as the client waits. */
export type Scripted = Response | Error | "silence" | ((asked: Asked) => Response);

/** Answers each request with the next of the script. */
export class ScriptedGateway {
  readonly asked: Asked[] = [];
  readonly sleptMs: number[] = [];
  readonly #script: Scripted[];
  #nowMs = 0;

  constructor(...script: readonly Scripted[]) {
    this.#script = [...script];
  }

  /** Answers that nobody has asked for. */
  get left(): number {
    return this.#script.length;
  }

  readonly timing: Timing = {
    now: () => this.#nowMs,
    random: () => 0,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      this.sleptMs.push(ms);
      this.#nowMs += ms;
    },
    // Nobody has to wait for what will not come.
    limit: (ms) => {
      const late = new AbortController();
      queueMicrotask(() => {
        if (this.#isSilent) {
          this.#nowMs += ms;
          late.abort(new DOMException("The operation timed out.", "TimeoutError"));
        }
      });
      return late.signal;
    },
  };

  get #isSilent(): boolean {
    return this.#script[0] === "silence";
  }

  readonly fetch: Send = async (request) => {
    const asked = {
      method: request.method,
      path: request.url.slice(new URL(request.url).origin.length),
      headers: request.headers,
      body: await request.text(),
    };
    this.asked.push(asked);
    const next = this.#script.shift();
    if (next === undefined) throw new Error(`nothing is scripted for ${asked.path}`);
    if (next instanceof Error) throw next;
    if (next === "silence") throw request.signal.reason;
    return typeof next === "function" ? next(asked) : next;
  };
}

/** A refusal in the API's envelope. */
export function refusal(status: number, code: string, headers = {}): Response {
  const error = { code, message: `refused: ${code}`, details: [{ path: "a", message: "b" }] };
  return Response.json({ error }, { status, headers: { "X-Request-Id": "req-1", ...headers } });
}

/** A command as the gateway shows it. */
export function commandOf(fields: Readonly<Record<string, unknown>>) {
  return { id: "cmd_1", type: "print_receipt", status: "pending", result: null, ...fields };
}

export const queued = (): Response => Response.json({ command: commandOf({}) }, { status: 202 });
export const shown = (fields: Readonly<Record<string, unknown>>): Response =>
  Response.json({ command: commandOf(fields) });
