/** `raw_command`: whatever the payload holds goes to the driver unchecked. */

import { Type } from "@sinclair/typebox";
import type { CommandDefinition } from "../definition.ts";

/** What the drivers expect; they check it themselves (E400). */
export interface RawCommandPayload {
  /** The protocol's command number, 0..255. */
  readonly command: number;
  /** Text in the device's code page. */
  readonly data?: string;
  /** Or bytes in hexadecimal. */
  readonly dataHex?: string;
}

export const rawCommand = {
  type: "raw_command",
  category: "raw",
  effect: "device",
  summary: "Send a device command unchecked",
  payload: Type.Object({}, { additionalProperties: true }),
} satisfies CommandDefinition;
