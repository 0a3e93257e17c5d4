/** What the line monitor answers. */

import { Type } from "@sinclair/typebox";
import { LINE_EVENTS, SHOWN_BYTES_MAX } from "#core/device/trace.ts";
import { DateTime, oneOf } from "#core/schema-parts.ts";

const entryFields = {
  number: Type.Integer({ description: "Counts the entries of the device" }),
  at: DateTime,
  times: Type.Integer({ description: "How often the same came in a row" }),
  lastAt: Type.String({ format: "date-time", description: "The last of those times" }),
};

const FrameEntry = Type.Object({
  kind: Type.Literal("frame"),
  ...entryFields,
  direction: Type.Union([Type.Literal("out"), Type.Literal("in")], {
    description: "out is to the device",
  }),
  name: Type.String({ description: "What it is, such as `48 open sale #2Ch`" }),
  text: Type.String({ description: "Its content for people; secrets are `****`" }),
  hex: Type.String({
    description: `Its first ${SHOWN_BYTES_MAX} bytes; secret ones and their checksum are \`**\``,
  }),
  byteCount: Type.Integer({ description: "Bytes on the line, however many are shown" }),
  isDamaged: Type.Boolean({ description: "No frame, or not a whole one" }),
});

const LineEntry = Type.Object({
  kind: Type.Literal("line"),
  ...entryFields,
  event: oneOf(LINE_EVENTS),
  text: Type.String({ description: "Where, which device, or why" }),
});

const Entry = Type.Union([FrameEntry, LineEntry]);

export const TraceAnswer = Type.Object({ deviceId: Type.String(), entries: Type.Array(Entry) });

export const TraceLine = Type.Union([
  Entry,
  Type.Object({
    kind: Type.Literal("dropped"),
    count: Type.Integer({ description: "Entries left out because they were read too slowly" }),
  }),
]);
