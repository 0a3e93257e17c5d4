/** `non_fiscal_receipt`: a slip of free text. */

import { FiscalError } from "#core/errors.ts";
import { readPayload } from "../../shared/payload.ts";
import type { ShtrihCommand } from "../command.ts";
import { isUnsupported, type ShtrihDevice } from "../device.ts";
import { join, textField } from "../fields.ts";
import { RECEIPT_ROLL, TEXT_BYTES, textFrame } from "../plan.ts";
import { clearTheWay } from "../put-away.ts";

/** Characters of the wide font that fit its field. */
const WIDE_BYTES = 20;
const FEED_LINES = 4;
const FULL_CUT = 0;

export const nonFiscalReceipt = {
  type: "non_fiscal_receipt",
  execute: async ({ device, command, progress }) => {
    const { header, lines } = readPayload("non_fiscal_receipt", command.payload);
    await clearTheWay(device);
    await progress.mark("committing");
    const opening = await device.send("openText");
    // Where the model has no such document, loose lines do: they are cut off at the end.
    if (opening.fault && !isUnsupported(opening)) throw opening.fault;
    const isDocument = !opening.fault;
    try {
      if (header !== undefined) await printTitle(device, header);
      for (const line of lines) await printLine(device, line);
    } catch (error) {
      // A refused line leaves the slip open, which would stand in the way of the next receipt.
      if (isDocument && error instanceof FiscalError && error.device) {
        await device.send("closeText");
      }
      throw error;
    }
    if (isDocument) await device.ask("closeText");
    else await tearOff(device);
    return { data: {} };
  },
} satisfies ShtrihCommand;

async function printLine(device: ShtrihDevice, line: string): Promise<void> {
  const frame = textFrame(line.slice(0, Math.min(device.facts.lineWidth, TEXT_BYTES)));
  await device.ask(frame.request, frame.parameters);
}

/** Bold and wide, centred with blanks. */
async function printTitle(device: ShtrihDevice, header: string): Promise<void> {
  const width = Math.min(Math.floor(device.facts.lineWidth / 2), WIDE_BYTES);
  const text = header.trim().slice(0, width);
  const margin = " ".repeat(Math.floor((width - text.length) / 2));
  await device.ask("wideLine", join(RECEIPT_ROLL, textField(margin + text, WIDE_BYTES)));
}

async function tearOff(device: ShtrihDevice): Promise<void> {
  await device.ask("feed", Uint8Array.of(RECEIPT_ROLL, FEED_LINES));
  // Models without a cutter refuse this, and their paper is torn by hand.
  await device.send("cut", Uint8Array.of(FULL_CUT));
}
