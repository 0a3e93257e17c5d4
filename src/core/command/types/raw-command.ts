/** `raw_command`: whatever the payload holds goes to the driver unchecked. */

import { Type } from "@sinclair/typebox";
import type { CommandDefinition } from "../definition.ts";
import { HexBytes } from "../result-fields.ts";

const RawCommandPayload = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      "Checked by the driver alone: `command`, a command number of the device's protocol, with " +
      "`data`, text in the device's code page, or `dataHex`, bytes in hexadecimal",
  },
);

/** The device's answer, whatever it says. */
const RawCommandResult = Type.Object({
  dataHex: HexBytes,
  data: Type.String({ description: "The same as text in the device's code page" }),
  statusHex: HexBytes,
});

export const rawCommand = {
  category: "raw",
  effect: "device",
  waitsForPerson: true,
  summary: "Send a device command unchecked",
  payload: RawCommandPayload,
  result: RawCommandResult,
  leftOut: () => ({ dataHex: "", data: "", statusHex: "" }),
} satisfies CommandDefinition;
