/** Storing, reading and reversing receipts. */

import { callerOf, type Principal } from "#core/access.ts";
import { acceptedCommand } from "#core/command/command.ts";
import { printReceipt, toSaleDocument } from "#core/command/types/print-receipt.ts";
import { toStornoDocument } from "#core/command/types/print-reversal-receipt.ts";
import { isSimulated } from "#core/device/device.ts";
import { shopPrinterOf } from "#core/device/printer.ts";
import { ApiError, noSuch, type ValidationIssue, validationError } from "#core/errors.ts";
import { fromMinor } from "#core/money.ts";
import { type Left, reversibleLines } from "#core/receipt-left.ts";
import type { ReceiptType, StoredReceipt } from "#core/receipt-record.ts";
import { documentTotalMinor } from "#core/receipt-total.ts";
import { beyondSale, lineRecord, requireOriginal } from "#core/reversal-fault.ts";
import { inCurrencyOf } from "#core/sale-in-euro.ts";
import { acceptedReversal } from "#db/stores/accepted-reversal.ts";
import type { NewCommand } from "#db/stores/commands.ts";
import { timezoneOfDevice } from "#db/stores/device-place.ts";
import { givenNumberFault } from "#db/stores/given-number.ts";
import type { Stores } from "#db/stores/index.ts";
import { repeatLack } from "#db/stores/last-receipt.ts";
import { asOnPaper } from "#db/stores/proven-number.ts";
import type { ListedReceipt, ReceiptFilter, ReceiptSort } from "#db/stores/receipt-list.ts";
import { receiptPrinter } from "#db/stores/receipt-printer.ts";
import { leftOfSale } from "#db/stores/sale-left.ts";
import { madeOfLeft } from "#db/stores/sale-taken.ts";
import type { Transaction, Writer } from "#db/writer.ts";
import { type PageEnd, type PageQuery, readPage } from "../../http/paging.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { toCommandRecord } from "../commands/schema.ts";
import type { QueuePort } from "../commands/service.ts";
import type { Operation } from "../idempotency/once.ts";
import { paymentRecord, type ReceiptRecord, receiptRecord } from "./records.ts";
import type { CreateReceiptBody, ReversibleRecord, StornoBody } from "./schema.ts";
import { isStoredAlready } from "./stored-already.ts";
import { requireAllowed, requireLeft, stornoOf } from "./storno.ts";

export interface ReceiptServiceOptions {
  readonly stores: Stores;
  readonly writer: Writer;
  readonly queue: Pick<QueuePort, "accept" | "accepting" | "renewStornos" | "expiryOf">;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
}

/** A storno that is asked for, at most once for its key. */
interface AskedOnce {
  readonly body: StornoBody;
  readonly idempotencyKey: string | null;
}

export type ReceiptService = ReturnType<typeof createReceiptService>;

/** What receipts can be in order of, as the API names it; the first unless asked otherwise. */
export const RECEIPT_SORTS = ["createdAt", "issuedAt", "bookedAt", "total"] as const;
type Sort = (typeof RECEIPT_SORTS)[number];

/** Parts of a history that are searched for one page of `q`: about 100,000 receipts. */
const SEARCHED_PARTS_MAX = 50;
/** The clock of whoever printed a receipt may be ahead by this much. */
const ISSUE_AHEAD_MAX_MS = 86_400_000;
/** No receipt is older; and of the year 0, which a journal would then tell, no reader knows. */
const EARLIEST_ISSUE = 0;
/** Receipts of an export that are read at once. */
const EXPORTED_ROWS = 200;

