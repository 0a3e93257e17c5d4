/** The controllers of an organization: who is connected, and what is kept of the others. */

import type { Caller } from "#core/access.ts";
import type { AuditAction } from "#core/audit.ts";
import type { ConnectedController } from "#core/controller/controller.ts";
import { BUILTIN_CONTROLLER_ID } from "#core/device/device.ts";
import { ApiError, noSuch, validationError } from "#core/errors.ts";
import { deviceEvent } from "#core/events.ts";
import { CONTROLLER_ID_PATTERN, ORG_ROWS_MAX } from "#core/limits.ts";
import { requireNotFull } from "#core/org-rows.ts";
import { patternWords } from "#core/patterns.ts";
import type { ControllerChange } from "#db/stores/controllers.ts";
import type { Stores } from "#db/stores/index.ts";
import { letGo } from "#db/stores/out-of-reach.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../../platform/clock.ts";
import { controllerRecord, instanceRecord, knownRecord } from "./records.ts";
import type { PutControllerBody, UpdateControllerBody } from "./schema.ts";

export interface ControllerServiceOptions {
  readonly stores: Pick<Stores, "controllers" | "connectionEvents" | "devices" | "audit">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
  connectedFor(orgId: string): readonly ConnectedController[];
}

export type ControllerService = ReturnType<typeof createControllerService>;

/** Of these a change is noted. */
const NOTED = [
  "name",
  "locationId",
  "appVersion",
  "deviceModel",
  "osVersion",
  "fcmToken",
] as const satisfies readonly (keyof ControllerChange)[];

const ID = new RegExp(CONTROLLER_ID_PATTERN);
/** Names that no app has, each with the reason: those of an address would lead elsewhere. */
const OF_AN_ADDRESS = "It names something else in an address: connect, . and .. are taken";
const TAKEN_NAMES: ReadonlyMap<string, string> = new Map([
  [BUILTIN_CONTROLLER_ID, "This is the name of the built-in controller"],
  ...["connect", ".", ".."].map((name) => [name, OF_AN_ADDRESS] as const),
]);
/** All of that in one sentence. */
export const TAKEN_NAME = "The name is the built-in controller's, or one of connect, . and ..";

/** Makes the service. */
export function createControllerService(options: ControllerServiceOptions) {
  const { stores, writer, clock } = options;
  const { controllers, devices, audit } = stores;

  const existing = (orgId: string, controllerId: string) => {
    const row = controllers.get(orgId, controllerId);
    if (row === undefined) throw noSuch("controller");
    return row;
  };

  /**
   * Writes a change. Apps say at each start what they are: only what is new has an audit entry.
   * @returns the row as it then is
   */
  const put = (
    caller: Caller,
    controllerId: string,
    { action, change }: { readonly action: AuditAction; readonly change: ControllerChange },
  ) =>
    writer.run(() => {
      const { orgId } = caller;
      if (action === "controller.updated") existing(orgId, controllerId);
      const now = clock.now();
      const before = controllers.get(orgId, controllerId);
      if (before === undefined) requireNotFull("controllers", controllers.count(orgId));
      const row = controllers.put(orgId, controllerId, { ...change, updatedAt: now });
      if (before && NOTED.every((field) => before[field] === row[field])) return row;
      const details = { controllerName: row.name, locationId: row.locationId };
      audit.append({ ...caller, at: now, action, resource: controllerId, details });
      return row;
    });

  return {
    /** @throws ApiError NOT_FOUND */
    existing,

    /** What the controller was last called; undefined when it has no name. */
    nameOf: (orgId: string, controllerId: string): string | undefined =>
      controllers.get(orgId, controllerId)?.name ?? undefined,

    /** Those that are connected now, and what is kept of remote ones. */
    list(orgId: string) {
      const connected = options.connectedFor(orgId);
      const served = Map.groupBy(devices.list(orgId), (device) => device.controllerId);
      return {
        instances: connected.map((one) =>
          instanceRecord(one, controllers.get(orgId, one.controllerId)?.name),
        ),
        known: controllers.list(orgId, ORG_ROWS_MAX.controllers).map((row) => {
          const { controllerId } = row;
          return knownRecord(row, {
            connected: connected.some((one) => one.controllerId === controllerId),
            deviceIds: (served.get(controllerId) ?? []).map(({ id }) => id),
          });
        }),
      };
    },

    /**
     * Registers a controller, or says anew what it is; its token, and a name not given, stay.
     * @throws ApiError VALIDATION_ERROR, or CONFLICT for the built-in controller and for a new one where
     * there are as many as there may be
     */
    async register(caller: Caller, controllerId: string, body: PutControllerBody) {
      requireRemote(controllerId);
      const { appVersion = null, deviceModel = null, osVersion = null } = body;
      const change = { ...presenceOf(body), appVersion, deviceModel, osVersion };
      const row = await put(caller, controllerId, {
        action: "controller.registered",
        change: { ...change, connectedAt: change.connectedAt ?? null },
      });
      return controllerRecord(row);
    },

    /** @throws ApiError NOT_FOUND */
    async update(caller: Caller, controllerId: string, body: UpdateControllerBody) {
      const change = presenceOf(body);
      const row = await put(caller, controllerId, { action: "controller.updated", change });
      return controllerRecord(row);
    },

    /**
     * Forgets a controller. Its devices are anybody's who announces them.
     * @throws ApiError NOT_FOUND, or CONFLICT while it is connected: it would only come again
     */
    async remove(caller: Caller, controllerId: string): Promise<void> {
      const { orgId } = caller;
      await writer.run((tx) => {
        const { name, locationId } = existing(orgId, controllerId);
        if (options.connectedFor(orgId).some((one) => one.controllerId === controllerId)) {
          throw new ApiError("CONFLICT", "The controller is connected: stop it first");
        }
        const at = clock.now();
        for (const { id } of devices.list(orgId, { controllerId })) {
          const gone = { at, software: undefined, change: { updatedAt: at } };
          const row = letGo({ stores, tx }, { orgId, id }, gone);
          if (row !== undefined) tx.emit(deviceEvent("device.released", row, controllerId));
        }
        controllers.remove(orgId, controllerId);
        const details = { controllerName: name, locationId };
        const action = "controller.removed";
        audit.append({ ...caller, at, action, resource: controllerId, details });
      });
    },

    /**
     * Keeps the token that wakes a controller, registered or not.
     * @throws ApiError VALIDATION_ERROR, or CONFLICT as of `register`
     */
    async setToken(caller: Caller, controllerId: string, fcmToken: string) {
      requireRemote(controllerId);
      const change = { fcmToken };
      await put(caller, controllerId, { action: "controller.token_registered", change });
      return { controllerId };
    },
  };
}

/** @throws ApiError VALIDATION_ERROR, or CONFLICT for a name that no app has */
export function requireRemote(controllerId: string): void {
  if (!ID.test(controllerId)) {
    const message = `Expected ${patternWords(CONTROLLER_ID_PATTERN)}`;
    throw validationError([{ path: "controllerId", message }]);
  }
  const taken = TAKEN_NAMES.get(controllerId);
  if (taken !== undefined) throw new ApiError("CONFLICT", taken);
}

/** The columns of what a body says. */
function presenceOf({ controllerName, connectedAt, ...rest }: UpdateControllerBody) {
  const { locationId, appVersion, deviceModel, osVersion } = rest;
  const at = connectedAt === undefined ? undefined : Date.parse(connectedAt);
  return {
    ...{ name: controllerName, locationId, appVersion, deviceModel, osVersion },
    connectedAt: at,
  };
}
