/**
 * `set_operator`: names an operator and sets the password. The device takes both in one frame, so
 * a password that is not given is read and written back.
 */

import { FiscalError } from "#core/errors.ts";
import { encodeText, requireLetters } from "../../shared/codepage.ts";
import { requirePrintable } from "../../shared/document-faults.ts";
import { requireOperator, requirePassword } from "../../shared/operator.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ZfpCommand } from "../command.ts";
import { LIMITS } from "../dialect.ts";
import { PASSWORD_DIGITS } from "../operator.ts";
import { CODE_PAGE, fitText, textField } from "../text.ts";

export const setOperator = {
  type: "set_operator",
  execute: async ({ device, command, progress }) => {
    const payload = readPayload("set_operator", command.payload);
    const { operatorId, oldPassword } = payload;
    requireOperator(operatorId, LIMITS.operators);
    if (payload.password !== undefined) {
      requirePassword("password", payload.password, PASSWORD_DIGITS);
    }
    requireLetters("name", payload.name, CODE_PAGE);
    const name = fitText(payload.name, LIMITS.operatorName).replaceAll(";", ",").trim();
    requirePrintable("name", name);
    const present = (await device.ask("operator", String(operatorId))).field(2);
    if (oldPassword !== undefined && oldPassword !== present) {
      throw new FiscalError("E305", "oldPassword: it is not the password of this operator");
    }
    const password = (payload.password ?? present).padEnd(LIMITS.operatorPassword);
    await progress.mark("committing");
    const data = Uint8Array.of(
      ...encodeText(`${operatorId};`, CODE_PAGE),
      ...textField(name, LIMITS.operatorName),
      ...encodeText(`;${password}`, CODE_PAGE),
    );
    await device.ask("setOperator", data);
    return { data: { operatorId } };
  },
} satisfies ZfpCommand;
