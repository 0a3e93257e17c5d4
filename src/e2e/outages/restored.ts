/** What the tests of states that are put back have in common, in whichever way they are. */

import { SALE } from "../crash/documents.ts";
import { type Answer, ApiClient, type ShownCommand } from "../harness/gateway.ts";
import type { World } from "../harness/world.ts";

/** A printer of each way in which devices tell what they printed last. */
export const MODELS = [
  { driver: "vendorA.isl", model: "x" },
  { driver: "vendorA.isl", model: "p" },
  { driver: "vendorE.zfp" },
  { driver: "vendorF.shtrih" },
  { driver: "custom.serial" },
] as const;

/** A till sells under a key. */
export function sellKeyed(
  world: World,
  key: string,
): Promise<Answer<{ readonly command: ShownCommand }>> {
  return world.till.call("POST", "/commands", {
    body: { deviceId: world.deviceId, type: SALE.type, payload: SALE.payload },
    headers: { "Idempotency-Key": key },
  });
}

/** How many receipts are in the printer's books. */
export async function receiptsOf({ printer }: World): Promise<number> {
  return (await printer.books()).receiptCount;
}

/** The owner of the shop accepts the state. */
export function accept({ gateway, ownerToken, deviceId }: World): Promise<Answer<unknown>> {
  return new ApiClient(gateway.url, ownerToken).call("POST", `/devices/${deviceId}/accept-state`);
}
