/**
 * One thing that a till wants done on a device, until it is done: submitted under an idempotency
 * key, asked for again where the gateway was away, and submitted anew exactly where nothing was
 * done. Where the device could not tell, a person looks at it and says what is true.
 */

import { isFinal, type ShownCommand } from "../harness/gateway.ts";
import type { Shop } from "./shop.ts";
import type { ShopDevice } from "./shop-device.ts";

export interface Errand {
  readonly device: ShopDevice;
  readonly type: string;
  readonly payload: object;
  /** Unique among the errands of the day. */
  readonly key: string;
  /**
   * Looks at the device for what the errand leaves there when it is done, once it is in doubt.
   * @returns the fiscal id of the document, "done" for what has none, undefined when not done
   */
  look(): string | undefined;
}

/** How an errand ended: it was done, once. */
export interface Done {
  readonly command: ShownCommand;
  /** Number of the document, as the gateway or the person tells it; null for what has none. */
  readonly fiscalId: string | null;
  /** Submissions that it took. */
  readonly submissions: number;
  /** A person told that it was done. */
  readonly wasLookedUp: boolean;
}

/** More than any errand of the day takes; a till that needs more has met a defect. */
const SUBMISSIONS_MAX = 60;
const FIRST_LOOK_MS = 250;
const LOOK_MS_MAX = 8_000;
/** What goes by before somebody tries again what was not printed. */
const PATIENCE_MS = 20_000;

/** Runs an errand until it is done. @throws Error when it ends in a way that it may not */
export async function runErrand(shop: Shop, errand: Errand): Promise<Done> {
  let command: ShownCommand | undefined;
  for (let submissions = 1; submissions <= SUBMISSIONS_MAX; submissions++) {
    command = await final(shop, await submit(shop, errand, submissions));
    const { status, result } = command;
    const outcome = result?.data?.outcome;
    if (status === "completed") {
      const fiscalId = result?.fiscalId ?? null;
      return { command, fiscalId, submissions, wasLookedUp: false };
    }
    if (outcome === "unknown") {
      const found = await tellWhatIsTrue(shop, errand, command);
      if (found !== undefined) {
        const fiscalId = found === "done" ? null : found;
        return { command, fiscalId, submissions, wasLookedUp: true };
      }
    } else if (outcome !== undefined && outcome !== "not_printed") {
      throw new Error(`${errand.key} ended as ${JSON.stringify(command)}`);
    }
    await shop.time.sleep(PATIENCE_MS);
  }
  throw new Error(`not done in ${SUBMISSIONS_MAX} submissions: ${JSON.stringify(command)}`);
}

async function submit(shop: Shop, errand: Errand, submission: number): Promise<string> {
  const { device, type, payload, key } = errand;
  const { status, body } = await shop.ask((client) =>
    client.call<{ command: ShownCommand }>("POST", "/commands", {
      body: { deviceId: device.id, type, payload },
      headers: { "idempotency-key": `${key}-${submission}` },
    }),
  );
  if (status !== 202) throw new Error(`${key}: ${status} ${JSON.stringify(body)}`);
  return body.command.id;
}

/** Looks again and again, less and less often: a wait that the server holds would hold the clock. */
async function final(shop: Shop, commandId: string): Promise<ShownCommand> {
  for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(2 * waitMs, LOOK_MS_MAX)) {
    await shop.time.sleep(waitMs);
    const { command } = await shop.ask((client) =>
      client.expect<{ command: ShownCommand }>("GET", `/commands/${commandId}`),
    );
    if (isFinal(command)) return command;
  }
}

/** The person at the device loads paper and closes the cover, looks, and says what is true. */
async function tellWhatIsTrue(shop: Shop, errand: Errand, command: ShownCommand) {
  await errand.device.mend();
  const found = errand.look();
  // The device is held until somebody says what became of it.
  if (!command.resolution) return found;
  const said =
    found === undefined
      ? { outcome: "not_printed" }
      : { outcome: "printed", ...(found === "done" ? {} : { fiscalId: found }) };
  await shop.ask((client) => client.expect("POST", `/commands/${command.id}/resolve`, said));
  return found;
}
