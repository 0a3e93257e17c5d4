/** The first printer of a set-up: searched, or named. */

import type { Command } from "commander";
import { boxPrincipal } from "#core/access.ts";
import {
  type DetectionReport,
  type DetectionTarget,
  type DetectionWish,
  type DeviceAddress,
  readDetectionWish,
} from "#core/device/detection.ts";
import { DRIVER_IDS, type DriverId } from "#core/driver-id.ts";
import { ApiError } from "#core/errors.ts";
import { CreateDeviceBody, SimulatedDeviceBody } from "../modules/devices/schema.ts";
import { addressText } from "./address-text.ts";
import type { Asker, Choice } from "./ask.ts";
import { type Box, checked } from "./box.ts";
import { searchDevices } from "./device-search.ts";
import { deviceServiceOf } from "./device-service.ts";
import { LOCATION_USUAL } from "./device-wish.ts";
import { CliFailure, EXIT } from "./exit.ts";
import { folded } from "./fitted.ts";
import { searchAdvice } from "./nothing-found.ts";
import { type Answers, answerTo } from "./setup-answers.ts";
import { ADDRESS_FORMS, readAddress } from "./typed-address.ts";

/** Makers whose devices a driver is for. */
const MAKERS: Readonly<Record<DriverId, string>> = {
  "vendorA.isl": "Datecs",
  "vendorB.isl": "Daisy",
  "vendorC.isl": "Eltrade",
  "vendorD.isl": "Incotex",
  "vendorE.zfp": "Tremol",
  "vendorF.shtrih": "Shtrih-M",
  "custom.serial": "CUSTOM, and devices of its protocol",
};

const NAME_MAX = 255;

/** What asks for a search of the serial ports where an address may stand. */
const SEARCH = "search";

/** A device that may be registered. */
interface Candidate extends DeviceAddress {
  readonly driver: DriverId;
  readonly model?: string | null;
}

/** A printer that the gateway plays itself. */
interface Simulated {
  readonly transport: "simulated";
  readonly driver: DriverId;
  readonly model: string;
}

/** How a person wants to get at the first printer. */
type Way =
  | { readonly kind: "search"; readonly target: DetectionTarget }
  | { readonly kind: "network" | "hand" | "simulated" | "later" };

/** What became of the printer: registered, not wanted now, or not found with the reasons. */
export type PrinterOutcome =
  | { readonly kind: "registered"; readonly deviceId: string }
  | { readonly kind: "left" }
  | { readonly kind: "not_found"; readonly reasons: readonly string[] };

interface Place {
  readonly command: Command;
  readonly box: Box;
  readonly orgId: string;
  readonly answers: Answers;
}

/** @throws ApiError or CliFailure where nobody can be asked again */
export async function setUpPrinter(place: Place): Promise<PrinterOutcome> {
  const { wishes, asker } = place.answers;
  if (wishes.printer === "none") return { kind: "left" };
  if (wishes.printer !== undefined) {
    if (isThere(place, readAddress(wishes.printer))) return { kind: "left" };
    const found = await namedCandidate(place, wishes.printer);
    if (Array.isArray(found)) return { kind: "not_found", reasons: found };
    return register(place, found);
  }
  return asker === undefined ? { kind: "left" } : askForPrinter(place, asker);
}

/** True where the shop has a device: the same set-up, run again, wants no second one. */
function isThere({ box, orgId }: Place, wish: DetectionWish): boolean {
  return box.stores.devices.list(orgId).some(({ transport, connectionParams: params }) => {
    if (transport !== wish.transport) return false;
    if (!("host" in params)) return params.address === wish.address;
    const isSameHost = params.host.toLowerCase() === wish.host?.toLowerCase();
    return isSameHost && (wish.port === undefined || wish.port === params.port);
  });
}

