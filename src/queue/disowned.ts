/**
 * Documents that a person called not printed, and that may stand open on their printers all the same:
 * nothing may finish one. Like a hold it belongs to the printer, over whichever record that is reached.
 */

import { isFiscalDocument } from "#core/command/catalogue.ts";
import {
  answersFor,
  countsFor,
  mayStandOpenAt,
  type Printer,
  printerOf,
  tellsNumber,
} from "#core/device/printer.ts";
import type { Device } from "#db/stores/devices.ts";
import type { Stores } from "#db/stores/index.ts";
import { type Happened, inOrder } from "#db/stores/order.ts";
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
    const mayBeIts = (hold: HandedHold) => tellsNumber(hold) || mayStandOpenAt(hold, device);
    return this.#last(device, mayBeIts) !== undefined;
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
    return device && this.#last(device, (hold) => mayStandOpenAt(hold, device));
  }

  /** What was called not printed last of those that may stand open there, where it still may. */
  #last(device: Device, mayBeIts: (hold: HandedHold) => boolean): HandedHold | undefined {
    const settled = this.#o.stores.outcomeHolds.listSaidDocuments(device.orgId, SETTLED_MAX);
    return settled.find((hold) => mayBeIts(hold) && this.#isLast(hold, { settled, device }));
  }

  /**
   * True where nothing was said or printed since of its printer, nor of the device's: that would have come
   * behind it.
   * @param at `settled` counts for the shop of the device, the newest first
   */
  #isLast(
    hold: HandedHold,
    at: { readonly settled: readonly HandedHold[]; readonly device: Device },
  ): boolean {
    const { settled, device } = at;
    const { orgId, outcome, resolvedAt, resolvedOrder } = hold;
    if (outcome !== "not_printed" || resolvedAt === null) return false;
    const isIts = this.#belonging(hold, device);
    if (settled.find(isIts) !== hold) return false;
    const records = this.#recordsOf(hold, isIts);
    const since = { order: resolvedOrder, at: resolvedAt };
    return !records.some((record) => this.#printedSince(record, { since, orgId }));
  }

  /**
   * What is its printer's or the device's. Of a new record's printer nobody knows which it is: what was at its
   * address before may have been another one's.
   */
  #belonging(hold: HandedHold, device: Device): (one: Printer) => boolean {
    const there = isNew(device) ? undefined : printerOf(device);
    return (one) => answersFor(one, hold) || (there !== undefined && answersFor(one, there));
  }

  /** The records of its printer, or of the device's, and its own, where that leads nowhere else. */
  #recordsOf(
    { orgId, deviceId: id }: HandedHold,
    isIts: (one: Printer) => boolean,
  ): Pick<Device, "id" | "orgId">[] {
    const { devices } = this.#o.stores;
    const records = devices.listAll().filter((record) => isIts(printerOf(record)));
    return devices.find(id) === undefined ? [...records, { id, orgId }] : records;
  }

  #printedSince(
    record: Pick<Device, "id" | "orgId">,
    { since, orgId }: { readonly since: Happened; readonly orgId: string },
  ): boolean {
    return this.#o.stores.commands
      .listPrinted(record.id)
      .take(PRINTED_MAX)
      .some(
        ({ type, result, finishedAt, finishedOrder, controllerId }) =>
          countsFor(orgId, { orgId: record.orgId, controllerId }) &&
          isFiscalDocument(type) &&
          result?.success === true &&
          inOrder({ order: finishedOrder, at: finishedAt ?? 0 }, since) >= 0,
      );
  }
}
