/**
 * What a profile is: everything in which one model of device differs from another, as data. The
 * schema here checks built-in and user profiles alike, gives the types, and is published as
 * `docs/custom-profile.schema.json`.
 */

import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { PROFILE_ID_PATTERN } from "#core/device/profile-id.ts";
import { FLOWS, PARITIES } from "#core/device/serial-address.ts";
import { FISCAL_ERRORS, type FiscalErrorCode } from "#core/errors.ts";
import { PAYMENT_METHODS } from "#core/receipt.ts";
import { VAT_RATE_GROUP_PATTERN } from "#core/vat.ts";
import { ACTION_NAMES, type ActionName } from "./actions.ts";
import { CHECKSUM_KINDS } from "./checksum.ts";
import { CHECKED_PARTS } from "./frame.ts";

/** Bounds of texts in a profile: none of them is long in any protocol known. */
const TEXT_MAX = 64;
const TEMPLATE_MAX = 200;

function oneOf<const T extends string>(values: readonly T[], description: string) {
  return Type.Union(
    values.map((value) => Type.Literal(value)),
    { description },
  );
}

const Byte = (description: string) => Type.String({ pattern: "^[0-9A-Fa-f]{2}$", description });
const Milliseconds = (description: string, maximum: number) =>
  Type.Integer({ minimum: 1, maximum, description });
const Count = (description: string, maximum: number) =>
  Type.Integer({ minimum: 0, maximum, description });

const SerialSettings = Type.Object(
  {
    baudRate: Type.Integer({ minimum: 300, maximum: 4_000_000 }),
    dataBits: Type.Union([Type.Literal(7), Type.Literal(8)]),
    parity: Type.Union(PARITIES.map((parity) => Type.Literal(parity))),
    stopBits: Type.Union([Type.Literal(1), Type.Literal(2)]),
    flow: Type.Optional(oneOf(FLOWS, "Flow control; none when left out")),
  },
  { additionalProperties: false },
);

const Timeouts = Type.Object(
  {
    ackMs: Milliseconds("Until a frame is acknowledged", 60_000),
    replyMs: Milliseconds("From there to the answer", 120_000),
    reportMs: Milliseconds("The same for commands with `slow`", 600_000),
    quietMs: Milliseconds("Silence that ends an answer without a frame", 5_000),
    busyMs: Milliseconds("How long a device that says it is busy is asked again", 120_000),
  },
  { additionalProperties: false },
);

const Framing = Type.Object(
  {
    start: Type.Union([Byte("First byte"), Type.Null()], {
      description: "First byte of a frame; null where frames begin with the command",
    }),
    end: Type.Union([Byte("Last byte"), Type.Null()], {
      description: "Last byte of a frame; null where nothing ends a command",
    }),
    counterDigits: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)], {
      description: "Decimal digits of the frame counter",
    }),
    ident: Type.String({ maxLength: 8, description: "Fixed text between counter and command" }),
    checksum: Type.Object(
      {
        kind: oneOf(CHECKSUM_KINDS, "How it is computed"),
        over: Type.Array(Type.Union(CHECKED_PARTS.map((part) => Type.Literal(part))), {
          maxItems: CHECKED_PARTS.length,
          description: "The parts of a frame that it covers",
        }),
        place: oneOf(["beforeEnd", "afterEnd"], "Before or after the last byte"),
      },
      { additionalProperties: false },
    ),
    ack: Type.Union([Byte("Frame taken"), Type.Null()], { description: "Null: there is none" }),
    nack: Type.Union([Byte("Frame refused"), Type.Null()], { description: "Null: there is none" }),
    hostAck: oneOf(
      ["afterAckNack", "afterReply", "both", "never"],
      "When the host sends the ack byte itself",
    ),
    replies: oneOf(
      ["auto", "framed", "bare", "none"],
      "Answers in frames, without frames, either way, or none at all: then nothing is confirmed",
    ),
    echoLength: Count("How many characters of a command its answer repeats", 8),
    bodyBytesMax: Type.Integer({ minimum: 1, maximum: 2_000 }),
  },
  { additionalProperties: false },
);

