/**
 * How a document of ours in doubt is paid: as it was sent, but for what the device refused and took
 * in cash. That is kept before it is paid, for the device may tell nobody afterwards.
 */

import type { ReceiptResult } from "#core/command/receipt-result.ts";
import type { CommandSuccess, Evidence } from "#core/driver.ts";
import { fromMinor } from "#core/money.ts";
import type { Payment } from "#core/receipt.ts";
import type { ResolveContext } from "./command.ts";
import type { TendersLeft } from "./put-away.ts";
import { lastInCash } from "./tenders.ts";

/** Under what a baseline tells which amount is paid in cash though it was sent otherwise. */
const KEPT = "inCashMinor";

/** The tenders of one document in doubt. */
export class OwnTenders implements TendersLeft {
  readonly #sent: readonly Payment[];
  readonly #keep: ResolveContext<unknown>["keep"];
  #inCashMinor: number;

  /** @param sent as the document was planned */
  constructor(sent: readonly Payment[], { evidence, keep }: TendersInDoubt) {
    const kept = evidence.baseline[KEPT];
    this.#sent = sent;
    this.#keep = keep;
    this.#inCashMinor = typeof kept === "number" ? kept : 0;
  }

  get inCashMinor(): number {
    return this.#inCashMinor;
  }

  get tenders(): readonly Payment[] {
    return lastInCash(this.#sent, this.#inCashMinor);
  }

  /** @throws what `keep` rejects with: it is not paid otherwise than sent before that is on disk */
  async replaceByCash(restMinor: number): Promise<void> {
    await this.#keep({ [KEPT]: restMinor });
    this.#inCashMinor = restMinor;
  }

  /** Adds the tenders that the device holds where they are not those that were sent. */
  toldIn<Result extends ReceiptResult>(success: CommandSuccess<Result>): CommandSuccess<Result> {
    if (this.#inCashMinor === 0) return success;
    const payments = this.tenders.map(({ method, amountMinor }) => ({
      method,
      amount: fromMinor(amountMinor),
    }));
    return { ...success, data: { ...success.data, payments } };
  }
}

interface TendersInDoubt extends Pick<ResolveContext<unknown>, "keep"> {
  readonly evidence: Evidence;
}
