/** Where documents are printed and struck. */

import type { ApiClient } from "../harness/gateway.ts";
import type { BookedReceipt, SimulatedPrinter } from "../harness/simulator.ts";

/** A device, its printer, and a till that reaches it. */
export interface Place {
  readonly till: ApiClient;
  readonly deviceId: string;
  readonly printer: SimulatedPrinter;
}

/** A place whose printer can be taken away. */
export interface StrikablePlace extends Place {
  /** Kills the printer's process and switches it on again. */
  restartPrinter(): Promise<void>;
  /** The id by which the gateway must tell of a receipt in the printer's books. */
  fiscalIdOf(receipt: BookedReceipt): string;
}