/** Makes the service. */
export function createReceiptService(options: ReceiptServiceOptions) {
  const { stores, writer, queue, clock, random } = options;

  const existing = (orgId: string, receiptId: string): ListedReceipt => {
    const receipt = stores.receipts.get(orgId, receiptId);
    if (!receipt) throw noSuch("receipt");
    return receipt;
  };
  const requireDevice = (orgId: string, deviceId: string) => {
    const device = stores.devices.get(orgId, deviceId);
    if (!device) throw noSuch("device");
    return device;
  };
  const left = (sale: StoredReceipt): Left => leftOfSale(stores, sale);
  const currencyOf = (orgId: string): string => stores.organizations.get(orgId)?.currency ?? "";
  /** @throws ApiError UNPROCESSABLE_ENTITY */
  const requireOwnNumber = (sale: StoredReceipt): void => {
    const fault = givenNumberFault(stores, sale);
    if (fault !== undefined) throw beyondSale(sale, fault);
  };
  /** @throws ApiError UNPROCESSABLE_ENTITY */
  const requireReversible = (receipt: StoredReceipt): void => {
    if (receipt.originalReceiptId === null) return;
    const sale = existing(receipt.orgId, receipt.originalReceiptId);
    requireOriginal(sale, { ...receipt, isPriced: true });
    // It is made already, whatever is asked for meanwhile that may be of another sale.
    const rest = leftOfSale(stores, sale, { isOnlyPossible: true });
    requireLeft(sale, rest, inCurrencyOf(sale, receipt, receipt.currency));
  };

  return {
    /** @throws ApiError NOT_FOUND */
    requireDevice(orgId: string, deviceId: string): void {
      requireDevice(orgId, deviceId);
    },

    /** @throws ApiError NOT_FOUND */
    requireReceipt(orgId: string, receiptId: string): void {
      existing(orgId, receiptId);
    },

    /**
     * Checks a receipt that was made elsewhere; nothing is stored yet.
     * @throws ApiError NOT_FOUND, VALIDATION_ERROR
     */
    prepare(principal: Principal, body: CreateReceiptBody): StoredReceipt {
      const { orgId } = principal;
      const device = requireDevice(orgId, body.deviceId);
      const now = clock.now();
      const issues = [...bodyIssues(body), ...issueTimeIssues(body.issuedAt, now)];
      if (issues.length > 0) throw validationError(issues);
      const { items, modifiers, payments } = toSaleDocument(body);
      return {
        id: random.id("rct"),
        orgId,
        deviceId: device.id,
        locationId: device.locationId,
        commandId: null,
        apiKeyId: principal.kind === "key" ? principal.keyId : null,
        type: body.type,
        fiscalId: body.fiscalId,
        receiptNumber: body.receiptNumber ?? null,
        uniqueSaleNumber: body.uniqueSaleNumber ?? null,
        fiscalMemorySerialNumber: body.fiscalMemorySerialNumber ?? null,
        zReportNumber: body.zReportNumber ?? null,
        issuedAt: body.issuedAt === undefined ? now : Date.parse(body.issuedAt),
        currency: currencyOf(orgId),
        items,
        subtotalModifiers: modifiers,
        payments,
        totalMinor: documentTotalMinor(items, modifiers),
        customerCif: body.customerCif ?? null,
        originalReceiptId: body.originalReceiptId ?? null,
        source: "api",
        createdAt: now,
        simulated: isSimulated(device),
        printerSerialNumber: null,
        numberBy: "till",
      };
    },

    /**
     * Stores a receipt, inside an operation.
     * @throws ApiError NOT_FOUND for an original that is not there, CONFLICT for a fiscal id that the device has given already,
     * UNPROCESSABLE_ENTITY for more than what is left of the original
     */
    store(tx: Transaction, principal: Principal, receipt: StoredReceipt): ReceiptRecord {
      const { id, orgId, deviceId, fiscalId, createdAt } = receipt;
      requireDevice(orgId, deviceId);
      if (isStoredAlready(stores, receipt)) {
        throw new ApiError("CONFLICT", "A receipt of the printer with this fiscalId is stored");
      }
      requireReversible(receipt);
      stores.receipts.insert(receipt);
      queue.renewStornos(receipt);
      stores.audit.append({
        ...{ ...callerOf(principal), at: createdAt, action: "receipt.create" },
        ...{ resource: id, details: { deviceId, type: receipt.type, fiscalId } },
      });
      tx.emit({ type: "receipt.created", orgId, receipt });
      return receiptRecord(receipt);
    },

    /** @throws ApiError NOT_FOUND */
    get: (orgId: string, receiptId: string): ReceiptRecord =>
      receiptRecord(existing(orgId, receiptId)),

    /** True while the printer behind its record would repeat this one: see `repeatLack`. */
    isRepeatable(orgId: string, receiptId: string): boolean {
      const device = stores.devices.get(orgId, existing(orgId, receiptId).deviceId);
      if (!device) return false;
      const printer = receiptPrinter(stores, shopPrinterOf(device), isSimulated(device));
      return repeatLack(stores, printer, receiptId) === undefined;
    },

    /**
     * What may still be reversed of a receipt: of one that is no sale nothing.
     * @throws ApiError NOT_FOUND
     */
    reversible(orgId: string, receiptId: string): ReversibleRecord {
      const receipt = existing(orgId, receiptId);
      const told = stores.devices.get(orgId, receipt.deviceId)?.reversalTenders;
      const tenders = told ? [...told] : null;
      if (receipt.type !== "sale") return { amount: 0, lines: [], payments: [], tenders };
      const rest = left(receipt);
      const amounts = reversibleLines(rest).map(({ amountMinor }) => amountMinor);
      const amount = fromMinor(amounts.reduce((sum, amountMinor) => sum + amountMinor, 0));
      const lines = rest.lines.map(lineRecord);
      return { amount, lines, payments: rest.payments.map(paymentRecord), tenders };
    },

    /** @throws ApiError VALIDATION_ERROR when `startAfter` names no receipt */
    async list(
      orgId: string,
      filter: ReceiptFilter,
      page: PageQuery<Sort>,
    ): Promise<PageEnd & { receipts: ReceiptRecord[] }> {
      const { rows, ...end } = await readPage(
        { ...page, sortBy: storedSort(page.sortBy) },
        {
          what: "receipt",
          find: (id) => stores.receipts.get(orgId, id),
          list: (place) => stores.receipts.list(orgId, filter, place),
          ...(filter.q === undefined ? {} : { partsMax: SEARCHED_PARTS_MAX }),
        },
      );
      return { receipts: rows.map(receiptRecord), ...end };
    },

    /** All receipts between two instants of the time that is asked by, oldest first, a few at a time. */
    *exported(
      orgId: string,
      filter: Pick<ReceiptFilter, "deviceId" | "type" | "time" | "from" | "to" | "simulated">,
    ): Generator<readonly ReceiptRecord[], void> {
      const sortBy = filter.time ?? "issuedAt";
      const page = { limit: EXPORTED_ROWS, order: "asc", sortBy } as const;
      let startAfter: ListedReceipt | undefined;
      do {
        const rows = [...stores.receipts.list(orgId, filter, { ...page, startAfter })].flat();
        yield rows.map(receiptRecord);
        startAfter = rows.length === EXPORTED_ROWS ? rows.at(-1) : undefined;
      } while (startAfter);
    },

    /**
     * Checks the storno of a sale. The operation queues it, and reserves with its command what it
     * reverses; `run` throws where another one has come first.
     * @throws ApiError NOT_FOUND, VALIDATION_ERROR, UNPROCESSABLE_ENTITY, SERVICE_UNAVAILABLE
     */
    prepareStorno(principal: Principal, receiptId: string, asked: AskedOnce): Operation {
      const { body, idempotencyKey } = asked;
      const { orgId } = principal;
      const sale = existing(orgId, receiptId);
      const requirePrinter = () => {
        const device = stores.devices.get(orgId, sale.deviceId);
        if (device) return device;
        const message = "The device that printed the sale is no longer registered";
        throw new ApiError("UNPROCESSABLE_ENTITY", message);
      };
      const { serialNumber, reversalTenders } = requirePrinter();
      requireOwnNumber(sale);
      const ofRecord = sale.source === "command" ? serialNumber : null;
      const printerSerialNumber = sale.printerSerialNumber ?? ofRecord;
      const by = () => ({ currency: currencyOf(orgId), simulated: sale.simulated });
      const paper = asOnPaper(stores, sale);
      const known = { ...paper, printerSerialNumber, reversalTenders, by: by() };
      const made = madeOfLeft(stores, sale, (rest) => stornoOf(known, rest, body));
      const { payload, asked: counted } = made;
      const now = clock.now();
      const command: NewCommand = acceptedCommand({
        id: random.id("cmd"),
        orgId,
        deviceId: sale.deviceId,
        type: "print_reversal_receipt",
        payload,
        source: principal.kind === "key" ? "api" : "portal",
        apiKeyId: principal.kind === "key" ? principal.keyId : null,
        requestedBy: principal.kind === "user" ? principal.userId : null,
        createdAt: now,
        expiresAt: queue.expiryOf(now),
        idempotencyKey,
        simulated: sale.simulated,
      });
      return {
        run(tx) {
          requirePrinter();
          // Another one may have come first, or its number, or the shop's currency have changed.
          requireOriginal(sale, by());
          requireOwnNumber(sale);
          madeOfLeft(stores, sale, (rest) => requireAllowed(sale, rest, counted));
          const accepted = { sale, items: counted.items, currency: sale.currency };
          const document = toStornoDocument(payload, timezoneOfDevice(stores, command));
          stores.reversals.add(acceptedReversal(stores, command, { document, accepted }));
          queue.accept(tx, command);
          stores.audit.append({
            ...{ ...callerOf(principal), at: now, action: "receipt.storno" },
            ...{ resource: sale.id, details: { commandId: command.id, reason: body.reason } },
          });
          const record = toCommandRecord(command);
          return { status: 202, body: { command: record }, commandId: record.id };
        },
        write: (operation) => queue.accepting(command, operation),
      };
    },

    /** Writes an operation that stores a receipt. */
    storing: <T>(operation: (tx: Transaction) => T): Promise<T> => writer.run(operation),
  };
}

