/** Sales by what a reversal names of its original. However often numbers came again, few are read. */

import { and, asc, desc, eq, getTableColumns, gt, lte, or, type SQL, sql } from "drizzle-orm";
import { DAY_MARK } from "#core/command/settled.ts";
import { FISCAL_DAY_OPEN_MS_MAX } from "#core/limits.ts";
import type { NamedSale } from "#core/named-sale.ts";
import type { StoredReceipt } from "#core/receipt-record.ts";
import type { Database } from "../connection.ts";
import {
  isNumberedSale,
  RECEIPTS_BY_FISCAL_ID,
  receipts,
  SALES_BY_NUMBER,
} from "../schema/receipts.ts";
import { isOneOf, rowsBy } from "./list-sql.ts";
import { prepareLater } from "./prepared-query.ts";
import { isOfMemory } from "./printer-receipts.ts";

const p = sql.placeholder;
/** Sales next to the named time that are looked at: of some only a person says that they have the number. */
const NEXT_MAX = 5;
/** A fiscal id comes again after thousands of documents, so that there are no more of one. */
const SAME_ID_MAX = 100;

const { deviceId, printerSerialNumber: serial, fiscalMemorySerialNumber: memory } = receipts;
/**
 * Only numbers of one fiscal memory follow each other. Where it is unknown, or was when the order was made,
 * those of a printer: it is named by its serial number then; and where that is unknown too, those of its
 * device records.
 */
const isNamedPrinters = sql`case
  when ${memory} is not null then ${isOfMemory} or ${serial} = ${p("memory")}
  when ${serial} = ${p("memory")} then 1
  when ${serial} is not null and ${p("serial")} is not null then ${serial} = ${p("serial")}
  else ${isOneOf(deviceId, "records")} end`;

/** Makes the search. */
export function createNamedSales(orm: Database["orm"]) {
  const { orgId, fiscalId, receiptNumber, zReportNumber, issuedAt, type } = receipts;
  /** Its number names it without the day; and two days do not have the same hour. */
  const isSameWhateverTheDay = and(
    sql`instr(${fiscalId}, ${sql.raw(`'${DAY_MARK}'`)}) = 0`,
    sql`abs(${issuedAt} - ${p("issuedAt")}) <= ${FISCAL_DAY_OPEN_MS_MAX}`,
  );
  const isOfTheDay = sql`(${zReportNumber} is null or ${p("zNumber")} is null
      or cast(${zReportNumber} as integer) = cast(${p("zNumber")} as integer))`;
  const isPossible = and(
    eq(receipts.simulated, p("simulated")),
    isNamedPrinters,
    or(isOfTheDay, isSameWhateverTheDay),
  );
  /** Where documents and receipts are counted apart, the other number is another receipt's. */
  const isItsOnlyNumber = sql`coalesce(${receiptNumber}, ${fiscalId}) = ${fiscalId}`;
  const columns = getTableColumns(receipts);
  const next = (side: SQL, order: SQL) =>
    prepareLater(() =>
      orm
        .select(columns)
        .from(rowsBy(receipts, SALES_BY_NUMBER))
        .where(
          and(
            eq(orgId, p("orgId")),
            eq(receiptNumber, p("number")),
            isNumberedSale,
            side,
            isPossible,
          ),
        )
        .orderBy(order)
        .limit(NEXT_MAX),
    );
  const before = next(lte(issuedAt, p("issuedAt")), desc(issuedAt));
  const after = next(gt(issuedAt, p("issuedAt")), asc(issuedAt));
  const byFiscalId = prepareLater(() =>
    orm
      .select(columns)
      .from(rowsBy(receipts, RECEIPTS_BY_FISCAL_ID))
      .where(
        and(
          ...[eq(orgId, p("orgId")), isOneOf(fiscalId, "numbers"), eq(type, "sale")],
          ...[isPossible, or(isOfTheDay, isItsOnlyNumber)],
        ),
      )
      .limit(SAME_ID_MAX),
  );

  return (org: string, named: NamedSale): StoredReceipt[] => {
    const values = {
      orgId: org,
      numbers: JSON.stringify([...new Set(named.numbers)]),
      records: JSON.stringify(named.by.records),
      serial: named.by.serialNumber,
      memory: named.fiscalMemorySerialNumber,
      zNumber: named.zReportNumber ?? null,
      issuedAt: named.issuedAt,
      simulated: Number(named.by.simulated),
    };
    const byNumber = named.numbers.flatMap((number) =>
      [before, after].flatMap((statement) => statement.all({ ...values, number })),
    );
    return [...byNumber, ...byFiscalId.all(values)];
  };
}
