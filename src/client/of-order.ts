// SPDX-License-Identifier: Apache-2.0
/** What an error says of an order: whether it may be queued, beyond what the last answer tells. */

import { GatewayError } from "./gateway-error.ts";

/** Of an order, and kept under its key: whatever was sent before, nothing of it is queued. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 404, 422]);

/** True where the gateway itself has said no to what it was asked. */
function isRefusal({ code, status }: GatewayError): boolean {
  return code === "KEY_REUSED" || (code !== "UNREADABLE" && REFUSALS.has(status));
}

/** True where this try may have been taken all the same: nobody knows who has written a page. */
function isUnanswered({ code, isTemporary, status }: GatewayError): boolean {
  return code === "UNREADABLE" || (isTemporary && status !== 429);
}

/** Tries of one order, whose errors say whether any of them may have been taken. */
export function triesOf<T>(attempt: () => Promise<T>): () => Promise<T> {
  let mayBeQueued = false;
  return async () => {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof GatewayError) || isRefusal(error)) throw error;
      if (isUnanswered(error)) {
        mayBeQueued = true;
        throw error.with({ mayBeQueued });
      }
      if (!mayBeQueued) throw error;
      const message = `${error.message}. An earlier try was not answered and may be queued: call again under the same key`;
      throw error.with({ mayBeQueued, message });
    }
  };
}

/** Asks for an order that was queued: no answer to that is one to the order. */
export async function behindOrder<T>(commandId: string, asked: Promise<T>): Promise<T> {
  const mayBeQueued = true;
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (!isRefusal(error)) throw error.with({ commandId, mayBeQueued });
    const message = `The order was queued as ${commandId}, and what became of it is not told: ${error.message}`;
    throw new GatewayError({ code: "NOT_TOLD", message, commandId, mayBeQueued, cause: error });
  }
}