function storedSort(sortBy: Sort): ReceiptSort {
  return sortBy === "total" ? "totalMinor" : sortBy;
}

/** Faults that the schema cannot say. */
function bodyIssues(body: CreateReceiptBody): ValidationIssue[] {
  return [...printReceipt.check(body), ...originalIssues(body.type, body.originalReceiptId)];
}

/** A receipt of tomorrow is in no day's books; clocks of tills, and their zones, may be wrong. */
function issueTimeIssues(issuedAt: string | undefined, now: number): ValidationIssue[] {
  if (issuedAt === undefined) return [];
  const at = Date.parse(issuedAt);
  if (at < EARLIEST_ISSUE)
    return [{ path: "issuedAt", message: "Expected a time of 1970 or later" }];
  if (at <= now + ISSUE_AHEAD_MAX_MS) return [];
  return [{ path: "issuedAt", message: "Expected a time that is not more than a day ahead" }];
}

function originalIssues(type: ReceiptType, originalReceiptId?: string): ValidationIssue[] {
  const path = "originalReceiptId";
  if (type === "sale") {
    return originalReceiptId === undefined ? [] : [{ path, message: "A sale has no original" }];
  }
  return originalReceiptId === undefined
    ? [{ path, message: `Expected the id of the sale that the ${type} is of` }]
    : [];
}
