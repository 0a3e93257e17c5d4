/** To whom a command was handed, and where its device was then, as they are kept with it. */

import type { Command } from "#core/command/command.ts";

/** Those that are kept of one command: each was the controller of its device, or an address of it. */
const KEPT_MAX = 20;

/** Who had a command, once its controller is another one, or none; null for good where not all are known. */
export function formerOf(
  { controllerId, formerControllers }: Pick<Command, "controllerId" | "formerControllers">,
  next: string | null = null,
): readonly string[] | null {
  if (formerControllers === null || controllerId === null || controllerId === next) {
    return formerControllers;
  }
  const former = [...new Set([controllerId, ...formerControllers])];
  return former.length > KEPT_MAX ? null : former;
}

/** Where the device of a command was, once it is there; of more than are kept the latest. */
export function sentToOf({ sentTo }: Pick<Command, "sentTo">, socket: string): readonly string[] {
  return [...new Set([socket, ...(sentTo ?? [])])].slice(0, KEPT_MAX);
}

/** A list as it is stored. */
export function textOf(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}
