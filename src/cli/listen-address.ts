/** Where a command listens that is no gateway, and so has no settings for it. */

import { InvalidArgumentError } from "commander";
import { type ListenAddress, listenAddress } from "../config/value-kinds.ts";
import { errorCode } from "../platform/thrown.ts";

/** @throws InvalidArgumentError for what is no `HOST:PORT` */
export function readListenAddress(text: string): ListenAddress {
  const address = listenAddress.fromText(text);
  if (!address) throw new InvalidArgumentError(`It takes ${listenAddress.accepts}.`);
  return address;
}

/** True for an address that somebody else has, or that this machine has not. */
export function isAddressFault(error: unknown): error is Error {
  return ["EADDRINUSE", "EADDRNOTAVAIL"].includes(errorCode(error) ?? "");
}
