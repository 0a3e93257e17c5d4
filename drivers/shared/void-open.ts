/** `void_open_receipt`, out of what protocols tell apart: what stands open, and how it is ended. */

import type { CommandContext } from "./command.ts";
import { stateFault } from "./device-fault.ts";

/** What stands open on a device and may be given up. */
export interface OpenToVoid {
  /** Cancels a receipt, closes a slip. @throws FiscalError */
  end(): Promise<unknown>;
  /** The number of a receipt, asked for once it is ended; absent or undefined where it has none. */
  number?(): number | undefined;
}

/**
 * @param find reads the device; undefined where nothing stands open
 * @throws FiscalError E302 for that, and what `find` throws for what can only be finished
 */
export function voidOpenReceiptOn<Device>(
  find: (device: Device) => Promise<OpenToVoid | undefined>,
) {
  return {
    type: "void_open_receipt" as const,
    execute: async ({ device, progress }: CommandContext<Device>) => {
      const open = await find(device);
      if (open === undefined) throw stateFault("E302");
      await progress.mark("committing");
      await open.end();
      const number = open.number?.();
      return { data: { receiptNumber: number === undefined ? null : String(number) } };
    },
  };
}
