/** Schemas of what controllers report in their messages. */

import { Type } from "@sinclair/typebox";
import type { CommandResult } from "../command/command.ts";
import { INSTANT_FORMAT } from "../command/instant.ts";
import { type Baseline, MARKS } from "../command/marks.ts";
import { identityFields, ReversalTenders } from "../command/types/get-info.ts";
import { deviceStates } from "../command/types/get-status.ts";
import {
  DETECTION_OUTCOMES,
  type DetectionProgress,
  type DetectionReport,
} from "../device/detection.ts";
import {
  type ConnectionParams,
  type DeviceInfo,
  type DeviceStatus,
  TRANSPORTS,
} from "../device/device.ts";
import {
  LINE_EVENTS,
  SHOWN_BYTES_MAX,
  TRACE_ENTRIES_MAX,
  type TraceEntry,
} from "../device/trace.ts";
import { DRIVER_IDS } from "../driver-id.ts";
import { FISCAL_ERRORS } from "../errors.ts";
import { FISCAL_ID_MAX } from "../limits.ts";
import { oneOf, orNull } from "../schema-parts.ts";

const ID_MAX = 128;
const TEXT_MAX = 1_024;
const HEX_MAX = 2 * SHOWN_BYTES_MAX + 1;
/** Of a search: more ports and hosts than a machine has. */
const ADDRESSES_MAX = 1_000;

export const Id = Type.String({ minLength: 1, maxLength: ID_MAX });
export const Text = Type.String({ maxLength: TEXT_MAX });
/** One of these. */
export const words = <const T extends string>(values: readonly T[]) =>
  Type.Unsafe<T>({ ...oneOf(values) });
/** An object of which only the outline is checked here. */
export const record = <T>(description: string) =>
  Type.Unsafe<T>(Type.Object({}, { additionalProperties: true, description }));

export const Epoch = Type.Integer({
  minimum: 1,
  description: "Of the hand-over that this belongs to; left out by older controllers",
});
export const MarkName = words(MARKS);
export const MarkId = Type.Integer({
  minimum: 1,
  description:
    "Of one report of a mark, the same where it is said again: its answer names it, so that an answer " +
    "that comes twice is taken for none of the next one",
});
export const BaselineData = record<Baseline>("What the driver read before it began; kept unread");

/** What a device told of itself when it was reached. */
export const Info = Type.Unsafe<DeviceInfo>(
  Type.Object({
    ...identityFields(Text),
    charsPerLine: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: "Of its paper; left out by older controllers, and where nobody knows",
      }),
    ),
    reversalTenders: Type.Optional({
      ...ReversalTenders,
      description:
        "In which it pays reversals back, none where it prints none; left out by older controllers",
    }),
  }),
);

export const Status = Type.Unsafe<DeviceStatus>(
  Type.Object({
    ...deviceStates,
    errors: Type.Array(Type.Object({ code: Text, message: Text }), { maxItems: 100 }),
    rawHex: Type.String({
      ...{ maxLength: TEXT_MAX, pattern: "^[0-9A-Fa-f]*$" },
      description: "The status bytes as the device sent them; empty where there are none",
    }),
    untold: Type.Optional(
      Type.Boolean({
        description:
          "True where the device answers and tells no state: what is wrong here was so when it last " +
          "told one, and nothing is waited for by it",
      }),
    ),
    partial: Type.Optional(
      Type.Boolean({
        description:
          "True where nobody has read the state, as of a device that waits for paper before that: null " +
          "then says nothing, and what was told before stands. Left out by older controllers",
      }),
    ),
    lastZNumber: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "Number of the last Z report, whoever made it: when it moves, the fiscal day was closed " +
          "meanwhile; left out by older controllers, and where nobody knows",
      }),
    ),
  }),
);

/** What was done on a device unasked, and what there is to know of it. */
export const Note = {
  action: Type.String({ maxLength: 64, pattern: "^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$" }),
  details: record<Readonly<Record<string, unknown>>>("For the person who looks"),
  noteId: Type.Optional({
    ...Id,
    description:
      "The controller's own name for it, which `note.stored` repeats: said again under the same one, as " +
      "where the connection broke, it is stored once. Left out by older controllers",
  }),
};

export const Result = Type.Unsafe<CommandResult>(
  Type.Object({
    success: Type.Boolean(),
    data: Type.Optional(record("As the command's type has it")),
    fiscalId: Type.Optional(Type.String({ minLength: 1, maxLength: FISCAL_ID_MAX })),
    errorCode: Type.Optional(words(Object.keys(FISCAL_ERRORS))),
    errorMessage: Type.Optional(Text),
  }),
);

/** A moment of the controller's clock, or of the gateway's. */
export const Instant = Type.String({ format: INSTANT_FORMAT, description: "ISO 8601" });
const Count = Type.Integer({ minimum: 0 });
const entry = { number: Count, at: Instant, times: Count, lastAt: Instant };
const Frame = Type.Object({
  kind: Type.Literal("frame"),
  ...entry,
  direction: words(["out", "in"]),
  byteCount: Count,
  isDamaged: Type.Boolean(),
  name: Text,
  text: Text,
  hex: Type.String({ maxLength: HEX_MAX }),
});
const LineEntry = Type.Object({
  kind: Type.Literal("line"),
  ...entry,
  event: words(LINE_EVENTS),
  text: Text,
});
/** As in the answer of the line monitor. */
export const TraceEntries = Type.Unsafe<readonly TraceEntry[]>(
  Type.Array(Type.Union([Frame, LineEntry]), { maxItems: TRACE_ENTRIES_MAX }),
);

/** Host and port of TCP, or the address of a serial port or a Bluetooth device. */
export const ConnectionParameters = Type.Unsafe<ConnectionParams>(
  Type.Union([
    Type.Object({ host: Text, port: Count, profile: Type.Optional(Text) }),
    Type.Object({ address: Text, profile: Type.Optional(Text) }),
  ]),
);
const address = { transport: words(TRANSPORTS), connectionParams: ConnectionParameters };
const Found = Type.Object({
  ...address,
  driver: words(DRIVER_IDS),
  serialNumber: orNull(Text),
  fiscalMemorySerialNumber: orNull(Text),
  model: orNull(Text),
  firmwareVersion: orNull(Text),
});
const Tried = Type.Object({
  ...address,
  outcome: words(DETECTION_OUTCOMES),
  reason: Text,
  probes: Count,
});
/** What came of a search for devices. */
export const Report = Type.Unsafe<DetectionReport>(
  Type.Object({
    found: Type.Array(Found, { maxItems: ADDRESSES_MAX }),
    tried: Type.Array(Tried, { maxItems: ADDRESSES_MAX }),
  }),
);
/** The question that a search is about to ask, or the device that it found by one. */
export const Progress = Type.Unsafe<DetectionProgress>(
  Type.Object({
    ...{ ...address, driver: words(DRIVER_IDS), done: Count, total: Count },
    found: Type.Optional(Found),
  }),
);