async function askForPrinter(place: Place, asker: Asker): Promise<PrinterOutcome> {
  for (;;) {
    const way = await asker.choice<Way>("The first printer: a number, or its address", WAYS, {
      otherwise: {
        rule: `an address such as 192.168.1.50:3999, a device path, or ${SEARCH}`,
        read: typedWay,
      },
    });
    if (way.kind === "later") return { kind: "left" };
    const candidate = await candidateOf(place, asker, way);
    if (candidate === undefined) continue;
    try {
      return await register(place, candidate);
    } catch (error) {
      // Taken by another device, or not an address at all: the person may try another one.
      if (!(error instanceof ApiError)) throw error;
      asker.say(`  ${error.message}`);
    }
  }
}

const WAYS: readonly [Choice<Way>, ...Choice<Way>[]] = [
  {
    text: "search the serial and USB ports",
    value: { kind: "search", target: { transport: "serial" } },
  },
  { text: "search at an address in the network", value: { kind: "network" } },
  { text: "enter maker and address by hand", value: { kind: "hand" } },
  { text: "a simulated one, to try it without a printer", value: { kind: "simulated" } },
  { text: "later", value: { kind: "later" } },
];

/** At the list of ways a word alone is more likely a mistake than the name of a printer. */
function typedWay(text: string): Way | undefined {
  if (text === "none" || text === "later") return { kind: "later" };
  if (text !== SEARCH && !/[.:/]/.test(text)) return undefined;
  const target = typedTarget(text);
  return target && { kind: "search", target };
}

/** Where to search, as a person types it. */
function typedTarget(text: string): DetectionTarget | undefined {
  return text === SEARCH ? { transport: "serial" } : targetOf(readAddress(text));
}

async function candidateOf(
  place: Place,
  asker: Asker,
  way: Exclude<Way, { readonly kind: "later" }>,
): Promise<Candidate | Simulated | undefined> {
  if (way.kind === "hand" || way.kind === "simulated") {
    const [first, ...rest] = DRIVER_IDS.map((id) => ({ text: `${MAKERS[id]} (${id})`, value: id }));
    if (first === undefined) return undefined;
    const driver = await asker.choice("Its maker", [first, ...rest]);
    if (way.kind === "simulated") {
      return { transport: "simulated", driver, model: "Simulated printer" };
    }
    return asker.text({
      label: `Its address: ${ADDRESS_FORMS}`,
      rule: "an address, such as 192.168.1.50:4999 or /dev/serial/by-id/...",
      read: (text) => wholeAddress(driver, readAddress(text)),
    });
  }
  const target: DetectionTarget =
    way.kind === "search"
      ? way.target
      : await asker.text({
          label: "Its name or number in the network, with its port where you know it",
          rule: "an address, such as 192.168.1.50 or printer.shop:4999",
          read: typedTarget,
        });
  const report = await search(place, { target, drivers: undefined });
  const choices = report.found.map((found): Choice<Candidate | undefined> => {
    const { driver, model, serialNumber } = found;
    const about = [model ?? MAKERS[driver], serialNumber ?? "", addressText(found)];
    return { text: about.filter((part) => part !== "").join(", "), value: found };
  });
  const [first, ...rest] = choices;
  if (first !== undefined) {
    return asker.choice("Found", [first, ...rest, { text: "none of these", value: undefined }]);
  }
  asker.say("No printer was found:");
  for (const reason of reasonsOf(report)) asker.say(`  ${reason}`);
  const advice =
    `${searchAdvice(target)} Or answer with its address in the network, such as ` +
    "192.168.1.50:3999; or take the simulated one meanwhile.";
  for (const line of folded("", advice)) asker.say(line);
  return undefined;
}

/** @throws CliFailure with code 2 when `--printer` leads nowhere, before anything is made */
export function requirePrinterOption(wishes: Answers["wishes"]): void {
  if (wishes.printer !== undefined && wishes.printer !== "none") placeOf(wishes, wishes.printer);
}

