/** Printers that the gateway simulates, as those see them who look at their paper and bring faults. */

import type { DeviceConfig } from "./device.ts";

/** How paper can be shown. */
export const PAPER_FORMATS = ["svg", "text"] as const;
export type PaperFormat = (typeof PAPER_FORMATS)[number];

/** A simulated printer, as far as it has to be known to be switched on. */
export type SimulatedPrinter = Pick<
  DeviceConfig,
  "id" | "driver" | "connectionParams" | "timezone"
>;

/** A printer was asked for something that cannot be, in words. */
export class PrinterRefusal extends Error {
  override readonly name = "PrinterRefusal";
}

/** Whoever runs the simulated printers; one that is off is switched on when it is asked. */
export interface SimulatorPort {
  /**
   * The last documents, and the open one as far as it is printed.
   * @throws Error when the printer cannot be switched on
   */
  paper(
    printer: SimulatedPrinter,
    shown: { readonly format: PaperFormat; readonly last: number },
  ): Promise<string>;
  /**
   * Brings a fault upon a printer.
   * @param fault as the control port of a simulator takes it
   * @throws PrinterRefusal with what is wrong with it; else as `paper`
   */
  bringFault(printer: SimulatedPrinter, fault: unknown): Promise<void>;
  /** Takes all faults back. @throws as `paper` */
  clearFaults(printer: SimulatedPrinter): Promise<void>;
}
