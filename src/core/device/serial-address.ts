/** The address of a serial device: its path and, behind a question mark, the line's settings. */

export const PARITIES = ["none", "even", "odd"] as const;
export type Parity = (typeof PARITIES)[number];

export const FLOWS = ["none", "xonxoff", "rtscts"] as const;
/** Flow control: none, by bytes 11h and 13h, or by the lines RTS and CTS. */
export type Flow = (typeof FLOWS)[number];

/** What the address says; a setting it does not name is the driver's to choose. */
export interface SerialAddress {
  readonly path: string;
  readonly baudRate?: number;
  readonly parity?: Parity;
  readonly dataBits?: 7 | 8;
  readonly stopBits?: 1 | 2;
  readonly flow?: Flow;
}

/** The settings of a line; one that is not named is the driver's to choose. */
export type SerialSettings = Omit<SerialAddress, "path">;

/** An absolute path, or the port name of a controller that runs on Windows. */
const PATH = /^(\/[^\s?]+|COM\d{1,3})$/;
const BAUD_MIN = 300;
const BAUD_MAX = 4_000_000;

/**
 * What is wrong with an address that somebody writes, in a sentence; undefined where nothing is. Older versions
 * took settings and left them out, so that `parseSerialAddress` reads what they stored as they did.
 */
export function serialAddressFault(text: string): string | undefined {
  const address = parseSerialAddress(text);
  if (typeof address === "string") return address;
  const [path = "", ...queries] = text.split("?");
  if (path.includes("&")) return "Expected ? before the settings of the line, and & between them";
  if (queries.length > 1)
    return "Expected & between settings of the line: ? stands before the first";
  const names = [...new URLSearchParams(queries[0]).keys()];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : `Expected ${twice} once`;
}

/**
 * Reads `/dev/serial/by-id/...?baud=115200&parity=none&dataBits=8&stopBits=1`.
 * @returns the address, or what is wrong with it in a sentence
 */
export function parseSerialAddress(text: string): SerialAddress | string {
  const [path = "", query = ""] = text.split("?", 2);
  if (!PATH.test(path)) return "Expected an absolute device path";
  let address: SerialAddress = { path };
  for (const [name, value] of new URLSearchParams(query)) {
    const setting = readSetting(name, value);
    if (typeof setting === "string") return setting;
    address = { ...address, ...setting };
  }
  return address;
}

/** Writes an address that `parseSerialAddress` reads as the same. */
export function formatSerialAddress({ path, ...settings }: SerialAddress): string {
  const { baudRate, parity, dataBits, stopBits, flow } = settings;
  const named = Object.entries({ baud: baudRate, parity, dataBits, stopBits, flow })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`);
  return named.length === 0 ? path : `${path}?${named.join("&")}`;
}

function readSetting(name: string, value: string): SerialSettings | string {
  switch (name) {
    case "baud": {
      const baudRate = /^\d{3,7}$/.test(value) ? Number(value) : 0;
      if (baudRate >= BAUD_MIN && baudRate <= BAUD_MAX) return { baudRate };
      return `Expected baud to be ${BAUD_MIN} to ${BAUD_MAX}`;
    }
    case "parity": {
      const parity = PARITIES.find((known) => known === value);
      return parity === undefined ? `Expected parity to be ${PARITIES.join(", ")}` : { parity };
    }
    case "dataBits":
      if (value === "7") return { dataBits: 7 };
      return value === "8" ? { dataBits: 8 } : "Expected dataBits to be 7 or 8";
    case "stopBits":
      if (value === "1") return { stopBits: 1 };
      return value === "2" ? { stopBits: 2 } : "Expected stopBits to be 1 or 2";
    case "flow": {
      const flow = FLOWS.find((known) => known === value);
      return flow === undefined ? `Expected flow to be ${FLOWS.join(", ")}` : { flow };
    }
    default:
      return "Expected no setting but baud, parity, dataBits, stopBits and flow";
  }
}
