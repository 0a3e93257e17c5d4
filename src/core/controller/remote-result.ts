/**
 * What a controller outside of the process tells of a command, as far as it may be used: the one
 * inside cleans results where a driver hands them over (`told-result.ts`).
 */

import { cleanTexts } from "../clean-texts.ts";
import {
  CATALOGUE,
  type CommandType,
  isFiscalDocument,
  tellsOutcome,
} from "../command/catalogue.ts";
import { type CommandResult, OUTCOMES } from "../command/command.ts";
import type { AskedCommand, CommandDefinition } from "../command/definition.ts";
import { doubtOf } from "../command/doubt.ts";
import { withoutPasswords } from "../command/payload-secrets.ts";
import { numberOfDay, PAPER_NUMBER } from "../command/settled.ts";
import { toldResult } from "../command/told-result.ts";
import { countsByDay, countsOnlyDocuments, numberOf } from "../device/numbering.ts";
import { toDeviceText } from "../device-text.ts";
import { FiscalError, type FiscalErrorCode } from "../errors.ts";
import { FISCAL_ID_MAX } from "../limits.ts";

/** What of its command a result is about. */
type Asked = AskedCommand & { readonly type: CommandType };
type Data = NonNullable<CommandResult["data"]>;

/**
 * The result without what only the gateway says, and with texts and values that can be shown. An
 * answer that nobody can use is as good as none: whoever reads it sees that nothing was told.
 * @param driver of the device; undefined where its record is gone
 */
export function remoteResult(
  command: Asked,
  result: CommandResult,
  driver?: string,
): CommandResult {
  const { type } = command;
  const { data, fiscalId, ...told } = result;
  const isPrinted = result.success || data?.outcome === "printed";
  const onPaper = isPrinted && isFiscalDocument(type) ? idOnPaper(driver, data ?? {}) : undefined;
  const id = fiscalId || onPaper;
  const named = id ? { ...told, fiscalId: id } : told;
  if (result.success) return { ...named, data: ofSuccess(command, data ?? {}) };
  const failed = { errorCode: UNNAMED, errorMessage: UNEXPLAINED, ...named };
  return data === undefined ? failed : { ...failed, data: ofFailure(type, data) };
}

/** Whoever reads a failure finds a code and a text, also where the controller gave none. */
const UNNAMED: FiscalErrorCode = "E900";
const UNEXPLAINED = "The controller did not say why";

function ofSuccess({ type, ...asked }: Asked, data: Data): Data {
  const { leftOut }: CommandDefinition = CATALOGUE[type];
  try {
    return toldResult(type, usable(type, data), leftOut?.(asked));
  } catch (error) {
    if (error instanceof FiscalError) return {};
    throw error;
  }
}

const HAS_PAPER_FORM = new RegExp(PAPER_NUMBER);

/**
 * What a receipt is known by of which only the number on its paper is told. Undefined where documents and
 * receipts are counted apart: that is the other number of the two.
 */
function idOnPaper(driver: string | undefined, { receiptNumber, zReportNumber }: Data) {
  if (typeof receiptNumber !== "string") return undefined;
  const text = toDeviceText(receiptNumber);
  if (text.length > FISCAL_ID_MAX || !HAS_PAPER_FORM.test(text)) return undefined;
  if (countsOnlyDocuments(driver)) return text;
  if (!countsByDay(driver)) return undefined;
  const [day, number] = [zReportNumber, text].map((one) =>
    typeof one === "string" ? numberOf(one) : undefined,
  );
  return day === undefined || number === undefined ? text : numberOfDay(day, number);
}

/** An outcome that is none of the words is not told, nor a reason that is none of the codes. */
function ofFailure(type: CommandType, data: Data): Data {
  const told = cleanTexts(usable(type, data), (text) => toDeviceText(text));
  const { outcome, doubt: _, ...rest } = told;
  const doubt = doubtOf({ data: told });
  return {
    ...rest,
    ...(OUTCOMES.some((word) => word === outcome) ? { outcome } : {}),
    ...(doubt === undefined ? {} : { doubt }),
  };
}

/**
 * Who settled a command is for the gateway to say, and a password of an operator for nobody. Of what leaves
 * no document and moves no sum there is no outcome.
 */
function usable(type: CommandType, data: Data): Data {
  const { settledBy: _, outcome, ...rest } = withoutPasswords(data);
  return outcome === undefined || !tellsOutcome(type) ? rest : { ...rest, outcome };
}
