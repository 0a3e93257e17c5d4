/** `raw_command`: whatever the payload holds goes to the driver unchecked. */

import { Type } from "@sinclair/typebox";
import type { CommandDefinition } from "../definition.ts";
import { HexBytes } from "../result-fields.ts";

/** What the drivers expect; they check it themselves (E400). */
export interface RawCommandPayload {
  /** The protocol's command number, 0..255. */
  readonly command: number;
  /** Text in the device's code page. */
  readonly data?: string;
  /** Or bytes in hexadecimal. */
  readonly dataHex?: string;
}

/** The device's answer, whatever it says. */
const RawCommandResult = Type.Object({
  dataHex: HexBytes,
  data: Type.String({ description: "The same as text in the device's code page" }),
  statusHex: HexBytes,
});

export const rawCommand = {
  category: "raw",
  effect: "device",
  summary: "Send a device command unchecked",
  payload: Type.Object({}, { additionalProperties: true }),
  result: RawCommandResult,
} satisfies CommandDefinition;
