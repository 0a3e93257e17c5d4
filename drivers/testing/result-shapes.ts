/** The form of each command type's result, as the API document shows it. */

import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import type { CommandType } from "#core/command/catalogue.ts";
import { toMinor } from "#core/money.ts";
import { PAYMENT_METHODS } from "#core/receipt.ts";
import { VAT_GROUP_PATTERN } from "#core/vat.ts";

const Exactly = (fields: TProperties) => Type.Object(fields, { additionalProperties: false });
const OrNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const Text = Type.String({ minLength: 1 });
/** Currency units. */
const Amount = Type.Number();
const Count = Type.Integer({ minimum: 0 });
const Instant = Type.String({
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$",
});
const Group = Type.String({ pattern: VAT_GROUP_PATTERN });
const Hex = Type.String({ pattern: "^([0-9a-f]{2})*$" });
const Nothing = Exactly({});

export const StatusShape = Exactly({
  paper: OrNull(Type.Union([Type.Literal("ok"), Type.Literal("low"), Type.Literal("out")])),
  cover: OrNull(Type.Union([Type.Literal("closed"), Type.Literal("open")])),
  fiscalReceiptOpen: OrNull(Type.Boolean()),
  nonFiscalReceiptOpen: OrNull(Type.Boolean()),
  fiscalDayOpen: OrNull(Type.Boolean()),
  dayCloseRequired: OrNull(Type.Boolean()),
  fiscalMemory: OrNull(
    Type.Union([Type.Literal("ok"), Type.Literal("near_full"), Type.Literal("full")]),
  ),
  clockSet: OrNull(Type.Boolean()),
  hardwareError: OrNull(Type.Boolean()),
  fiscalized: OrNull(Type.Boolean()),
  errors: Type.Array(Exactly({ code: Text, message: Text })),
  rawHex: Hex,
});

export const InfoShape = Exactly({
  serialNumber: OrNull(Text),
  firmwareVersion: OrNull(Text),
  fiscalMemorySerialNumber: OrNull(Text),
  manufacturer: OrNull(Text),
  model: OrNull(Text),
});

const Receipt = {
  receiptNumber: Text,
  fiscalMemorySerialNumber: OrNull(Text),
  zReportNumber: OrNull(Text),
  issuedAt: OrNull(Instant),
  totalAmount: Amount,
  change: Amount,
};
const Cash = {
  cashBalance: OrNull(Amount),
  cashIn: Type.Optional(OrNull(Amount)),
  cashOut: Type.Optional(OrNull(Amount)),
};
const Report = Exactly({
  reportNumber: OrNull(Count),
  type: Type.Union([Type.Literal("x_report"), Type.Literal("z_report")]),
  receiptCount: OrNull(Count),
  reversalCount: OrNull(Count),
  totals: Exactly({
    gross: OrNull(Amount),
    reversals: OrNull(Amount),
    cashIn: OrNull(Amount),
    cashOut: OrNull(Amount),
    cashBalance: OrNull(Amount),
  }),
  vat: OrNull(
    Type.Array(
      Exactly({
        group: Group,
        rate: OrNull(Type.Number()),
        turnover: Amount,
        tax: OrNull(Amount),
      }),
    ),
  ),
  payments: OrNull(
    Type.Array(
      Exactly({
        method: Type.Union(PAYMENT_METHODS.map((method) => Type.Literal(method))),
        amount: Amount,
      }),
    ),
  ),
  openedAt: OrNull(Instant),
  closedAt: OrNull(Instant),
  fiscalMemorySerialNumber: OrNull(Text),
});

/** What `data` of a completed command holds, all of it. */
const RESULT_SHAPES = {
  print_receipt: Exactly(Receipt),
  void_receipt: Exactly({ ...Receipt, voidedReceiptId: Text }),
  print_reversal_receipt: Exactly(Receipt),
  void_open_receipt: Exactly({ receiptNumber: OrNull(Text) }),
  print_duplicate: Nothing,
  non_fiscal_receipt: Nothing,
  x_report: Report,
  z_report: Report,
  cash_in: Exactly(Cash),
  cash_out: Exactly(Cash),
  get_cash_amount: Exactly({ ...Cash, currency: Text }),
  open_drawer: Nothing,
  set_datetime: Exactly({ dateTime: Instant }),
  set_logo: Exactly({ width: Count, height: Count }),
  delete_logo: Nothing,
  set_vat_rates: Exactly({ changesLeft: Type.Optional(OrNull(Count)) }),
  set_header_footer: Nothing,
  set_operator: Exactly({ operatorId: Count }),
  get_operators: Exactly({
    operators: Type.Array(Exactly({ operatorId: Count, name: Type.String() })),
  }),
  get_status: StatusShape,
  get_info: Exactly({ info: InfoShape }),
  get_last_receipt_info: Exactly({
    lastReceipt: Exactly({
      receiptNumber: OrNull(Text),
      receiptDateTime: OrNull(Instant),
      receiptAmount: OrNull(Amount),
      fiscalMemorySerialNumber: OrNull(Text),
    }),
  }),
  get_date_time: Exactly({ dateTime: OrNull(Instant) }),
  get_vat_rates: Exactly({
    rates: Type.Array(
      Exactly({
        group: Group,
        rate: Type.Number({ minimum: 0, maximum: 100 }),
        enabled: Type.Boolean(),
      }),
    ),
  }),
  get_vat_capabilities: Exactly({
    maxRates: Count,
    groups: Type.Array(Group),
    namesProgrammable: Type.Boolean(),
    changesLeft: OrNull(Count),
  }),
  get_header_footer_capabilities: Exactly({
    maxHeaderLines: Count,
    maxFooterLines: Count,
    maxCharsPerLine: Count,
  }),
  get_header_footer: Exactly({
    header: Type.Array(Type.String()),
    footer: Type.Array(Type.String()),
  }),
  get_operator_capabilities: Exactly({
    maxOperators: Count,
    maxNameLength: Count,
    maxPasswordLength: Count,
    supportsPassword: Type.Boolean(),
    passwordChangeRequiresOldPassword: Type.Boolean(),
    canGetOperators: Type.Boolean(),
  }),
  raw_command: Exactly({ dataHex: Hex, data: Type.String(), statusHex: Hex }),
} satisfies Record<CommandType, TSchema>;

const compiled = new Map<TSchema, TypeCheck<TSchema>>();

/** What is wrong with a value of this form, in words; empty when nothing is. */
export function shapeFaults(shape: TSchema, value: unknown): string[] {
  const checker = compiled.get(shape) ?? TypeCompiler.Compile(shape);
  compiled.set(shape, checker);
  return [...checker.Errors(value)].map(
    ({ path, message, value: found }) => `${path}: ${message}, not ${JSON.stringify(found)}`,
  );
}

/** What is wrong with the result of a command of this type. */
export function resultFaults(type: CommandType, data: unknown): string[] {
  return [...shapeFaults(RESULT_SHAPES[type], data), ...inexactNumbers(data)];
}

/** Amounts and rates have two decimals at most; what has more was summed in floating point. */
function inexactNumbers(value: unknown): string[] {
  if (typeof value === "number") {
    return toMinor(value) === undefined ? [`${value} has more than two decimals`] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(inexactNumbers);
}
