/** Where a device is, as a person types it in one word. */

import { InvalidArgumentError } from "commander";
import type { DetectionWish } from "#core/device/detection.ts";

/** What `--address` and the set-up's questions take, for messages. */
export const ADDRESS_FORMS = "HOST:PORT, a device path or AA:BB:CC:DD:EE:FF";

/** A device path, a Bluetooth address, or a host with or without a port; else no more than `tcp`. */
export function readAddress(text: string): DetectionWish {
  if (text.startsWith("/")) return { transport: "serial", address: text };
  if (/^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}(#\d+)?$/.test(text)) {
    return { transport: "bluetooth", address: text };
  }
  try {
    return readHost(text);
  } catch {
    return { transport: "tcp" };
  }
}

/** `HOST`, `HOST:PORT` or `[IPv6]:PORT`; several colons without brackets are an IPv6 address. */
export function readHost(text: string): DetectionWish {
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? (/^[^[\]]*:.*:/.test(text) ? text : undefined);
  if (host === undefined) throw new InvalidArgumentError("It takes HOST or HOST:PORT.");
  return { transport: "tcp", host, ...(port === undefined ? {} : { port: Number(port) }) };
}
