/**
 * Finds out which device is at the other end of a line: its generation by the frames it answers,
 * its dialect by the serial number and model it tells. Only reads are sent, and before the device
 * has answered a frame of this protocol only command 90: a line may lead to something else.
 */

import type { DeviceInfo } from "#core/device/device.ts";
import type { DriverEnvironment, Line } from "#core/driver.ts";
import { UnknownDevice } from "#core/errors.ts";
import { decodeText } from "../shared/codepage.ts";
import { unlessRefused } from "../shared/device-fault.ts";
import { FirstWords, namelessDevice } from "../shared/first-words.ts";
import { FrameNumbers } from "../shared/frame-numbers.ts";
import { readClockText } from "./clock-text.ts";
import { IslDevice } from "./device.ts";
import type { IslDialect } from "./dialect.ts";
import type { ResendPolicy } from "./exchange-rules.ts";
import { type Generation, SEQUENCE } from "./frame.ts";
import { tryReadLastPaper } from "./last-receipt.ts";
import { reversalTenders } from "./plan.ts";
import { IslSession } from "./session.ts";
import { readVatRates } from "./vat-table.ts";
import { readZNumber } from "./z-number.ts";

/** What a device says of itself. */
interface Identity {
  readonly model: string;
  readonly firmware: string;
  readonly serial: string;
  readonly memory: string;
}

/** Command 90; a long frame gets its list form with TABs only when the argument ends in one. */
export const INFORMATION = { command: 90, data: { long: "1\t", short: "1" } } as const;
/** Command 123, which Romanian devices answer with their serial numbers. */
export const SERIAL_NUMBERS = { command: 123, data: "1" } as const;
/** A field with a Bulgarian serial number: two letters for the maker, six digits. */
const SERIAL_NUMBER = /(^|[,\t])[A-Z]{2}\d{6}([,\t]|$)/;

/** Each generation is asked twice, the second time patiently: the device may have been busy. */
const PROBES: readonly { readonly generation: Generation; readonly resend: ResendPolicy }[] = [
  { generation: "long", resend: "if_refused" },
  { generation: "short", resend: "if_refused" },
  { generation: "long", resend: "always" },
  { generation: "short", resend: "always" },
];

/** How far apart the numbers of two frames are at most. */
const SEQUENCE_STEP_MAX = 16;

/** Under what the driver remembers which frames the device answers. */
const GENERATION = "generation";

/**
 * Identifies the device on a line, and reads what later commands need to know.
 * @throws FiscalError E200 when it is proven to be none of these devices, E101 when it is not known
 *   what is there, or another line fault
 */
export async function connectDevice(
  line: Line,
  dialects: readonly IslDialect[],
  environment: DriverEnvironment,
): Promise<{ session: IslSession; device: IslDevice }> {
  const words = new FirstWords(line, environment);
  const numbers = new FrameNumbers(environment, SEQUENCE);
  for (const { generation, resend } of probesFor(environment)) {
    if (!dialects.some((dialect) => dialect.generation === generation)) continue;
    const session = new IslSession(words.line, { generation, numbers, environment });
    const data = Buffer.from(INFORMATION.data[generation]);
    const reply = await session.probe({ command: INFORMATION.command, data, resend, reads: true });
    if (!reply) continue;
    const device = await identify(session, generation, {
      reply: reply.data,
      dialects,
      environment,
    });
    // Not before: the numbers of first questions must be no letters (see drivers/README.md).
    numbers.spread(SEQUENCE_STEP_MAX);
    await readFacts(device);
    device.facts.info = {
      ...device.facts.info,
      charsPerLine: device.facts.lineWidth,
      reversalTenders: reversalTenders(device.dialect),
    };
    environment.remembered.set(GENERATION, generation);
    environment.log("info", "device identified", {
      dialect: device.dialect.name,
      model: device.facts.info.model,
    });
    return { session, device };
  }
  throw words.unidentified();
}

/** The generation that answered last time first: a device is silent to the other one's frames. */
function probesFor({ remembered }: DriverEnvironment): typeof PROBES {
  const known = remembered.get(GENERATION);
  const rank = (probe: (typeof PROBES)[number]) => (probe.generation === known ? 0 : 1);
  return PROBES.toSorted((one, other) => rank(one) - rank(other));
}

