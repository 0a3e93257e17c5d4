/** `set_operator`: names an operator and, when one is given, sets the password. */

import { requireLetters, toPrintable } from "../../shared/codepage.ts";
import { requirePrintable } from "../../shared/document-faults.ts";
import { requireOperator } from "../../shared/operator.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ShtrihCommand } from "../command.ts";
import { FACTORY } from "../dialects/factory.ts";
import { CODE_PAGE, fitText, textField, uint } from "../fields.ts";
import { NAME_FIELD, PASSWORD_BYTES, PASSWORD_FIELD, passwordNumber } from "../operator.ts";
import { TABLE } from "../requests.ts";

export const setOperator = {
  type: "set_operator",
  execute: async ({ device, command, progress }) => {
    const { operatorId, name, password } = readPayload("set_operator", command.payload);
    requireOperator(operatorId, FACTORY.operators);
    requireLetters("name", name, CODE_PAGE);
    const number = password === undefined ? undefined : passwordNumber("password", password);
    const size = await device.sizeOf(TABLE.operators, NAME_FIELD);
    const text = fitText(toPrintable(name).trim(), size);
    requirePrintable("name", text);
    await progress.mark("committing");
    await device.writeField([TABLE.operators, operatorId, NAME_FIELD], textField(text, size));
    if (number !== undefined) {
      const value = uint(number, PASSWORD_BYTES);
      await device.writeField([TABLE.operators, operatorId, PASSWORD_FIELD], value);
    }
    return { data: { operatorId } };
  },
} satisfies ShtrihCommand;
