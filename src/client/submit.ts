// SPDX-License-Identifier: Apache-2.0
/** Queuing commands, each once for its key. */

import type { Client as Api } from "openapi-fetch";
import type { paths } from "./api-types.ts";
import type { Command, Order, Reversal } from "./commands.ts";
import { answered, bodyOf, GatewayError, whole } from "./gateway-error.ts";
import { triesOf } from "./of-order.ts";
import { ANSWER_SECONDS, limited, type Patience, type Timing, untilAnswered } from "./repeat.ts";

/** What the gateway takes for a key; without one nothing tells a repeat from a second sale. */
export const KEY_PATTERN = "^[a-zA-Z0-9_-]{1,128}$";

const KEY = new RegExp(KEY_PATTERN);

/** Asks until there is an answer, under the same key. Each @throws GatewayError KEY_INVALID first */
export function createSubmitting(api: Api<paths>, timing: Timing) {
  const repeated = (
    patience: Patience,
    ask: (signal: AbortSignal) => Promise<Command>,
  ): Promise<Command> =>
    untilAnswered(
      triesOf(() => ask(limited(ANSWER_SECONDS, patience, timing))),
      patience,
      timing,
    );
  return {
    async submit({ key, ...body }: Order, patience: Patience): Promise<Command> {
      requireKey(key);
      return repeated(patience, async (signal) => {
        const params = { header: { "Idempotency-Key": key } };
        const reply = await answered(api.POST("/api/v1/commands", { params, body, signal }));
        requireOwnAnswer(key, reply.response);
        return commandOf(bodyOf(reply));
      });
    },

    async reverse({ key, receiptId, ...body }: Reversal, patience: Patience): Promise<Command> {
      requireKey(key);
      return repeated(patience, async (signal) => {
        const params = { path: { receiptId }, header: { "Idempotency-Key": key } };
        const reply = await answered(
          api.POST("/api/v1/receipts/{receiptId}/storno", { params, body, signal }),
        );
        requireOwnAnswer(key, reply.response);
        return commandOf(bodyOf(reply));
      });
    },
  };
}

/** @throws GatewayError UNREADABLE where what came back has none */
export function commandOf(body: { readonly command: Command } | undefined): Command {
  return whole(body?.command, ["id", "status"]);
}

/** Of JavaScript, or of a variable that was not set, it may be anything. */
function requireKey(key: unknown): void {
  if (typeof key === "string" && KEY.test(key)) return;
  const said = typeof key === "string" ? JSON.stringify(key) : String(key);
  const message = `The key has to be 1 to 128 of A-Z, a-z, 0-9, _ and -, and is ${said}: nothing was sent`;
  throw new GatewayError({ code: "KEY_INVALID", message });
}

/** The gateway answers a used key with what it was used for, whatever is asked now. */
function requireOwnAnswer(key: string, response: Response): void {
  if (response.headers.get("Idempotency-Body-Mismatch") !== "true") return;
  const message = `The key ${key} was used for something else within 24 hours: this was not queued`;
  throw new GatewayError({ code: "KEY_REUSED", message, response });
}
