/** Where documents are printed and struck. */

import type { ApiClient } from "../harness/gateway.ts";
import type { MessageProxy } from "../harness/message-proxy.ts";
import type { BookedReceipt, SimulatedPrinter } from "../harness/simulator.ts";

/** A device, its printer, and a till that reaches it. */
export interface Place {
  readonly till: ApiClient;
  readonly deviceId: string;
  /** The gateway's file, where it stands as it runs now. */
  readonly database: string;
  readonly printer: SimulatedPrinter;
}

/** A controller that can be taken away, and its line to the gateway. */
export interface RemotePlace {
  readonly line: MessageProxy;
  /** Where it keeps what it must not forget. */
  readonly stateDir: string;
  /** What its process has written. */
  output(): string;
  /** Kills its process. */
  kill(): Promise<void>;
  /** Starts it again on the state it left. */
  start(): Promise<void>;
}

/** What a person says of a document who has looked at the paper. */
export type Seen =
  | { readonly outcome: "printed"; readonly fiscalId: string }
  | { readonly outcome: "not_printed" };

/** A place whose printer can be taken away. */
export interface StrikablePlace extends Place {
  /** The controller beside the printer, where that is not the gateway's own. */
  readonly remote?: RemotePlace | undefined;
  /** What a person has seen of the documents of cases, by their commands. */
  readonly seen: Map<string, Seen>;
  /** Kills the printer's process and switches it on again. */
  restartPrinter(): Promise<void>;
  /** The id by which the gateway must tell of a receipt in the printer's books. */
  fiscalIdOf(receipt: BookedReceipt): string;
}
