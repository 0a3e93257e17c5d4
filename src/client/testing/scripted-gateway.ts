/** A gateway that answers what a test wants, and a clock that only moves when somebody sleeps. */

import type { Order } from "../commands.ts";
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
export type Scripted = Answer | ((asked: Asked) => Answer);

type Answer = Response | Error | "silence";

interface Limit {
  readonly at: number;
  readonly late: AbortController;
}

/** Answers each request with the next of the script. */
export class ScriptedGateway {
  readonly asked: Asked[] = [];
  readonly sleptMs: number[] = [];
  readonly #script: Scripted[];
  #limits: Limit[] = [];
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
    limit: (ms) => {
      const late = new AbortController();
      this.#limits.push({ at: this.#nowMs + ms, late });
      return late.signal;
    },
  };

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
    const answer = typeof next === "function" ? next(asked) : next;
    if (answer instanceof Error) throw answer;
    return answer === "silence" ? this.#silence(request.signal) : answer;
  };

  /** Nobody has to wait for what will not come: time goes on until this request has had enough. */
  #silence(signal: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      const end = () => reject(signal.reason);
      signal.addEventListener("abort", end);
      if (signal.aborted) end();
      while (!signal.aborted && this.#limits.length > 0) this.#reachLimit();
    });
  }

  #reachLimit(): void {
    const [next, ...later] = this.#limits.toSorted((one, other) => one.at - other.at);
    this.#limits = later;
    if (next === undefined) return;
    this.#nowMs = Math.max(this.#nowMs, next.at);
    next.late.abort(new DOMException("The operation timed out.", "TimeoutError"));
  }
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
export const printed = (): Response =>
  shown({ status: "completed", result: { success: true, fiscalId: "7", data: { change: 0 } } });

/** What a till has printed. */
export const SALE: Order<"print_receipt"> = {
  key: "till1-sale-1",
  deviceId: "dev_1",
  type: "print_receipt",
  payload: {
    items: [{ name: "Coffee", quantity: 2, price: 1.5, vatGroup: "VAT2" }],
    payments: [{ method: "cash", amount: 3 }],
  },
};
