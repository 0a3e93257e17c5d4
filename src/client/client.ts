// SPDX-License-Identifier: Apache-2.0
/** The client: every route typed, and printing so that nothing is printed twice. */

import createApi, { type Client as Api } from "openapi-fetch";
import type { paths } from "./api-types.ts";
import {
  type Command,
  FISCAL_TYPES,
  type FiscalType,
  isFinal,
  type Order,
  type Reversal,
} from "./commands.ts";
import { answer, requireJson } from "./gateway-error.ts";
import { type Login, type Send, sendAs } from "./login.ts";
import { behindOrder } from "./of-order.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import {
  ANSWER_SECONDS,
  limited,
  type Patience,
  REAL_TIMING,
  type Timing,
  untilAnswered,
} from "./repeat.ts";
import { commandOf, createSubmitting } from "./submit.ts";

/** Longer than the gateway lets a command wait for its device, which is 180 s. */
const PATIENCE_SECONDS = 240;
/** A proxy in front may cut what is silent for a minute. */
const WAIT_SECONDS = 30;
/** Before the next question where the gateway answers sooner than it was asked to. */
const EARLY_PAUSE_MS = 500;

/** Several values of a parameter have commas between them, as the API's document says. */
const COMMAS = { array: { style: "form", explode: false } } as const;

/** Where the gateway is, and who asks. */
export type ClientOptions = {
  /** As `http://192.168.1.20:8080`; empty in a page that the gateway itself has served. */
  readonly url: string;
  /** Sends requests in place of `fetch`: for a private authority, a proxy, a test. */
  readonly fetch?: Send;
  /** For tests. */
  readonly timing?: Timing;
} & (
  | { readonly apiKey: string; readonly login?: never }
  | { readonly login: Login; readonly apiKey?: never }
  | { readonly apiKey?: never; readonly login?: never }
);

/** How long to wait. */
export interface WaitOptions {
  /** 240 unless given. */
  readonly patienceSeconds?: number;
  /** Ends the waiting, not what was submitted. */
  readonly signal?: AbortSignal;
}

export interface Client {
  /** Every route with its types; each call is one request, see `answer`. */
  readonly api: Api<paths>;

  /**
   * Prints a document, moves cash or closes the day, and waits for what became of it. What gets
   * lost on the way is sent again under the same key. A till that was interrupted, or that is told
   * `under_way`, calls it again with the same order: nothing happens twice.
   * @throws GatewayError when it was refused, or not answered to the end of the patience; one with
   *   `mayBeQueued` leaves open whether it was queued, and the same order asks again
   * @throws TypeError for a type that has no such outcome, or a patience that is no number, before
   *   anything is sent
   */
  print<Type extends FiscalType>(order: Order<Type>, options?: WaitOptions): Promise<Outcome<Type>>;

  /** Queues a command of any type, once for its key. @throws GatewayError as `print` */
  submit(order: Order, options?: WaitOptions): Promise<Command>;

  /**
   * Queues the storno of a sale that the gateway has, or of a part of it, once for its key.
   * @throws GatewayError as `print`
   */
  reverse(reversal: Reversal, options?: WaitOptions): Promise<Command>;

  /** Waits until a command is final. @returns it as it is then, or at the end of the patience */
  wait(commandId: string, options?: WaitOptions): Promise<Command>;
}

/** @throws TypeError when the URL is none */
export function createClient(options: ClientOptions): Client {
  const { url, timing = REAL_TIMING } = options;
  if (url !== "") new URL(url);
  const fetch = senderOf(options, timing);
  const api = createApi<paths>({ baseUrl: url, redirect: "error", fetch, querySerializer: COMMAS });
  api.use({ onResponse: ({ response, options: { parseAs } }) => requireJson(response, parseAs) });

  const begin = ({ patienceSeconds = PATIENCE_SECONDS, signal }: WaitOptions = {}): Patience => {
    const endsAt = timing.now() + patienceSeconds * 1_000;
    // As of a setting that is not there: it would be found out when the sale is on its way.
    if (Number.isNaN(endsAt)) {
      throw new TypeError(`patienceSeconds has to be a number, and is ${patienceSeconds}`);
    }
    return { endsAt, signal };
  };

  const within = (seconds: number, patience: Patience): AbortSignal =>
    limited(seconds, patience, timing);
  const { submit, reverse } = createSubmitting(api, timing);

  const wait = async (commandId: string, patience: Patience): Promise<Command> => {
    for (;;) {
      const askedAt = timing.now();
      const leftSeconds = Math.max(0, Math.ceil((patience.endsAt - askedAt) / 1_000));
      const waitSeconds = Math.min(WAIT_SECONDS, leftSeconds);
      const params = { path: { commandId }, query: { wait: waitSeconds } };
      const command = await untilAnswered(
        async () => {
          const signal = within(waitSeconds + ANSWER_SECONDS, patience);
          const call = api.GET("/api/v1/commands/{commandId}", { params, signal });
          return commandOf(await answer(call));
        },
        patience,
        timing,
      );
      const now = timing.now();
      if (isFinal(command) || now >= patience.endsAt) return command;
      const isEarly = now - askedAt < waitSeconds * 1_000;
      if (isEarly) await timing.sleep(EARLY_PAUSE_MS, patience.signal);
    }
  };

  return {
    api,
    submit: async (order, waiting) => submit(order, begin(waiting)),
    reverse: async (reversal, waiting) => reverse(reversal, begin(waiting)),
    wait: async (commandId, waiting) => wait(commandId, begin(waiting)),
    async print(order, waiting) {
      requireFiscal(order.type);
      const patience = begin(waiting);
      const { id } = await submit(order, patience);
      return outcomeOf(await behindOrder(id, wait(id, patience)));
    },
  };
}

/** Of JavaScript it may be any: of those that print nothing, "printed" would be no true word. */
function requireFiscal(type: string): void {
  const known: readonly string[] = FISCAL_TYPES;
  if (known.includes(type)) return;
  throw new TypeError(`print takes ${FISCAL_TYPES.join(", ")}: ${type} goes by submit and wait`);
}

/** Sends with the credential. */
function senderOf({ url, apiKey, login, fetch: given }: ClientOptions, timing: Timing): Send {
  const send: Send = given ?? ((request) => fetch(request));
  if (login !== undefined) {
    const api = createApi<paths>({ baseUrl: url, redirect: "error", fetch: send });
    return sendAs(login, { api, send, timing });
  }
  if (apiKey === undefined) return send;
  return (request) => {
    request.headers.set("X-Api-Key", apiKey);
    return send(request);
  };
}
