/**
 * Receipts that were printed after their command had timed out, for the alert that tells of them.
 * The audit log has them; the latest of each device is kept here, so that nobody who looks at
 * alerts has to search it.
 */

import { effectOf } from "#core/command/catalogue.ts";
import type { Command, CommandResult } from "#core/command/command.ts";
import type { ControllerKey } from "#core/controller/controller.ts";
import { LATE_RESULT_SHOWN_MS } from "#core/device/alerts.ts";
import type { AuditStore } from "#db/stores/audit.ts";
import type { Transaction } from "#db/writer.ts";
import type { ReceiptKeeper } from "./receipt-keeper.ts";

const ACTION = "command.late_result";
/** Entries looked at after a start; there is one for each command that timed out. */
const ENTRIES_MAX = 1_000;

export class LateResults {
  /** When the latest printed one came, by device; UTC milliseconds. */
  readonly #latest = new Map<string, number>();

  constructor(
    private readonly audit: Pick<AuditStore, "append" | "listSince">,
    private readonly receipts: Pick<ReceiptKeeper, "countAgain">,
  ) {}

  /** Writes one to the audit log; alerts follow when it tells of a document that was printed. */
  append(
    tx: Transaction,
    command: Command,
    late: { readonly result: CommandResult; readonly from: ControllerKey; readonly now: number },
  ): void {
    const { deviceId } = command;
    const { result, from, now } = late;
    const printed = effectOf(command.type) === "document" && result.success;
    // A person said otherwise, and the shop has acted on it.
    const contradicts = command.result?.data?.settledBy !== undefined;
    this.audit.append({
      orgId: command.orgId,
      at: now,
      actor: `controller:${from.controllerId}`,
      action: ACTION,
      resource: command.id,
      details: { deviceId, printed, contradicts, result },
    });
    if (printed) this.receipts.countAgain(command.id);
    if (printed || contradicts) tx.after(() => this.#latest.set(deviceId, now));
  }

  /** When the latest printed one came; null when none did, as far back as alerts look. */
  latest(deviceId: string): number | null {
    return this.#latest.get(deviceId) ?? null;
  }

  /** The device is gone. */
  forget(deviceId: string): void {
    this.#latest.delete(deviceId);
  }

  /** Takes up after a start what alerts still tell of. */
  recover(now: number): void {
    const entries = this.audit.listSince(ACTION, now - LATE_RESULT_SHOWN_MS, ENTRIES_MAX);
    for (const { at, details } of entries.toReversed()) {
      const { deviceId, printed, contradicts } = details ?? {};
      if (typeof deviceId !== "string") continue;
      if (printed === true || contradicts === true) this.#latest.set(deviceId, at);
    }
  }
}
