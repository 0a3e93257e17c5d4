/** Finds out which device is at the other end of a line, with commands that change nothing. */

import type { DriverEnvironment, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { type DeviceFacts, ShtrihDevice } from "./device.ts";
import { FACTORY } from "./dialects/factory.ts";
import { FieldReader } from "./fields.ts";
import { ShtrihSession } from "./session.ts";
import { hasTwoDecimals, type Sensors } from "./status.ts";

const FISCAL_REGISTER = 0;
/** Characters in a line where the device does not tell; the narrowest of the family. */
const LINE_WIDTH_DEFAULT = 32;
/** Bits, widths of two fonts, number of the first logo line. */
const TRAIT_BYTES = 11;
/** Set where the leftmost dot of a logo is the highest bit. UNCONFIRMED which way round. */
const LOGO_HIGH_BIT_FIRST = 26;
/** Serial numbers that were never set have all bits set. */
const NO_SERIAL = 0xffff_ffff;

export interface Connected {
  readonly session: ShtrihSession;
  readonly device: ShtrihDevice;
}

/**
 * Identifies the device.
 * @throws FiscalError E200 when it does not speak the protocol or keeps other than two decimals,
 *   E101 when nothing answers, or another line fault
 */
export async function connectDevice(
  line: Line,
  environment: DriverEnvironment,
): Promise<Connected> {
  const session = new ShtrihSession(line, environment);
  try {
    return { session, device: await identify(session, environment) };
  } catch (error) {
    session.close();
    throw session.heardSign ? error : asStranger(error, session.heardAnything);
  }
}

function asStranger(error: unknown, heardAnything: boolean): unknown {
  if (!(error instanceof FiscalError) || error.code === "E102") return error;
  return heardAnything
    ? new FiscalError("E200", "The device does not speak the Shtrih-M protocol", { cause: error })
    : new FiscalError("E101", "No device answers", { cause: error });
}

async function identify(
  session: ShtrihSession,
  environment: DriverEnvironment,
): Promise<ShtrihDevice> {
  const blank = new ShtrihDevice(session, environment, factsOf({ model: null }));
  const type = await blank.ask("deviceType");
  if (type.uint(1) !== FISCAL_REGISTER) {
    throw new FiscalError("E200", "The device is no fiscal register");
  }
  type.bytes(5);
  const model = type.text(type.left).trim();
  const traits = await readTraits(blank);
  const state = await blank.fullState();
  if (!hasTwoDecimals(state)) {
    throw new FiscalError("E200", "The device counts without decimals: two are needed");
  }
  const facts = factsOf({
    model: model === "" ? null : model,
    ...traits,
    serial: state.serial,
    firmware: state.firmware,
    lineWidth: await readLineWidth(blank),
  });
  facts.clockOffsetMs = blank.facts.clockOffsetMs;
  return new ShtrihDevice(session, environment, facts);
}

function factsOf(known: {
  readonly model: string | null;
  readonly sensors?: Sensors;
  readonly serial?: number;
  readonly firmware?: string;
  readonly lineWidth?: number;
  readonly firstLogoLine?: number;
}): DeviceFacts {
  const { serial, model, sensors } = known;
  return {
    info: {
      serialNumber: serial === undefined || serial === NO_SERIAL ? null : String(serial),
      firmwareVersion: known.firmware ?? null,
      // Only models with a fiscal storage tell its number, in a table that differs by firmware.
      fiscalMemorySerialNumber: null,
      manufacturer: FACTORY.manufacturer,
      model,
    },
    sensors,
    firstLogoLine: known.firstLogoLine ?? 1,
    logoLeftIsLow: sensors === undefined || ((sensors >> LOGO_HIGH_BIT_FIRST) & 1) === 0,
    lineWidth: known.lineWidth ?? LINE_WIDTH_DEFAULT,
    clockOffsetMs: null,
    fieldSizes: new Map(),
  };
}

/** Models of before this command do not tell which sensors they have. */
async function readTraits(device: ShtrihDevice): Promise<{
  readonly sensors: Sensors;
  readonly firstLogoLine: number;
}> {
  const reader = await device.tryAsk("modelParameters", Uint8Array.of(1));
  if (!reader || reader.left < TRAIT_BYTES) return { sensors: undefined, firstLogoLine: 1 };
  const sensors = reader.uint(4);
  // The upper half of the bits and the widths of two fonts.
  reader.bytes(6);
  return { sensors, firstLogoLine: reader.uint(1) === 0 ? 0 : 1 };
}

async function readLineWidth(device: ShtrihDevice): Promise<number> {
  const reader = await device.tryAsk("font", Uint8Array.of(1));
  if (!reader) return LINE_WIDTH_DEFAULT;
  const dots = new FieldReader(reader.bytes(2)).uint(2);
  const characterDots = reader.uint(1);
  if (characterDots === 0 || dots < characterDots) return LINE_WIDTH_DEFAULT;
  return Math.floor(dots / characterDots);
}
