/** What `fiscald doctor` looks at of the printers: lines, permissions, and what the gateway knows. */

import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import type { Command } from "commander";
import { ALERT_TYPES, isAlertType } from "#core/device/alerts.ts";
import type { SerialPortInfo } from "#core/device/serial-port.ts";
import { listSerialPorts } from "#drivers/transport/serial-ports.ts";
import { openTcp } from "#drivers/transport/tcp.ts";
import { systemClock } from "../platform/clock.ts";
import { isClockKept } from "../platform/kernel-clock.ts";
import { userName } from "../platform/user-name.ts";
import { addressText } from "./address-text.ts";
import { linesFor } from "./alert-lines.ts";
import type { Box } from "./box.ts";
import { clockFinding, error, type Finding, ok, warning } from "./doctor-findings.ts";
import { localTime } from "./local-time.ts";
import type { GatewayPresence } from "./running-gateway.ts";
import { nextLine } from "./settings-options.ts";
import { type AlertView, type DeviceView, viewShop } from "./shop-view.ts";

/** A system takes three seconds to find out that nobody has an address of its network. */
const CONNECT_LIMIT_MS = 3_500;
const GROUPS_FILE = "/etc/group";
/** A file's group may read and write it. */
const GROUP_MAY = 0o060;

/**
 * The serial ports of the machine, and whether this user may open them. In a container the kernel lists
 * those of the machine around it too: nothing is to be done about a port that was not let in, and where a
 * printer is at one, its own line tells.
 */
export function lookAtSerialPorts(
  ports: readonly Pick<SerialPortInfo, "path" | "byId">[] = listSerialPorts(),
): Finding[] {
  const here = ports.filter(({ path }) => existsSync(path));
  return here.flatMap(({ path, byId }) => {
    const fault = serialFault(path);
    return fault === undefined ? [ok("Serial port", byId ?? path)] : [fault];
  });
}

/**
 * What keeps the user who looks from a serial port; undefined when nothing does.
 * @param mayOpen whether the system lets that user
 */
export function serialFault(
  path: string,
  mayOpen: (path: string) => boolean = isOpenToUs,
): Finding | undefined {
  if (!existsSync(path)) {
    return error(
      "Serial port",
      `${path} is not there`,
      "plug it in; lasting names are in /dev/serial/by-id",
    );
  }
  if (mayOpen(path)) return undefined;
  const username = userName();
  const group = openingGroup(path);
  const cure =
    group === undefined
      ? `give it to a group by a udev rule (GROUP="dialout", MODE="0660"), and ${username} to that group`
      : `usermod -aG ${group} ${username}`;
  const fault = `${username} may not open ${path}`;
  return error("Serial port", fault, `${cure}; then start the gateway anew`);
}

/** The group that may open it, but for root's own, to which nobody else is to belong; undefined for none. */
function openingGroup(path: string): string | undefined {
  const { gid, mode } = statSync(path);
  if (gid === 0 || (mode & GROUP_MAY) !== GROUP_MAY) return undefined;
  const lines = existsSync(GROUPS_FILE) ? readFileSync(GROUPS_FILE, "utf8").split("\n") : [];
  const entry = lines.map((line) => line.split(":")).find(([, , id]) => id === String(gid));
  return entry?.[0] ?? String(gid);
}