const CommandEntry = Type.Object(
  {
    send: Type.String({ minLength: 1, maxLength: TEMPLATE_MAX, description: "Template" }),
    reply: Type.Optional(
      Type.String({ minLength: 1, maxLength: TEMPLATE_MAX, description: "Pattern of the answer" }),
    ),
    slow: Type.Optional(Type.Boolean({ description: "Waits for `reportMs` instead of `replyMs`" })),
  },
  { additionalProperties: false },
);
/** A template alone, an entry, or null for a command that the device lacks. */
const Command = Type.Union([
  Type.String({ minLength: 1, maxLength: TEMPLATE_MAX }),
  CommandEntry,
  Type.Null(),
]);

/** What one digit of the sensors or the hardware state tells when it is not 0. */
const FLAGS = [
  "coverOpen",
  "paperOut",
  "paperLow",
  "journalFull",
  "journalNearFull",
  "memoryFault",
  "hardwareFault",
  "clockNotSet",
  "fiscalized",
  "dayClosed",
  "training",
  "unused",
] as const;
export type Flag = (typeof FLAGS)[number];

/** What the digit of `step` means for the document at hand. */
export const STEPS = ["none", "lines", "paying", "paid", "closed", "nonFiscal"] as const;
export type DocumentStep = (typeof STEPS)[number];

/** What an error number means: one of our codes, or that the device is busy and may be asked again. */
const MEANINGS = ["busy", ...Object.keys(FISCAL_ERRORS).filter(isFiscalCode)] as const;

function isFiscalCode(text: string): text is FiscalErrorCode {
  return Object.hasOwn(FISCAL_ERRORS, text);
}

const FlagList = Type.Array(Type.Union(FLAGS.map((flag) => Type.Literal(flag))), { maxItems: 32 });
const Short = (description: string) => Type.String({ maxLength: TEXT_MAX, description });

