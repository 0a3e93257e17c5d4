/** What is kept of a controller that connects, for when it is not connected. */

import { toDeviceText } from "#core/device-text.ts";
import { fullText, isFull } from "#core/org-rows.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { ControllerSession } from "./sessions.ts";

export interface PresenceOptions {
  readonly stores: Pick<Stores, "controllers">;
  readonly writer: Writer;
  readonly log: Log;
}

/**
 * Stores what a remote controller said of itself. The built-in one is no organization's. Of a new one
 * beyond those that an organization may have nothing is kept: it prints all the same.
 */
export function storePresence(
  { stores, writer, log }: PresenceOptions,
  { identity, connectedAt }: ControllerSession,
): void {
  const { orgId, controllerId, name, locationId } = identity;
  if (orgId === null) return;
  const optional = (text: string | undefined) =>
    text === undefined ? undefined : toDeviceText(text);
  writer
    .run((tx) => {
      if (isKept(stores, identity) || !isFull("controllers", stores.controllers.count(orgId))) {
        stores.controllers.put(orgId, controllerId, {
          name: optional(name),
          locationId: optional(locationId),
          appVersion: optional(identity.appVersion || undefined),
          deviceModel: optional(identity.deviceModel || undefined),
          osVersion: optional(identity.osVersion || undefined),
          ...{ connectedAt, lastSeenAt: connectedAt, updatedAt: connectedAt },
        });
      } else {
        log.warn("nothing is kept of a controller", { controllerId, why: fullText("controllers") });
      }
      tx.emit({ type: "controller.connected", orgId, controllerId });
    })
    .catch((error: unknown) => log.error("presence not stored", { controllerId, error }));
}

/** A remote controller is gone: that is kept, and whoever follows the events is told. */
export function tellGone(
  { stores, writer, clock, log }: PresenceOptions & { readonly clock: Pick<Clock, "now"> },
  { identity }: ControllerSession,
): void {
  const { orgId, controllerId } = identity;
  if (orgId === null) return;
  const lastSeenAt = clock.now();
  writer
    .run((tx) => {
      if (isKept(stores, identity)) {
        stores.controllers.put(orgId, controllerId, { lastSeenAt, updatedAt: lastSeenAt });
      }
      tx.emit({ type: "controller.disconnected", orgId, controllerId });
    })
    .catch((error: unknown) => log.error("presence not stored", { controllerId, error }));
}

function isKept(
  { controllers }: PresenceOptions["stores"],
  { orgId, controllerId }: ControllerSession["identity"],
): boolean {
  return orgId !== null && controllers.get(orgId, controllerId) !== undefined;
}
