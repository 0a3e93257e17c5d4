/** `non_fiscal_receipt`: a slip of free text. */

import { writtenText } from "../../shared/codepage.ts";
import { readPayload } from "../../shared/payload.ts";
import { centred, folded, inOpenSlip } from "../../shared/slip.ts";
import type { ShtrihCommand } from "../command.ts";
import { isUnsupported, type ShtrihDevice } from "../device.ts";
import { CODE_PAGE, join, textField } from "../fields.ts";
import { RECEIPT_ROLL, TEXT_BYTES, textFrame } from "../plan.ts";
import { clearTheWay, slipOn } from "../put-away.ts";

/** Characters of the wide font that fit its field. */
const WIDE_BYTES = 20;
const FEED_LINES = 4;
const FULL_CUT = 0;

export const nonFiscalReceipt = {
  type: "non_fiscal_receipt",
  execute: async ({ device, command, progress }) => {
    const { header, lines } = readPayload("non_fiscal_receipt", command.payload);
    const { lineWidth } = device.facts;
    const titles = header === undefined ? [] : wideTitles(header, lineWidth);
    const columns = Math.min(lineWidth, TEXT_BYTES);
    const texts = lines.flatMap((line) => folded(writtenText(line, CODE_PAGE), columns));
    await clearTheWay(device);
    await progress.mark("committing");
    const opening = await device.send("openText");
    // Where the model has no such document, loose lines do: they are cut off at the end.
    if (opening.fault && !isUnsupported(opening)) throw opening.fault;
    const print = async () => {
      for (const title of titles) await device.ask("wideLine", title);
      for (const text of texts) await printLine(device, text);
    };
    if (opening.fault) {
      await print();
      await tearOff(device);
    } else await inOpenSlip(slipOn(device).close, print);
    return { data: {} };
  },
} satisfies ShtrihCommand;

async function printLine(device: ShtrihDevice, text: string): Promise<void> {
  const frame = textFrame(text);
  await device.ask(frame.request, frame.parameters);
}

/** Bold and wide, centred with blanks. */
function wideTitles(header: string, lineWidth: number): Uint8Array[] {
  const width = Math.min(Math.floor(lineWidth / 2), WIDE_BYTES);
  return folded(writtenText(header.trim(), CODE_PAGE), width).map((title) =>
    join(RECEIPT_ROLL, textField(centred(title, width), WIDE_BYTES)),
  );
}

async function tearOff(device: ShtrihDevice): Promise<void> {
  await device.ask("feed", Uint8Array.of(RECEIPT_ROLL, FEED_LINES));
  // Models without a cutter refuse this, and their paper is torn by hand.
  await device.send("cut", Uint8Array.of(FULL_CUT));
}