/** Fields of a whole profile, but for `id` and `extends`. */
const FIELDS = {
  version: Type.Literal(1, { description: "Version of this format" }),
  title: Type.String({ maxLength: 200 }),
  unconfirmed: Type.Array(Type.String({ maxLength: 500 }), {
    maxItems: 50,
    description: "What nobody has checked on a device, in sentences",
  }),
  models: Type.Array(Type.String({ minLength: 1, maxLength: TEXT_MAX }), {
    maxItems: 100,
    description: "How the device's own model name begins; empty: only when a device names the id",
  }),
  serial: Type.Array(SerialSettings, {
    minItems: 1,
    maxItems: 16,
    description: "Settings of the serial port, the likeliest first",
  }),
  timeouts: Timeouts,
  framing: Framing,
  commands: Type.Partial(
    Type.Object(
      // TypeBox wants the keys spelled out; the table of actions is where they stand.
      Object.fromEntries(ACTION_NAMES.map((name) => [name, Command])) as Record<
        ActionName,
        typeof Command
      >,
      { additionalProperties: false },
    ),
  ),
  status: Type.Object(
    {
      sensors: FlagList,
      hardware: FlagList,
      steps: Type.Record(Type.String({ pattern: "^[0-9A-Za-z]{1,2}$" }), oneOf(STEPS, "Step"), {
        additionalProperties: false,
        maxProperties: 32,
      }),
      fiscalized: Short("`state` of fiscalState on a device in fiscal service"),
    },
    { additionalProperties: false },
  ),
  errors: Type.Object(
    {
      prefix: Type.String({ minLength: 1, maxLength: 8, description: "How a refusal begins" }),
      extended: Short("Number that says to ask `lastError`; empty: none does"),
      meanings: Type.Record(
        Type.String({ pattern: "^([0-9]{1,4}|\\*)$" }),
        oneOf(MEANINGS, "One of our codes, or busy"),
        {
          additionalProperties: false,
          maxProperties: 400,
          description: "By number without leading zeros; * for all others",
        },
      ),
    },
    { additionalProperties: false },
  ),
  text: Type.Object(
    {
      highest: Type.Integer({ minimum: 0x7a, maximum: 0x7e, description: "Highest character" }),
      replace: Type.Record(Type.String({ pattern: "^.$" }), Short("Put instead"), {
        additionalProperties: false,
        maxProperties: 32,
      }),
      forbidden: Type.Array(Type.String({ minLength: 1, maxLength: TEXT_MAX }), { maxItems: 16 }),
      discount: Short("Text of a discount"),
      surcharge: Short("Text of a surcharge"),
      cancel: Short("Text of a cancellation"),
      payment: Short("Text of a payment"),
      saleNumber: Short("Before the unique sale number"),
      customer: Short("Before the customer's fiscal code"),
      vatName: Short("Name of a VAT group that has none"),
    },
    { additionalProperties: false },
  ),
  limits: Type.Object(
    {
      itemText: Count("Characters of an article's name", 99),
      receiptText: Count("Characters of a text line in a receipt", 99),
      slipLine: Count("Characters of a line of a slip", 99),
      headerLines: Count("Lines of the header", 10),
      headerText: Count("Characters of one of them, as many as fit on the paper", 99),
      vatText: Count("Characters of a VAT group's name", 99),
      departments: Count("Highest department", 999),
      department: Count("Department of articles that name none", 999),
      amountMinor: Type.Integer({ minimum: 1, maximum: 9_999_999_999 }),
      logoWidthDots: Count("Width of a logo", 2_000),
      logoBytes: Count("Size of a logo's file", 262_144),
    },
    { additionalProperties: false },
  ),
  tenders: Type.Object(
    Object.fromEntries(
      PAYMENT_METHODS.map((method) => [
        method,
        Type.Optional(Type.Union([Short(""), Type.Null()])),
      ]),
    ),
    { additionalProperties: false, description: "The device's code of each tender it takes" },
  ),
  vat: Type.Object(
    {
      groups: Type.Record(Type.String({ pattern: VAT_RATE_GROUP_PATTERN }), Short("Its code"), {
        additionalProperties: false,
        maxProperties: 16,
      }),
      exempt: Type.Union([Short("Code of exempt articles"), Type.Null()], {
        description: "Null: the first group that the device calls exempt, or whose rate is zero",
      }),
    },
    { additionalProperties: false },
  ),
} as const;

/** A whole profile, everything inherited. */
export const WholeProfile = Type.Object(
  { id: Type.String({ pattern: PROFILE_ID_PATTERN }), ...FIELDS },
  { additionalProperties: false },
);
export type WholeProfile = Static<typeof WholeProfile>;

/**
 * A profile as it stands in a file: what it leaves out it has of the profile it extends. Objects
 * are merged, lists and values replaced.
 */
export const ProfileFile = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 500, description: "For editors; not read" })),
    id: Type.String({ pattern: PROFILE_ID_PATTERN, description: "What devices name it by" }),
    extends: Type.Optional(
      Type.String({ pattern: PROFILE_ID_PATTERN, description: "The profile this one starts from" }),
    ),
    ...optional(FIELDS),
  },
  { additionalProperties: false, title: "Profile of a device of custom.serial" },
);
export type ProfileFile = Static<typeof ProfileFile>;

function optional<F extends Record<string, TSchema>>(fields: F) {
  const entries = Object.entries(fields).map(([name, schema]) => [
    name,
    Type.Optional(isObject(schema) ? optionalObject(schema) : schema),
  ]);
  return Object.fromEntries(entries) as Record<keyof F, TSchema>;
}

function optionalObject(schema: TObject): TSchema {
  const { description } = schema;
  return Type.Object(optional(schema.properties), {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  });
}

function isObject(schema: TSchema): schema is TObject {
  return schema.type === "object" && schema.properties !== undefined;
}
