/** Receipts: what was printed. */

import { and, desc, eq, getTableColumns, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { NamedSale } from "#core/named-sale.ts";
import type { ReceiptPrinter, StoredReceipt } from "#core/receipt-record.ts";
import type { Database } from "../connection.ts";
import {
  isNumberedSale,
  isUnnumberedSale,
  RECEIPTS_BY_FISCAL_ID,
  RECEIPTS_BY_ORIGINAL,
  receiptBookedAt,
  receipts,
  SALES_BY_NUMBER,
  saleNumber,
  UNNUMBERED_SALES,
} from "../schema/receipts.ts";
import { createElsewhereReceipts } from "./elsewhere-receipts.ts";
import { rowsBy } from "./list-sql.ts";
import { createNamedSales } from "./named-sales.ts";
import { prepareLater } from "./prepared-query.ts";
import { prepareWrite } from "./prepared-write.ts";
import { isOfPrinter, printerBy } from "./printer-receipts.ts";
import { createReceiptLister, type ListedReceipt } from "./receipt-list.ts";
import { insertWhole } from "./whole-row.ts";

/** What a receipt's paper shows beside the sale itself. */
export type PaperNumbers = Pick<
  StoredReceipt,
  | "fiscalId"
  | "receiptNumber"
  | "zReportNumber"
  | "fiscalMemorySerialNumber"
  | "issuedAt"
  | "payments"
>;

/** Receipts of one number that are looked at. */
const SAME_NUMBER_MAX = 100;
/** Sales of one unique sale number that are looked at: each should have its own. */
const SAME_SALE_MAX = 1_000;

export type ReceiptStore = ReturnType<typeof createReceiptStore>;

/** All queries on receipts. */
export function createReceiptStore(database: Database) {
  const { orm } = database;
  const insert = prepareWrite(database, () => insertWhole(orm, receipts));
  const inOrganization = eq(receipts.orgId, sql.placeholder("orgId"));
  const hasId = eq(receipts.id, sql.placeholder("id"));
  const listed = {
    ...getTableColumns(receipts),
    ...{ seq: sql<number>`rowid`, bookedAt: receiptBookedAt },
  };
  const inOrganizationById = prepareLater(() =>
    orm.select(listed).from(receipts).where(and(inOrganization, hasId)),
  );
  const ofPrinterById = prepareLater(() =>
    orm
      .select()
      .from(receipts)
      .where(and(inOrganization, hasId, isOfPrinter)),
  );
  const hasFiscalId = eq(receipts.fiscalId, sql.placeholder("id"));
  const ofPrinterByFiscalId = prepareLater(() =>
    orm
      .select(getTableColumns(receipts))
      .from(rowsBy(receipts, RECEIPTS_BY_FISCAL_ID))
      .where(and(inOrganization, hasFiscalId, isOfPrinter))
      .orderBy(desc(receipts.createdAt), desc(sql`seq`))
      .limit(SAME_NUMBER_MAX),
  );
  const salesOfPrinterByNumber = prepareLater(() =>
    orm
      .select(getTableColumns(receipts))
      .from(rowsBy(receipts, SALES_BY_NUMBER))
      .where(
        and(
          ...[inOrganization, eq(receipts.receiptNumber, sql.placeholder("id"))],
          ...[isNumberedSale, isOfPrinter],
        ),
      )
      .orderBy(desc(receipts.issuedAt))
      .limit(SAME_NUMBER_MAX),
  );
  const unnumberedSales = prepareLater(() =>
    orm
      .select(getTableColumns(receipts))
      .from(rowsBy(receipts, UNNUMBERED_SALES))
      .where(
        and(...[inOrganization, eq(saleNumber, sql.placeholder("saleNumber")), isUnnumberedSale]),
      )
      .orderBy(desc(receipts.createdAt), desc(sql`seq`))
      .limit(SAME_SALE_MAX),
  );
  const byCommand = prepareLater(() =>
    orm
      .select()
      .from(receipts)
      .where(eq(receipts.commandId, sql.placeholder("commandId"))),
  );
  const reversing = prepareLater(() =>
    orm
      .select(getTableColumns(receipts))
      // Left to itself SQLite may read all that the organization has.
      .from(rowsBy(receipts, RECEIPTS_BY_ORIGINAL))
      .where(
        and(
          inOrganization,
          eq(receipts.originalReceiptId, sql.placeholder("originalReceiptId")),
          isNotNull(receipts.originalReceiptId),
        ),
      ),
  );
  const namedSales = createNamedSales(orm);
  return {
    insert(receipt: StoredReceipt): void {
      insert.run({ ...receipt });
    },
    /** Gives a receipt what its printer told later. Does nothing to one that has another number. */
    number(id: string, paper: PaperNumbers): void {
      const { fiscalId } = receipts;
      const isOfThat = paper.fiscalId === null ? undefined : eq(fiscalId, paper.fiscalId);
      orm
        .update(receipts)
        .set(paper)
        .where(and(eq(receipts.id, id), or(isNull(fiscalId), isOfThat)))
        .run();
    },
    /** A person says another number of it: the one before was misread. */
    correct(
      id: string,
      said: Pick<PaperNumbers, "fiscalId" | "receiptNumber" | "zReportNumber">,
    ): void {
      orm
        .update(receipts)
        .set({ ...said, numberBy: "person" })
        .where(eq(receipts.id, id))
        .run();
    },
    /** A storno is taken for one of another sale by what is known now. */
    setOriginal(id: string, originalReceiptId: string | null): void {
      orm.update(receipts).set({ originalReceiptId }).where(eq(receipts.id, id)).run();
    },
    get(orgId: string, id: string): ListedReceipt | undefined {
      return inOrganizationById.get({ orgId, id });
    },
    /** A printer's receipt with this id, else the newest to which it gave this fiscal id. */
    findByIdOrFiscalId(of: ReceiptPrinter, id: string): StoredReceipt | undefined {
      return ofPrinterById.get({ ...printerBy(of), id }) ?? this.listNumbered(of, id)[0];
    },
    /** The newest ones of a printer with that fiscal id, over all its records. */
    listNumbered(of: ReceiptPrinter, fiscalId: string): StoredReceipt[] {
      return ofPrinterByFiscalId.all({ ...printerBy(of), id: fiscalId });
    },
    /** The newest sales of a printer with that number of the receipt, over all its records. */
    listSalesNumbered(of: ReceiptPrinter, receiptNumber: string): StoredReceipt[] {
      return salesOfPrinterByNumber.all({ ...printerBy(of), id: receiptNumber });
    },
    /** Sales that a reversal may mean: all that fit its number, or the next ones in time. */
    listNamed: (orgId: string, named: NamedSale): StoredReceipt[] => namedSales(orgId, named),
    /**
     * The newest sales whose number nobody but a person told when they were stored, by their unique sale number.
     * @param form as `saleNumberForm` writes it
     */
    listUnnumbered(orgId: string, form: string): StoredReceipt[] {
      return unnumberedSales.all({ orgId, saleNumber: form });
    },
    /** The receipt that the command has left. */
    ofCommand(commandId: string): StoredReceipt | undefined {
      return byCommand.get({ commandId });
    },
    /** The refunds and stornos of a sale. */
    listReversing(orgId: string, originalReceiptId: string): StoredReceipt[] {
      return reversing.all({ orgId, originalReceiptId });
    },
    /** What a printer made elsewhere, stored behind a receipt with this `seq`, the oldest first. */
    listElsewhere: createElsewhereReceipts(orm),
    list: createReceiptLister(orm),
  };
}
