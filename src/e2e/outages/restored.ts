/** What the tests of states that are put back have in common, in whichever way they are. */

import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
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

/** A printer of each family. */
export const FAMILIES = [
  { driver: "vendorA.isl", model: "x" },
  { driver: "vendorE.zfp", model: "v1" },
  { driver: "vendorF.shtrih", model: "fr-k" },
  { driver: "custom.serial", model: "gen3" },
] as const;

/** A till sells under a key, which it uses for this printer alone. */
export function sellKeyed(
  world: World,
  key: string,
): Promise<Answer<{ readonly command: ShownCommand }>> {
  return world.till.call("POST", "/commands", {
    body: { deviceId: world.deviceId, type: SALE.type, payload: SALE.payload },
    headers: { "Idempotency-Key": `${key}-at-${world.printer.number}` },
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

const STATE = ["state"] as const;
/** Both places of the count of starts: the state directory, and the folder beside it. */
const DISK = [...STATE, "state-starts"] as const;

/** Stops the gateway and starts it again, with something done in between. */
export async function meanwhile(
  world: World,
  act: () => Promise<unknown>,
  settings: readonly string[] = [],
): Promise<void> {
  await world.killGateway();
  await act();
  await world.restartGateway(settings);
}

/** Makes an image of the whole disk. */
export const image = (world: World) => () => keep(world, { names: DISK, as: "image" });

/** Puts the image back: the count of starts goes back with it. */
export const putBack = (world: World) => () => bringBack(world, { names: DISK, as: "image" });

/** Copies the state directory alone, as a backup has it. */
export const copyState = (world: World) => () => keep(world, { names: STATE, as: "copy" });

/** Puts the copy back: the count of starts beside it tells that it is an older one. */
export const putStateBack = (world: World) => () => bringBack(world, { names: STATE, as: "copy" });

interface Kept {
  readonly names: readonly string[];
  readonly as: string;
}

/** Once, for all who are tried at that gateway. */
function keep({ premises }: World, { names, as }: Kept): Promise<void> {
  const { folder } = premises;
  return premises.meeting.together(`keep ${as}`, () =>
    each(names, (name) =>
      cp(join(folder, name), join(folder, `${as}-${name}`), { recursive: true }),
    ),
  );
}

function bringBack({ premises }: World, { names, as }: Kept): Promise<void> {
  const { folder } = premises;
  return premises.meeting.together(`bring ${as} back`, () =>
    each(names, async (name) => {
      await rm(join(folder, name), { recursive: true });
      await cp(join(folder, `${as}-${name}`), join(folder, name), { recursive: true });
    }),
  );
}

async function each(names: readonly string[], act: (name: string) => Promise<void>): Promise<void> {
  for (const name of names) await act(name);
}

interface Alert {
  readonly type: string;
  readonly message: string;
  readonly documents?: number;
  readonly since?: string;
}

/** What an owner is told of documents that nobody here knows; undefined where that is nothing. */
export async function told({ gateway, ownerToken, deviceId }: World): Promise<Alert | undefined> {
  const owner = new ApiClient(gateway.url, ownerToken);
  const { body } = await owner.call<{ alerts: Alert[] }>("GET", `/devices/${deviceId}/alerts`);
  return body.alerts.find(({ type }) => type === "documents_unknown");
}
