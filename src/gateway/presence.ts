/** What is kept of a controller that connects, for when it is not connected. */

import { toDeviceText } from "#core/device-text.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import type { Log } from "../platform/log.ts";
import type { ControllerSession } from "./sessions.ts";

export interface PresenceOptions {
  readonly stores: Pick<Stores, "controllers">;
  readonly writer: Writer;
  readonly log: Log;
}

/** Stores what a remote controller said of itself. The built-in one is no organization's. */
export function storePresence(
  { stores, writer, log }: PresenceOptions,
  { identity, connectedAt }: ControllerSession,
): void {
  const { orgId, controllerId, name, locationId } = identity;
  if (orgId === null) return;
  const optional = (text: string | undefined) =>
    text === undefined ? undefined : toDeviceText(text);
  writer
    .run(() =>
      stores.controllers.put(orgId, controllerId, {
        name: optional(name),
        locationId: optional(locationId),
        appVersion: toDeviceText(identity.appVersion),
        deviceModel: toDeviceText(identity.deviceModel),
        osVersion: toDeviceText(identity.osVersion),
        ...{ connectedAt, updatedAt: connectedAt },
      }),
    )
    .catch((error: unknown) => log.error("presence not stored", { controllerId, error }));
}
