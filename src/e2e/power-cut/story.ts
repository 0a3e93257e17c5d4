/** What a workload did, as it tells those who look at the disk afterwards. */

/** A printer beside the gateway, switched on again at the same address. */
export interface StoryPrinter {
  readonly deviceId: string;
  readonly host: string;
  readonly port: number;
  readonly number: string;
  /** Path of its state file, as the workload had it. */
  readonly stateFile: string;
}

/** A sale that a till submitted, under a key of its own. Its total is its own too. */
export interface StorySale {
  readonly deviceId: string;
  readonly idempotencyKey: string;
  /** Minor units. */
  readonly total: number;
}

/** Something that somebody was told, and which must be so after a power cut. */
export type Told =
  | { readonly kind: "accepted"; readonly sale: StorySale; readonly commandId: string }
  | {
      readonly kind: "ended";
      readonly commandId: string;
      readonly status: string;
      readonly outcome: string | undefined;
    }
  /** An answer of 200 with these fields at this path of the API. */
  | { readonly kind: "there"; readonly path: string; readonly fields: object }
  | { readonly kind: "revoked"; readonly key: string }
  | { readonly kind: "authority"; readonly pem: string }
  /** A backup, by its path. */
  | { readonly kind: "backup"; readonly path: string };

export interface Story {
  /** State directory of the gateway, and that of the controller beside the second printer. */
  readonly stateDir: string;
  readonly controllerDir: string;
  readonly printers: readonly StoryPrinter[];
  /** Of the simulated printer within the gateway. */
  readonly simulatedId: string;
  readonly key: string;
  readonly controllerKey: string;
  readonly controllerId: string;
  readonly told: readonly { readonly by: Witness; readonly what: Told }[];
}

/** What shows when something was told: the request, or the mark that the workload made after it. */
export type Witness = { readonly requestId: string } | { readonly mark: string };

/** The arguments under which gateway and controller run, then and afterwards. */
export const GATEWAY_ARGS: readonly string[] = [
  "--devices-status-seconds=86400",
  "--https-certificate=own",
  "--https-listen=127.0.0.1:0",
  "--backup-work-factor=10",
];

/** The body of a sale's request: the same each time. */
export function bodyOf({ deviceId, total }: Pick<StorySale, "deviceId" | "total">): object {
  const price = total / 100;
  const items = [{ name: `Sale ${total}`, quantity: 1, price, vatGroup: "VAT2" }];
  const payments = [{ method: "cash", amount: price }];
  const uniqueSaleNumber = `DT123456-0001-${String(total).padStart(7, "0")}`;
  return { deviceId, type: "print_receipt", payload: { uniqueSaleNumber, items, payments } };
}
