/** Where a device is and how it is talked to: what may be changed of it, and when. */

import { readConnectionParams } from "#core/device/connection-params.ts";
import { type ConnectionParams, hasAddress, type TransportKind } from "#core/device/device.ts";
import { profileOfModel, SIMULATED_MODELS } from "#core/device/simulated-models.ts";
import { ApiError, validationError } from "#core/errors.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { SimulatedDeviceBody, UpdateDeviceBody } from "./schema.ts";

/** Where a device is and how it is talked to. */
const PLACE_FIELDS = ["driver", "transport", "connectionParams", "managedBy"] as const;
type Place = Partial<
  Pick<Device, (typeof PLACE_FIELDS)[number]> & { readonly transport: TransportKind }
>;

/**
 * What a change says of where a device is; undefined when it says nothing.
 * @throws ApiError VALIDATION_ERROR, or CONFLICT for a simulated printer
 */
export function placeChange(
  device: Device,
  { connectionParams, managedBy, driver, transport }: UpdateDeviceBody,
): Place | undefined {
  const isSaid = [connectionParams, managedBy, driver, transport].some(
    (value) => value !== undefined,
  );
  if (!isSaid) return undefined;
  if (!hasAddress(device)) {
    const message = "A simulated printer stays one: register a printer at an address beside it";
    throw new ApiError("CONFLICT", message);
  }
  // Another transport needs parameters of its own.
  const params = connectionParams ?? (transport === undefined ? undefined : {});
  return {
    ...(managedBy === undefined ? {} : { managedBy }),
    ...(driver === undefined ? {} : { driver }),
    ...(transport === undefined ? {} : { transport }),
    ...(params === undefined
      ? {}
      : { connectionParams: checkedParams(transport ?? device.transport, params) }),
  };
}

/**
 * While the names of an address are looked up, another change may be made. What was checked holds for
 * the place that the device had then: its parameters for the transport, the address for the manager.
 * @param checked undefined when nothing of the place is to change
 * @throws ApiError CONFLICT when the place of `present` is not that of `before` any more
 */
export function requireSamePlace(
  checked: Place | undefined,
  { before, present }: { readonly before: Device; readonly present: Device },
): void {
  const fields = ["transport", "connectionParams", "managedBy"] as const;
  if (checked === undefined) return;
  if (fields.every((field) => Bun.deepEquals(before[field], present[field]))) return;
  const message = "Somebody else has just changed where the device is: look there, then change it";
  throw new ApiError("CONFLICT", message);
}

/**
 * What one driver began no other can settle: it has read other figures before it.
 * @throws ApiError CONFLICT when another driver is to come while a command is at the device
 */
export function requireIdle(
  commands: Pick<Stores["commands"], "isOneOut">,
  device: Device,
  { driver = device.driver }: { readonly driver?: Device["driver"] },
): void {
  if (driver === device.driver || !commands.isOneOut(device.id)) return;
  const message = "A command is at the device: change its driver when that has ended";
  throw new ApiError("CONFLICT", message);
}

/** What the audit log tells of a change, by the name of the field. */
export function changesOf(before: Device, after: Device) {
  const fields = ["name", "locationId", ...PLACE_FIELDS] as const;
  return Object.fromEntries(
    fields
      .filter((field) => !Bun.deepEquals(before[field], after[field]))
      .map((field) => [field, { from: before[field], to: after[field] }]),
  );
}

/** What leads to a device by a transport. @throws ApiError VALIDATION_ERROR */
export function checkedParams(transport: TransportKind, value: unknown): ConnectionParams {
  const reading = readConnectionParams(transport, value, "connectionParams");
  if ("params" in reading) return reading.params;
  throw validationError(reading.issues);
}

/**
 * What the parameters of a simulated printer say of its model.
 * @throws ApiError VALIDATION_ERROR for one that the driver's devices are not simulated as
 */
export function paramsOfModel({
  driver,
  model = SIMULATED_MODELS[driver][0],
}: SimulatedDeviceBody): Pick<ConnectionParams, "model" | "profile"> {
  const models: readonly string[] = SIMULATED_MODELS[driver];
  if (!models.includes(model)) {
    const message = `Expected one of: ${models.join(", ")}`;
    throw validationError([{ path: "model", message }]);
  }
  const profile = profileOfModel(model);
  return { model, ...(profile === undefined ? {} : { profile }) };
}
