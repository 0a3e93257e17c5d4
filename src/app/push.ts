/** Waking controllers that are not connected, where a relay is configured. */

import { createRelay } from "../push/relay.ts";
import { startWakeUps, type WakeUps, type WakeUpsOptions } from "../push/wake-ups.ts";
import { VERSION } from "../version.ts";
import type { Foundation } from "./parts.ts";

const MESSAGE_ID_BYTES = 16;

/** @returns undefined where no relay is configured */
export function startPush(
  foundation: Foundation,
  live: Pick<WakeUpsOptions, "isConnected" | "waiting" | "woken">,
): WakeUps | undefined {
  const { config, random } = foundation;
  const url = config["push.relayUrl"];
  if (url === "") return undefined;
  const send = createRelay({
    ...{ url, key: config["push.relayKey"], clock: foundation.clock, version: VERSION },
    messageId: () => `wake_${random.hex(MESSAGE_ID_BYTES)}`,
  });
  return startWakeUps({ ...foundation, ...live, send });
}
