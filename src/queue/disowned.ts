/**
 * Documents that a person called not printed, and that may stand open on their printers all the same:
 * nothing may finish one. Like a hold it belongs to the printer, over whichever record that is reached.
 */

import { isFiscalDocument } from "#core/command/catalogue.ts";
import {
  countsFor,
  isSamePrinter,
  type Printer,
  printerOf,
  tellsNumber,
} from "#core/device/printer.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import type { HandedHold } from "#db/stores/outcome-holds.ts";
import type { DisownedDocument, Lanes } from "./lanes.ts";
import { isNew } from "./printer-records.ts";

export interface DisownedOptions {
  readonly stores: Pick<Stores, "commands" | "devices" | "outcomeHolds">;
  readonly lanes: Lanes;
}

/** Documents that persons settled last, looked at for one of a printer. */
const SETTLED_MAX = 100;
/** Commands of a record looked at for a document that was printed since. */
const PRINTED_MAX = 20;

export class Disowned {
  readonly #o: DisownedOptions;

  constructor(options: DisownedOptions) {
    this.#o = options;
  }

  /** The one that may stand open on the printer of a device; undefined when there is none. */
  of(deviceId: string): DisownedDocument | undefined {
    const lane = this.#o.lanes.of(deviceId);
    if (lane.disowned === undefined) lane.disowned = this.#find(deviceId) ?? null;
    return lane.disowned ?? undefined;
  }

  /** True where one may stand open: which printer a new record leads to nobody knows yet. */
  mayStandOpen(deviceId: string): boolean {
    const device = this.#o.stores.devices.find(deviceId);
    if (device === undefined || !isNew(device)) return this.of(deviceId) !== undefined;
    return this.#ofAny(device);
  }

  /** A document was printed: whatever stands open on the device later is not the one before. */
  printed(deviceId: string): void {
    this.#o.lanes.of(deviceId).disowned = null;
  }

  /** A person said something, or another printer may stand behind a device. */
  lookAgain(): void {
    for (const lane of this.#o.lanes.all()) lane.disowned = undefined;
  }

  #find(deviceId: string): HandedHold | undefined {
    const device = this.#o.stores.devices.find(deviceId);
    return device && this.#newest(printerOf(device), this.#settled(device));
  }

  #ofAny(device: Device): boolean {
    const settled = this.#settled(device);
    return settled
      .filter((hold) => isSamePrinter(hold, printerOf(device)) || tellsNumber(hold))
      .some((hold) => this.#newest(hold, settled) !== undefined);
  }

  /** What counts for the shop of a device, the newest first. */
  #settled({ orgId }: Device): HandedHold[] {
    return this.#o.stores.outcomeHolds.listSaidDocuments(orgId, SETTLED_MAX);
  }

  /** What was said last of a printer, when that was "not printed" and nothing was printed since. */
  #newest(printer: Printer, settled: readonly HandedHold[]): HandedHold | undefined {
    const last = settled.find((hold) => isSamePrinter(hold, printer));
    if (last?.outcome !== "not_printed" || last.resolvedAt === null) return undefined;
    const { resolvedAt } = last;
    const { orgId } = last;
    const hasPrinted = this.#recordsOf(last).some((record) =>
      this.#printedSince(record, { since: resolvedAt, orgId }),
    );
    return hasPrinted ? undefined : last;
  }

  /** The records that lead to its printer, and the one that it had, where that leads nowhere else. */
  #recordsOf(hold: HandedHold): Pick<Device, "id" | "orgId">[] {
    const { devices } = this.#o.stores;
    const { orgId, deviceId: id } = hold;
    const records = devices.listAll().filter((device) => isSamePrinter(hold, printerOf(device)));
    return devices.find(id) === undefined ? [...records, { id, orgId }] : records;
  }

  #printedSince(
    record: Pick<Device, "id" | "orgId">,
    { since, orgId }: { readonly since: number; readonly orgId: string },
  ): boolean {
    return this.#o.stores.commands
      .listPrinted(record.id)
      .take(PRINTED_MAX)
      .some(
        ({ type, result, finishedAt, controllerId }) =>
          countsFor(orgId, { orgId: record.orgId, controllerId }) &&
          isFiscalDocument(type) &&
          result?.success === true &&
          (finishedAt ?? 0) >= since,
      );
  }
}
