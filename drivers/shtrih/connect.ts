/** Finds out which device is at the other end of a line, with commands that change nothing. */

import type { DriverEnvironment, Line } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import { FirstWords } from "../shared/first-words.ts";
import type { CommandLine } from "./command-line.ts";
import { type DeviceFacts, ShtrihDevice } from "./device.ts";
import { FACTORY } from "./dialects/factory.ts";
import { textRowsOf } from "./dialects/text-rows.ts";
import { FieldReader } from "./fields.ts";
import { NumberedSession } from "./numbered-session.ts";
import { REVERSAL_TENDERS } from "./plan.ts";
import { ShtrihSession } from "./session.ts";
import { hasTwoDecimals, type Sensors } from "./status.ts";

const FISCAL_REGISTER = 0;
/** Characters in a line where the device does not tell; the narrowest of the family. */
const LINE_WIDTH_DEFAULT = 32;
/** Bits, widths of two fonts, number of the first logo line. */
const TRAIT_BYTES = 11;
const FIRST_LOGO_LINE_MAX = 2;
/** Serial numbers that were never set have all bits set. */
const NO_SERIAL = 0xffff_ffff;

/** Where the lower level is kept that the device answered on; it keeps it until it is set anew. */
const LEVEL = "lowerLevel";
const NUMBERED = "numbered";

export interface Connected {
  readonly session: CommandLine;
  readonly device: ShtrihDevice;
}

/**
 * Identifies the device, on the lower level it is set to.
 *
 * A device that has just been reset takes the level of the first byte it hears, and keeps it. The
 * standard one is therefore tried first: every host speaks it, and its ENQ does nothing to a device
 * that is set to the other one. Only where ENQ brings no byte at all the other one is tried. On a
 * line where it answered before it comes first.
 * @throws FiscalError E200 when it is proven to be no device of this protocol, or keeps other than
 *   two decimals, E101 when it is not known what is there, or another line fault
 */
export async function connectDevice(
  line: Line,
  environment: DriverEnvironment,
): Promise<Connected> {
  const wasNumbered = environment.remembered.get(LEVEL) === NUMBERED;
  const levels = wasNumbered
    ? [connectNumbered, connectStandard]
    : [connectStandard, connectNumbered];
  const words = new FirstWords(line, environment);
  try {
    for (const connect of levels) {
      const connected = await connect(words, environment);
      if (connected) return connected;
    }
    throw words.unidentified();
  } catch (error) {
    line.close();
    throw error;
  }
}

/** Connects on the standard lower level; undefined when the device is silent on it. */
async function connectStandard(
  words: FirstWords,
  environment: DriverEnvironment,
): Promise<Connected | undefined> {
  const session = new ShtrihSession(words.line, environment);
  try {
    const device = await identify(session, environment);
    environment.remembered.delete(LEVEL);
    return { session, device };
  } catch (error) {
    if (session.heardSign) throw error;
    if (!(error instanceof FiscalError) || error.code === "E102") throw error;
    if (!session.heardAnything) return undefined;
    throw words.unidentified(error);
  }
}

/** Connects on the alternative lower level; undefined when the device says nothing on it. */
async function connectNumbered(
  { line }: FirstWords,
  environment: DriverEnvironment,
): Promise<Connected | undefined> {
  const session = new NumberedSession(line, environment);
  try {
    const device = await identify(session, environment);
    environment.remembered.set(LEVEL, NUMBERED);
    return { session, device };
  } catch (error) {
    if (session.heardFrame) throw error;
    if (!(error instanceof FiscalError) || error.code === "E102") throw error;
    return undefined;
  }
}

async function identify(
  session: CommandLine,
  environment: DriverEnvironment,
): Promise<ShtrihDevice> {
  const device = new ShtrihDevice(session, environment, factsOf({ model: null }));
  const type = await device.ask("deviceType");
  if (type.uint(1) !== FISCAL_REGISTER) {
    throw new FiscalError("E200", "The device is no fiscal register");
  }
  // Subtype, and version and subversion of the protocol; behind the model's number the language.
  type.bytes(3);
  const modelNumber = type.uint(1);
  type.bytes(1);
  const model = type.text(type.left).trim();
  const traits = await readTraits(device);
  const state = await device.fullState();
  if (!hasTwoDecimals(state)) {
    throw new FiscalError("E200", "The device counts without decimals: two are needed");
  }
  const lineWidth = await readLineWidth(device);
  device.identified(
    factsOf({
      model: model === "" ? null : model,
      modelNumber,
      ...traits,
      serial: state.serial,
      firmware: state.firmware,
      lineWidth,
    }),
  );
  return device;
}

function factsOf(known: {
  readonly model: string | null;
  readonly modelNumber?: number;
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
      charsPerLine: known.lineWidth ?? LINE_WIDTH_DEFAULT,
      reversalTenders: REVERSAL_TENDERS,
    },
    sensors,
    texts: textRowsOf(known.modelNumber),
    firstLogoLine: known.firstLogoLine ?? 1,
    lineWidth: known.lineWidth ?? LINE_WIDTH_DEFAULT,
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
  // 1 or 2: some models print a logo from its second line on.
  return { sensors, firstLogoLine: Math.min(reader.uint(1), FIRST_LOGO_LINE_MAX) };
}

async function readLineWidth(device: ShtrihDevice): Promise<number> {
  const reader = await device.tryAsk("font", Uint8Array.of(1));
  if (!reader) return LINE_WIDTH_DEFAULT;
  const dots = new FieldReader(reader.bytes(2)).uint(2);
  const characterDots = reader.uint(1);
  if (characterDots === 0 || dots < characterDots) return LINE_WIDTH_DEFAULT;
  return Math.floor(dots / characterDots);
}