async function identify(
  session: IslSession,
  generation: Generation,
  found: {
    readonly reply: Uint8Array;
    readonly dialects: readonly IslDialect[];
    readonly environment: DriverEnvironment;
  },
): Promise<IslDevice> {
  const candidates = found.dialects.filter((dialect) => dialect.generation === generation);
  const text = decodeText(found.reply, "ascii");
  for (const dialect of candidates) {
    const identity = generation === "long" ? readTabbed(text) : readListed(text, dialect);
    if (isOf(dialect, identity)) return toDevice(session, dialect, { ...found, identity });
  }
  let identity = generation === "long" ? readTabbed(text) : readListed(text, undefined);
  // What the number of that command means to another maker's device is not known.
  const apart = SERIAL_NUMBER.test(text)
    ? []
    : candidates.filter((dialect) => dialect.identify.tellsSerialApart);
  if (apart.length > 0) {
    const data = Buffer.from(SERIAL_NUMBERS.data);
    const answer = await session.exchange({ command: SERIAL_NUMBERS.command, data, reads: true });
    const [, serial = "", memory = ""] = decodeText(answer.frame.data, "ascii").split("\t");
    identity = { ...identity, serial, memory };
    const dialect = apart.find((candidate) => isOf(candidate, identity));
    if (dialect) return toDevice(session, dialect, { ...found, identity });
  }
  // A refusal may have another reason than the make of the device.
  const isRefusal = generation === "long" ? !text.startsWith("0\t") : text.trim().length <= 1;
  if (isRefusal && Object.values(identity).join("") === "") throw namelessDevice();
  throw new UnknownDevice(identity.model);
}

function isOf({ identify }: IslDialect, identity: Identity): boolean {
  const { serial, model, firmware } = identify;
  const isFirmware = firmware === undefined || firmware.test(identity.firmware);
  return isFirmware && serial.test(identity.serial) && model.test(identity.model);
}

function toDevice(
  session: IslSession,
  dialect: IslDialect,
  found: { readonly environment: DriverEnvironment; readonly identity: Identity },
): IslDevice {
  const info = toDeviceInfo(found.identity, dialect);
  return new IslDevice(session, dialect, { environment: found.environment, info });
}

/** `0⇥FP-700X⇥1.00BG⇥25OCT18⇥1230⇥FFFF⇥00000000⇥DT577430⇥02577430⇥` */
function readTabbed(text: string): Identity {
  const fields = text.split("\t");
  const [error, model = "", firmware = "", , , , , serial = "", memory = ""] = fields;
  if (error !== "0") return { model: "", firmware: "", serial: "", memory: "" };
  return { model, firmware, serial, memory };
}

/** `FP-800,1.00BG 23NOV18 1000,FFFF,00000000,DT518315,02518315` */
const LISTED =
  /^(?<model>[^,]*),\s*(?<firmware>\S*)[^,]*,[^,]*,[^,]*,(?<serial>[^,]*),(?<memory>[^,]*)/;

function readListed(text: string, dialect: IslDialect | undefined): Identity {
  const { model, firmware, serial, memory } =
    (dialect?.identify.answer ?? LISTED).exec(text)?.groups ?? {};
  return {
    model: model?.trim() ?? "",
    firmware: firmware ?? "",
    serial: serial?.trim() ?? "",
    memory: memory?.trim() ?? "",
  };
}

function toDeviceInfo(identity: Identity, dialect: IslDialect): DeviceInfo {
  return {
    serialNumber: identity.serial || null,
    firmwareVersion: identity.firmware || null,
    fiscalMemorySerialNumber: identity.memory || null,
    manufacturer: dialect.manufacturer,
    model: identity.model || null,
  };
}

/** Reads once what a receipt would otherwise have to ask for each time. */
async function readFacts(device: IslDevice): Promise<void> {
  const { dialect, facts } = device;
  const columns = await device.tryAsk("printColumns");
  const told = (name: string) => {
    const text = columns?.optional(name);
    return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : 0;
  };
  const { lineMargin } = dialect.widths;
  if (told("value") > lineMargin) facts.lineWidth = told("value") - lineMargin;
  if (told("nameWidth") > 0) facts.nameWidth = told("nameWidth");
  if (facts.logo?.kind === "rows" && told("logoDots") > 0 && told("logoRows") > 0) {
    const rowBytes = Math.ceil(told("logoDots") / 8);
    facts.logo = { kind: "rows", rows: told("logoRows"), rowBytes };
  }
  const read = () => readZNumber(device);
  const last = await tryReadLastPaper(device);
  await (last === undefined ? read() : device.kept.refreshBehind(String(last), read));
  await unlessRefused(readVatRates(device));
  const clock = (await device.tryAsk("getClock"))?.optional("clock");
  const instant = clock && readClockText(device, clock);
  if (instant) device.kept.noteClock(instant);
}
