/** `set_operator`: names an operator and, when one is given, sets the password. */

import { FiscalError } from "#core/errors.ts";
import { requireLetters } from "../../shared/codepage.ts";
import { requirePrintable } from "../../shared/document-faults.ts";
import { requireOperator, requirePassword } from "../../shared/operator.ts";
import { readPayload } from "../../shared/payload.ts";
import type { IslCommand } from "../command.ts";
import { defaultPassword } from "../operator.ts";

export const setOperator = {
  type: "set_operator",
  needs: ["setOperatorName"],
  execute: async ({ device, command, progress }) => {
    const { dialect, facts } = device;
    const payload = readPayload("set_operator", command.payload);
    const { operatorId, password: newPassword, oldPassword } = payload;
    requireOperator(operatorId, dialect.operators.max);
    if (newPassword !== undefined && !device.can("setOperatorPassword")) {
      throw new FiscalError("E201", "These devices have no command for an operator's password");
    }
    if (newPassword !== undefined) {
      requirePassword("password", newPassword, dialect.operators.passwordLength);
      if (oldPassword === undefined) {
        throw new FiscalError("E401", "oldPassword: this device wants it to change the password");
      }
    }
    const password = oldPassword ?? defaultPassword(operatorId, dialect, facts.info.model);
    requirePassword("oldPassword", password, dialect.operators.passwordLength);
    requireLetters("name", payload.name, dialect.codePage);
    const name = device.fit(payload.name, dialect.operators.nameLength).trim();
    requirePrintable("name", name);
    const operator = String(operatorId);
    await progress.mark("committing");
    await device.ask("setOperatorName", { operator, password, name });
    if (newPassword !== undefined) {
      await device.ask("setOperatorPassword", { operator, password, newPassword });
    }
    return { data: { operatorId } };
  },
} satisfies IslCommand;
