/** Printers that the gateway simulates: made, looked at, and brought faults upon. */

import type { Principal } from "#core/access.ts";
import { isSimulated } from "#core/device/device.ts";
import {
  type PaperFormat,
  PrinterRefusal,
  type SimulatedPrinter,
  type SimulatorPort,
} from "#core/device/simulated.ts";
import { ApiError, validationError } from "#core/errors.ts";
import { errorText } from "../../platform/thrown.ts";
import type { SimulatedDeviceBody } from "../devices/schema.ts";
import type { DeviceService } from "../devices/service.ts";
import { type AskedFault, readFault } from "./fault-schema.ts";

export interface SimulatedServiceOptions {
  readonly devices: DeviceService;
  readonly port: SimulatorPort;
  /** IANA name of the zone in which a device stands. */
  timezoneOf(orgId: string, deviceId: string): string;
}

export type SimulatedService = ReturnType<typeof createSimulatedService>;

/** Makes the service. */
export function createSimulatedService({ devices, port, timezoneOf }: SimulatedServiceOptions) {
  /** @throws ApiError NOT_FOUND, or CONFLICT for a printer that is not simulated */
  const printerOf = (orgId: string, deviceId: string): SimulatedPrinter => {
    const device = devices.existing(orgId, deviceId);
    if (!isSimulated(device)) throw new ApiError("CONFLICT", "The device is not a simulated one");
    const { id, driver, connectionParams } = device;
    return { id, driver, connectionParams, timezone: timezoneOf(orgId, deviceId) };
  };
  return {
    /** Registers one. @throws ApiError CONFLICT when there are as many as there may be */
    create: (principal: Principal, body: SimulatedDeviceBody) =>
      devices.createSimulated(principal, body),

    /** @throws ApiError NOT_FOUND, or CONFLICT for a printer that is not simulated */
    requireSimulated(orgId: string, deviceId: string): void {
      printerOf(orgId, deviceId);
    },

    /**
     * The last documents as a picture or as text.
     * @throws ApiError NOT_FOUND, CONFLICT, SERVICE_UNAVAILABLE
     */
    paper: (
      orgId: string,
      deviceId: string,
      shown: { readonly format: PaperFormat; readonly last: number },
    ): Promise<string> => answered(port.paper(printerOf(orgId, deviceId), shown)),

    /** @throws ApiError NOT_FOUND, CONFLICT, VALIDATION_ERROR, SERVICE_UNAVAILABLE */
    async bringFault(orgId: string, deviceId: string, asked: AskedFault): Promise<void> {
      const printer = printerOf(orgId, deviceId);
      const reading = readFault(asked);
      if ("issues" in reading) throw validationError(reading.issues);
      await answered(port.bringFault(printer, reading.fault));
    },

    /** @throws ApiError NOT_FOUND, CONFLICT, SERVICE_UNAVAILABLE */
    clearFaults: (orgId: string, deviceId: string): Promise<void> =>
      answered(port.clearFaults(printerOf(orgId, deviceId))),
  };
}

/** What the printer answers. @throws ApiError VALIDATION_ERROR, SERVICE_UNAVAILABLE */
async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const words = errorText(error);
    if (error instanceof PrinterRefusal) throw validationError([{ path: "", message: words }]);
    throw new ApiError("SERVICE_UNAVAILABLE", `The simulated printer does not answer: ${words}`);
  }
}