function isOpenToUs(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Every printer of every shop: by the running gateway, else by trying the line alone. */
export async function lookAtPrinters({
  command,
  box,
  gateway,
}: {
  command: Command;
  box: Box;
  gateway: GatewayPresence;
}): Promise<Finding[]> {
  const shops = box.stores.organizations.list();
  if (shops.length === 0) {
    return [warning("Shop", "nobody has set it up yet", nextLine(command, "setup"))];
  }
  const found: Finding[] = [];
  for (const shop of shops) {
    const { devices } = await viewShop({ command, box, gateway }, shop);
    if (devices.length === 0) {
      found.push(warning("Printer", `${shop.name} has none yet`, nextLine(command, "setup")));
    }
    for (const device of devices) {
      const isHere = box.stores.devices.get(shop.id, device.id)?.managedBy === "builtin";
      if (gateway.kind === "running") found.push(...alertsOf(command, box, device));
      else if (isHere) found.push(await lineOf({ command, box }, shop.id, device));
    }
  }
  return found;
}

function alertsOf(command: Command, box: Box, device: DeviceView): Finding[] {
  const standing = device.alerts.filter(({ severity }) => severity !== "info");
  if (standing.length > 0)
    return standing.map((one) => alertFinding({ command, box, device }, one));
  if (device.link === "up") return [ok("Printer", `${device.name} answers`)];
  if (device.link === "asked") return [ok("Printer", `${device.name} is being asked`)];
  const [first] = device.alerts;
  if (first !== undefined) return [alertFinding({ command, box, device }, first)];
  const cure = lineCure(command, box, device.id);
  return [warning("Printer", `${device.name}: ${device.reason ?? "it is out of reach"}`, cure)];
}

function alertFinding(
  { command, box, device }: { command: Command; box: Box; device: DeviceView },
  alert: AlertView,
): Finding {
  const { type, severity, message } = alert;
  // A gateway of another version may know more types.
  const words = isAlertType(type) ? ALERT_TYPES[type] : undefined;
  const isApart = type === "device_disconnected";
  const reason = isApart || type === "other_printer" ? device.reason : undefined;
  const text = `${device.name}: ${reason ?? words?.matter ?? message}`;
  const cures = [
    isApart ? lineCure(command, box, device.id) : words?.cure,
    ...linesFor(command, alert),
  ];
  const known = cures.filter((one) => one !== undefined).join("; ") || nextLine(command, "status");
  const here = { now: systemClock.now(), isKept: isClockKept() };
  const cure = type === "clock_drift" ? driftCure(known, here) : known;
  return severity === "error" ? error("Printer", text, cure) : warning("Printer", text, cure);
}

/**
 * What to do about a printer's clock that differs from this machine's: set by one that is wrong itself,
 * it would be wrong too.
 * @param setting what sets it right by this machine's
 * @param clock this machine's, as `clockFinding` takes it
 */
export function driftCure(setting: string, clock: Parameters<typeof clockFinding>[0]): string {
  if (clockFinding(clock).state !== "ok") {
    return `first see to this machine's clock, with which it is compared; then ${setting}`;
  }
  if (clock.isKept === true) return setting;
  // As in a container: a person sees what no look can tell.
  const shown = localTime(clock.now, clock.timezone ?? "UTC");
  return `where this machine's clock is right, with which it is compared and which shows ${shown}: ${setting}`;
}

/** What to do about a printer that is out of reach. */
function lineCure(command: Command, { stores }: Box, deviceId: string): string {
  const device = stores.devices.find(deviceId);
  if (device?.managedBy === "remote") {
    return (
      `it is served by the controller ${device.controllerId ?? "beside it, which has to announce it"}: ` +
      "there, switch the printer on and check its cable, and see that the controller runs and " +
      "reaches this machine (systemctl status fiscald-controller)"
    );
  }
  const params: Readonly<Record<string, unknown>> = { ...device?.connectionParams };
  const check = "switch it on, and check its";
  if (typeof params.host === "string") {
    const search = nextLine(command, "detect", "--host", params.host);
    return `${check} network cable and address: ${search} looks at its other ports`;
  }
  if (device?.transport === "bluetooth") return `${check} pairing with this machine`;
  return `${check} cable: ${nextLine(command, "device", "ports")} shows what is plugged in`;
}

/** Nothing is sent: whether it is a printer of that kind only the gateway finds out. */
async function lineOf(
  { command, box }: { command: Command; box: Box },
  orgId: string,
  view: DeviceView,
): Promise<Finding> {
  const device = box.stores.devices.get(orgId, view.id);
  const address = device === undefined ? "" : addressText(device);
  const params: Readonly<Record<string, unknown>> = { ...device?.connectionParams };
  const { host, port, address: serialPort } = params;
  if (typeof serialPort === "string" && device?.transport === "serial") {
    const [path = ""] = serialPort.split("?");
    const fault = serialFault(path);
    return fault === undefined
      ? ok("Printer", `${view.name}: ${path} can be opened`)
      : { ...fault, about: "Printer", text: `${view.name}: ${fault.text}` };
  }
  if (typeof host !== "string" || typeof port !== "number")
    return ok("Printer", `${view.name}: ${address} not tried`);
  const setTimer = systemClock.setTimer.bind(systemClock);
  const options = { setTimer, connectTimeoutMs: CONNECT_LIMIT_MS, isKnown: true };
  return openTcp({ host, port }, options).then(
    (line) => {
      line.close();
      return ok("Printer", `${view.name}: ${address} takes connections`);
    },
    (fault: Error) =>
      error("Printer", `${view.name}: ${fault.message}`, lineCure(command, box, view.id)),
  );
}
