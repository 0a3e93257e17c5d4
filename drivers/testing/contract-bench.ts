/** A device and a session of its driver, for the suite that holds for all of them. */

import type { CommandType } from "#core/command/catalogue.ts";
import type { CommandSuccess, DriverSession } from "#core/driver.ts";
import { DocumentInDoubt, FiscalError } from "#core/errors.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { ModelUnderTest } from "./every-model.ts";
import { RecordedProgress } from "./fake-environment.ts";
import { type SimulatedBooks, SimulatedDevice } from "./simulated-device.ts";

/** Where a sale is broken off: in most protocols the receipt is open at the first of these. */
const FRAME_MIN = 3;
const FRAME_MAX = 24;

export type Port = "tcp" | "serial";

/** What a command came to, and what it took. */
export interface Attempt {
  readonly ended:
    | { readonly how: "done"; readonly success: CommandSuccess }
    | { readonly how: "refused"; readonly error: FiscalError }
    | { readonly how: "doubtful"; readonly error: DocumentInDoubt };
  readonly bytesSent: number;
  readonly progress: RecordedProgress;
}

/** What a command changed in the books. Amounts in minor units. */
export interface BooksChange {
  readonly cash: number;
  readonly receipts: number;
  readonly zReports: number;
}

class NothingOpen extends Error {}

export class ContractBench {
  readonly device: SimulatedDevice;
  #session: DriverSession;

  private constructor(device: SimulatedDevice, session: DriverSession) {
    this.device = device;
    this.#session = session;
  }

  /** Switches a device on, connects, and puts both away after `use`. */
  static async on(
    kind: ModelUnderTest,
    port: Port,
    use: (bench: ContractBench) => Promise<void>,
  ): Promise<void> {
    const device = await SimulatedDevice.start({ ...kind, port });
    let bench: ContractBench | undefined;
    try {
      bench = new ContractBench(device, await device.connect());
      await use(bench);
    } finally {
      bench?.session.close();
      await device.stop();
    }
  }

  get session(): DriverSession {
    return this.#session;
  }

  /** Closes the session and opens another one. */
  async reconnect(): Promise<DriverSession> {
    this.#session.close();
    this.#session = await this.device.connect();
    return this.#session;
  }

  /** Carries out a command. @throws what no driver may throw */
  async attempt(
    type: CommandType,
    payload: unknown,
    options: { readonly original?: StoredReceipt; readonly progress?: RecordedProgress } = {},
  ): Promise<Attempt> {
    const { original, progress = new RecordedProgress() } = options;
    const before = this.device.bytesSent;
    const command = { id: "cmd_1", type, payload, original };
    const told = (ended: Attempt["ended"]): Attempt => ({
      ended,
      bytesSent: this.device.bytesSent - before,
      progress,
    });
    try {
      const success = await this.#session.execute(command, progress);
      return told({ how: "done", success });
    } catch (error) {
      if (error instanceof FiscalError) return told({ how: "refused", error });
      if (error instanceof DocumentInDoubt) return told({ how: "doubtful", error });
      throw error;
    }
  }

  /** As `attempt`, on a device that must carry it out. @throws its refusal */
  async done(type: CommandType, payload: unknown): Promise<CommandSuccess> {
    const { ended } = await this.attempt(type, payload);
    if (ended.how !== "done") throw ended.error;
    return ended.success;
  }

  /** What the books have gained since. */
  changeSince(before: SimulatedBooks): BooksChange {
    const after = this.device.books();
    return {
      cash: after.cash - before.cash,
      receipts: after.receipts.length - before.receipts.length,
      zReports: after.zNumber - before.zNumber,
    };
  }

  /** Leaves a receipt open, as a gateway does that loses its line half-way. */
  leaveReceiptOpen(sale: unknown): Promise<void> {
    return this.#leaveOpen("print_receipt", sale);
  }

  /** The same with a slip of free text. @returns false where the device has none that stays open */
  leaveSlipOpen(slip: unknown): Promise<boolean> {
    return this.#leaveOpen("non_fiscal_receipt", slip).then(
      () => true,
      (error: unknown) => {
        if (error instanceof NothingOpen) return false;
        throw error;
      },
    );
  }

  async #leaveOpen(type: CommandType, payload: unknown): Promise<void> {
    for (let at = FRAME_MIN; !this.device.books().openDocument; at += 1) {
      if (at > FRAME_MAX) throw new NothingOpen(`no frame of ${type} leaves a document open`);
      await this.device.fault({ kind: "drop_before", at });
      await this.attempt(type, payload);
      await this.device.clear();
      await this.reconnect();
    }
  }
}
