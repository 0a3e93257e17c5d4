/** `fiscald device`: registered devices, for the person at the box. */

import { Command, Option } from "commander";
import { boxPrincipal } from "#core/access.ts";
import { MANAGED_BY, TRANSPORTS } from "#core/device/device.ts";
import { DRIVER_IDS } from "#core/driver-id.ts";
import { listSerialPorts } from "#drivers/transport/serial-ports.ts";
import { CreateDeviceBody } from "../modules/devices/schema.ts";
import { addressText } from "./address-text.ts";
import {
  type BoxOptions,
  boxCommand,
  checked,
  deviceCalled,
  organizationId,
  printRecords,
  withBox,
} from "./box.ts";
import { acceptCommand, acceptPrinterCommand } from "./device-accept.ts";
import { doAtDevice } from "./device-deed.ts";
import { deviceServiceOf } from "./device-service.ts";
import { type DeviceWish, knownLocations, readDeviceWish } from "./device-wish.ts";
import { endedUnknown, tellEnded, unfinishedAt } from "./ended-unknown.ts";
import { printJson, printLine } from "./output.ts";
import { addSettings } from "./settings-options.ts";
import { ADDRESS_FORMS } from "./typed-address.ts";

interface AddOptions extends BoxOptions, DeviceWish {
  readonly managedBy?: string;
}

export function deviceCommand(): Command {
  return new Command("device")
    .description("manage registered devices, at the box")
    .addCommand(listCommand())
    .addCommand(addCommand())
    .addCommand(removeCommand())
    .addCommand(acceptCommand())
    .addCommand(acceptPrinterCommand())
    .addCommand(portsCommand());
}

/** Needs no state directory: it tells of the machine alone. */
function portsCommand(): Command {
  const command = new Command("ports")
    .description("list the serial ports of this machine and what is plugged into them")
    .option("--json", "print JSON");
  // Taken as all commands here take it, which are typed one after another.
  return addSettings(command, ["state.dir"]).action((options: { readonly json?: true }) => {
    printRecords(listSerialPorts(), options, {
      PORT: (port) => port.byId ?? port.path,
      PATH: (port) => port.path,
      USB: ({ vendorId, productId }) => (vendorId === null ? null : `${vendorId}:${productId}`),
      SERIAL: (port) => port.serialNumber,
      PRODUCT: (port) => port.product ?? port.manufacturer,
    });
  });
}

function listCommand(): Command {
  const command = boxCommand("list", "list devices with their status as last stored");
  return command.action((options: BoxOptions) =>
    withBox(command, (box) => {
      // Whether a device is online is known to the gateway alone.
      const devices = deviceServiceOf(box)
        .list(organizationId(box, options.org), {})
        .map(({ effectiveStatus: _live, ...stored }) => stored);
      printRecords(devices, options, {
        ID: (device) => device.id,
        NAME: (device) => device.name,
        DRIVER: (device) => device.driver,
        CONNECTION: addressText,
        LOCATION: (device) => device.locationId,
        STATUS: (device) => device.status,
        SERIAL: (device) => device.serialNumber,
      });
    }),
  );
}

function addCommand(): Command {
  const command = boxCommand("add", "register a device; a running gateway notices by itself")
    .option("--name <NAME>", "name of the device")
    .addOption(new Option("--driver <ID>", "driver").choices(DRIVER_IDS))
    .option("--address <ADDRESS>", ADDRESS_FORMS)
    .option("--host <HOST>", "tcp: host name or address, instead of --address")
    .option("--port <PORT>", "tcp: port, beside --host")
    .addOption(
      new Option("--transport <KIND>", "follows from the address when left out").choices(
        TRANSPORTS,
      ),
    )
    .option("--location <ID>", "where it stands (default: the only place the shop has)")
    .option("--profile <ID>", "custom.serial: profile of the device; found out when left out")
    .addOption(new Option("--managed-by <WHO>", "who reaches the device").choices(MANAGED_BY));
  return command.action((options: AddOptions) =>
    withBox(command, async (box) => {
      const principal = boxPrincipal(organizationId(box, options.org));
      const { managedBy } = options;
      const wanted = readDeviceWish(options, knownLocations(box.stores, principal.orgId));
      const service = deviceServiceOf(box);
      service.requireRoom(principal.orgId);
      const device = await service.create(
        principal,
        checked(CreateDeviceBody, { ...wanted, ...(managedBy === undefined ? {} : { managedBy }) }),
      );
      if (options.json === true) printJson(device);
      else printLine(device.id);
    }),
  );
}

function removeCommand(): Command {
  const command = boxCommand("remove", "remove a device and fail its unfinished commands").argument(
    "<device>",
    "its id or name",
  );
  return command.action((called: string, options: BoxOptions) =>
    withBox(command, async (box) => {
      const orgId = organizationId(box, options.org);
      const { id: deviceId } = deviceCalled(box, orgId, called);
      const unfinished = unfinishedAt(box, deviceId);
      await doAtDevice({ line: command, box }, { deed: "remove", orgId, deviceId });
      const ended = endedUnknown(box, unfinished);
      if (options.json === true) {
        printJson({ id: deviceId, removed: true, ended });
        return;
      }
      printLine(`removed ${deviceId}`);
      tellEnded(command, ended, { why: "each may be on its paper" });
    }),
  );
}