/** What `--printer` says: a device as a whole, or where to search. */
function placeOf({ printerDriver }: Answers["wishes"], given: string) {
  const driver = DRIVER_IDS.find((id) => id === printerDriver);
  const wish = given === SEARCH ? { transport: "serial" as const } : readAddress(given);
  const whole = driver && wholeAddress(driver, wish);
  if (whole !== undefined) return { driver, whole };
  const target = targetOf(wish);
  if (target !== undefined) return { driver, target };
  const rule = "search, none, HOST[:PORT], a device path or AA:BB:CC:DD:EE:FF";
  throw new CliFailure(EXIT.usage, `--printer must be ${rule}`);
}

/** The device of `--printer`, else why there is none. */
async function namedCandidate(place: Place, given: string): Promise<Candidate | string[]> {
  const { wishes, asker } = place.answers;
  const { driver, whole, target } = placeOf(wishes, given);
  if (whole !== undefined) return whole;
  const report = await search(place, { target, drivers: driver && [driver] });
  const [only, ...more] = report.found;
  if (only === undefined) return [...reasonsOf(report), searchAdvice(target)];
  if (more.length === 0) return only;
  const choices = more.map((found) => ({ text: addressText(found), value: found }));
  if (asker) return asker.choice("Found", [{ text: addressText(only), value: only }, ...choices]);
  const places = report.found.map(addressText).join(", ");
  return [`Several were found; name one with --printer: ${places}`];
}

async function search(
  { command, answers: { asker } }: Place,
  wanted: { readonly target: DetectionTarget; readonly drivers: readonly DriverId[] | undefined },
): Promise<DetectionReport> {
  const signal = asker?.gaveUp ?? new AbortController().signal;
  return searchDevices(command, { ...wanted, signal });
}

function reasonsOf({ tried }: DetectionReport): string[] {
  if (tried.length === 0) return ["There is no serial port on this machine."];
  return tried.map((address) => `${addressText(address)}: ${address.reason}`);
}

function targetOf(wish: DetectionWish): DetectionTarget | undefined {
  const reading = readDetectionWish(wish);
  return "target" in reading ? reading.target : undefined;
}

/** A device at an address that leaves nothing to search for. */
function wholeAddress(driver: DriverId, wish: DetectionWish): Candidate | undefined {
  const target = targetOf(wish);
  if (target?.transport === "tcp" && target.port !== undefined) {
    const { transport, host, port } = target;
    return { driver, transport, connectionParams: { host, port } };
  }
  if (target === undefined || target.transport === "tcp" || target.address === undefined) {
    return undefined;
  }
  const { transport, address } = target;
  return { driver, transport, connectionParams: { address } };
}

async function register(place: Place, candidate: Candidate | Simulated): Promise<PrinterOutcome> {
  const { box, orgId, answers } = place;
  const { wishes, asker } = answers;
  const { driver, model } = candidate;
  const named = (text: string) => (text !== "" && text.length <= NAME_MAX ? text : undefined);
  const rule = `a name of 1 to ${NAME_MAX} characters`;
  const name = await answerTo(
    asker,
    { label: "What to call it", initial: model || "Printer", rule, read: named },
    { flag: "--printer-name", given: wishes.printerName },
  );
  const locationId = await answerTo(
    asker,
    { label: "Where it stands", initial: LOCATION_USUAL, rule, read: named },
    { flag: "--location", given: wishes.location },
  );
  const service = deviceServiceOf(box);
  const principal = boxPrincipal(orgId);
  if (candidate.transport === "simulated") {
    const body = checked(SimulatedDeviceBody, { name, driver, locationId });
    return { kind: "registered", deviceId: (await service.createSimulated(principal, body)).id };
  }
  service.requireRoom(orgId);
  const { transport, connectionParams } = candidate;
  const body = checked(CreateDeviceBody, { name, driver, transport, locationId, connectionParams });
  const { id } = await service.create(principal, body);
  return { kind: "registered", deviceId: id };
}
