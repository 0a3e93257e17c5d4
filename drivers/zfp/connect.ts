/** Finds out which device is at the other end of a line. Only reads are sent. */

import type { DeviceInfo } from "#core/device/device.ts";
import type { DriverEnvironment, Line } from "#core/driver.ts";
import { FiscalError, UnknownDevice } from "#core/errors.ts";
import type { PaymentMethod } from "#core/receipt.ts";
import { isStateRefusal, unlessRefused } from "../shared/device-fault.ts";
import { FirstWords, namelessDevice } from "../shared/first-words.ts";
import { readClock } from "./clock-text.ts";
import { ZfpDevice } from "./device.ts";
import type { DeviceCommandName } from "./device-commands.ts";
import { DEVICE_COMMANDS } from "./device-commands.ts";
import { LIMITS, type ZfpDialect } from "./dialect.ts";
import { reversalTenders } from "./plan.ts";
import { papersShown } from "./receipts.ts";
import { ZfpSession } from "./session.ts";
import { readVatRates } from "./vat-table.ts";
import { readZNumber } from "./z-number.ts";

/** What a device says of its TCP connection instead of its state. */
export const CONNECTION_STATES: Readonly<Record<number, string>> = {
  80: "The device wants a TCP password: take it off on the device",
  96: "The device is connected to another host",
  112: "The device refused the TCP password",
};
const MANUFACTURER = "Tremol";

/**
 * Identifies the device on a line, and reads what later commands need to know.
 * @throws FiscalError E200 when it is proven to be none of these devices, E101 when it is not known
 *   what is there, E100 when it turns us away, or another line fault
 */
export async function connectDevice(
  line: Line,
  dialects: readonly ZfpDialect[],
  environment: DriverEnvironment,
): Promise<{ session: ZfpSession; device: ZfpDevice }> {
  const words = new FirstWords(line, environment);
  const session = new ZfpSession(words.line, environment);
  const state = await session.ping();
  if (state === undefined) throw words.unidentified();
  const reason = CONNECTION_STATES[state];
  if (reason !== undefined) {
    throw (await isMeant(state, { session, words })) ? turnedAway(reason) : words.unidentified();
  }
  const info = await identify(session, words);
  const dialect = await dialectOf(session, dialects, info.model ?? "");
  if (!dialect) throw new UnknownDevice(info.model ?? "");
  const device = new ZfpDevice(session, dialect, {
    environment,
    info: { ...info, reversalTenders: reversalTenders(dialect) },
  });
  await readFacts(device);
  environment.log("info", "device identified", { dialect: dialect.name, model: info.model });
  return { session, device };
}

function turnedAway(reason: string): FiscalError {
  return new FiscalError("E100", reason);
}

/**
 * True where nothing else was said, and it is said again: these bytes are letters too, of a greeting
 * for example, and may be noise on a cable. A device that turns a host away may also hang up.
 */
async function isMeant(
  state: number,
  { session, words }: { readonly session: ZfpSession; readonly words: FirstWords },
): Promise<boolean> {
  if (!words.heardOnly(state)) return false;
  const again = await session.ping().catch(() => state);
  return again === state && words.heardOnly(state);
}

async function identify(session: ZfpSession, words: FirstWords): Promise<DeviceInfo> {
  const [serial = "", memory = ""] = await readFields(session, "serialNumbers").catch(
    (error: unknown) => {
      // The state is one byte, which anybody may say: only a frame shows that the protocol is ours.
      const isOfState = error instanceof FiscalError && isStateRefusal(error);
      throw isOfState && !words.isKnown ? words.unidentified(error) : words.judge(error);
    },
  );
  const [, , , name = "", firmware = ""] = await readFields(session, "version");
  if (serial === "" || name === "") throw namelessDevice();
  if (!/^[A-Z0-9]{8}$/.test(serial)) throw new UnknownDevice(name);
  return {
    serialNumber: serial,
    firmwareVersion: firmware || null,
    fiscalMemorySerialNumber: memory || null,
    manufacturer: MANUFACTURER,
    model: name.replace(/^TREMOL\s+/i, "") || null,
    charsPerLine: LIMITS.line,
  };
}

/**
 * The variants differ in their tenders, so what a device says of them tells which it is: a FP21 does
 * not say so in its name.
 */
async function dialectOf(
  session: ZfpSession,
  dialects: readonly ZfpDialect[],
  model: string,
): Promise<ZfpDialect | undefined> {
  const { command } = DEVICE_COMMANDS.tenders;
  const reply = await session.exchange({ command, data: new Uint8Array(), reads: true });
  const text = reply.kind === "data" ? Buffer.from(reply.data).toString("latin1") : "";
  const fields = text.replace(/;$/, "").split(";");
  const told = dialects.find(({ tenderFields }) => tenderFields === fields.length);
  return told ? withTold(told, fields) : dialects.find((one) => one.model.test(model));
}

/**
 * The tenders as they are programmed. One of a code that is not known, as of a foreign currency, is taken
 * for none: what it was on delivery, it is not now. Where none is known they are those of delivery.
 */
function withTold(dialect: ZfpDialect, fields: readonly string[]): ZfpDialect {
  if (!dialect.programmed) return dialect;
  const { fields: places, codes } = dialect.programmed;
  const tenders = new Map<PaymentMethod, string>([["cash", dialect.tenders.cash ?? "0"]]);
  for (const [number, place] of Object.entries(places)) {
    const method = codes.get(fields[place]?.trim() ?? "");
    if (method !== undefined && !tenders.has(method)) tenders.set(method, number);
  }
  if (tenders.size === 1) return dialect;
  return { ...dialect, tenders: Object.fromEntries(tenders) };
}

async function readFields(session: ZfpSession, name: DeviceCommandName): Promise<string[]> {
  const { command } = DEVICE_COMMANDS[name];
  const reply = await session.exchange({ command, data: new Uint8Array(), reads: true });
  if (reply.kind !== "data") throw namelessDevice();
  const text = Buffer.from(reply.data).toString("latin1");
  return text.split(";").map((field) => field.trim());
}

/** Reads once what a receipt would otherwise have to ask for each time. */
async function readFacts(device: ZfpDevice): Promise<void> {
  // Until its status is read, a device that lost its power in a receipt refuses what follows.
  const { fiscalDayOpen } = await device.readState();
  const read = () => readZNumber(device);
  const count = (await device.tryAsk("lastNumber"))?.field(0) ?? "";
  const papers = papersShown(Number(count), fiscalDayOpen === true);
  await (/^\d{1,15}$/.test(count) ? device.kept.refreshBehind(papers, read) : read());
  await unlessRefused(readVatRates(device));
  await readClock(device);
}
