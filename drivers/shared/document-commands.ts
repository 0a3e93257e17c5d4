/**
 * The commands that print a fiscal document, out of the two functions in which protocols differ:
 * how a document is printed, and how it is found out what became of one.
 */

import type { CommandType } from "#core/command/catalogue.ts";
import type { ReceiptResult } from "#core/command/receipt-result.ts";
import { toSaleDocument } from "#core/command/types/print-receipt.ts";
import { toStornoDocument } from "#core/command/types/print-reversal-receipt.ts";
import { toVoidingDocument, type VoidReceiptResult } from "#core/command/types/void-receipt.ts";
import type { CommandSuccess, DriverCommand, DriverEnvironment, Resolution } from "#core/driver.ts";
import { FiscalError } from "#core/errors.ts";
import type { FiscalDocument } from "#core/receipt.ts";
import type { CommandContext, ResolveContext } from "./command.ts";
import { readPayload } from "./payload.ts";

/** A device whose clock shows the time of its place. */
interface InPlace {
  readonly environment: Pick<DriverEnvironment, "timezone">;
}

/** How the devices of a protocol print a document. */
export interface DocumentPrinter<Device> {
  /** Prints a document. @throws FiscalError @throws DocumentInDoubt */
  print(
    context: CommandContext<Device>,
    document: FiscalDocument,
  ): Promise<CommandSuccess<ReceiptResult>>;
  /** Finds out what became of a document in doubt. @throws FiscalError */
  recover(
    context: ResolveContext<Device>,
    document: FiscalDocument,
  ): Promise<Resolution<ReceiptResult>>;
}

/** `print_receipt` */
export function printReceiptOn<Device extends InPlace>(printer: DocumentPrinter<Device>) {
  return documentCommand("print_receipt", printer, ({ payload }) =>
    toSaleDocument(readPayload("print_receipt", payload)),
  );
}

/** `print_reversal_receipt` */
export function printReversalReceiptOn<Device extends InPlace>(printer: DocumentPrinter<Device>) {
  return documentCommand("print_reversal_receipt", printer, ({ payload }, timezone) =>
    toStornoDocument(readPayload("print_reversal_receipt", payload), timezone),
  );
}

/** `void_receipt`: a storno, for operator error, of a receipt that the gateway knows. */
export function voidReceiptOn<Device extends InPlace>(printer: DocumentPrinter<Device>) {
  const { type, execute, resolve } = documentCommand("void_receipt", printer, ({ original }) => {
    if (original) return toVoidingDocument(original);
    throw new FiscalError("E401", "The receipt to void is unknown: use print_reversal_receipt");
  });
  return {
    type,
    execute: async (context: CommandContext<Device>) =>
      withVoided(await execute(context), context.command),
    resolve: async (context: ResolveContext<Device>): Promise<Resolution<VoidReceiptResult>> => {
      const resolution = await resolve(context);
      if (resolution.outcome !== "printed") return resolution;
      return { ...resolution, success: withVoided(resolution.success, context.command) };
    },
  };
}

function documentCommand<Device extends InPlace, Type extends CommandType>(
  type: Type,
  printer: DocumentPrinter<Device>,
  documentOf: (command: DriverCommand, timezone: string) => FiscalDocument,
) {
  const documentIn = ({ command, device }: Pick<CommandContext<Device>, "command" | "device">) =>
    documentOf(command, device.environment.timezone);
  return {
    type,
    execute: async (context: CommandContext<Device>) => printer.print(context, documentIn(context)),
    resolve: async (context: ResolveContext<Device>) =>
      printer.recover(context, documentIn(context)),
  };
}

function withVoided(
  success: CommandSuccess<ReceiptResult>,
  command: DriverCommand,
): CommandSuccess<VoidReceiptResult> {
  const { receiptId } = readPayload("void_receipt", command.payload);
  return { ...success, data: { ...success.data, voidedReceiptId: receiptId } };
}
