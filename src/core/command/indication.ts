/** Which answer the numbers of a printer speak for, of a document whose outcome a person is asked for. */

import { Type } from "@sinclair/typebox";
import { orNull } from "../schema-parts.ts";
import type { ReadonlyStatic } from "./result-fields.ts";

/** A word never changes its meaning. */
const Indicates = Type.Union([
  Type.Literal("not_printed", { description: "The printer has printed no receipt since" }),
  Type.Literal("printed", {
    description: "Its last receipt comes right behind the one before, and has this one's amount",
  }),
  Type.Literal("another", {
    description:
      "It has printed since, and its last receipt has another number or amount than this one; " +
      "this one may stand before it",
  }),
  Type.Literal("since", {
    description: "It has printed since; its numbers do not tell whether that was this one",
  }),
]);

export const IndicationSchema = Type.Object({
  before: orNull(
    Type.String({
      description:
        "The number of the last document known before the command, in the row of numbers of which " +
        "the printer tells. Null where none can be compared",
    }),
  ),
  indicates: Type.Union([Indicates, Type.Null()], {
    description:
      "What that says of the command. It proves nothing, as others may print there too. Null where " +
      "the numbers say nothing of it, or nothing of it is open",
  }),
});

/** What a printer's numbers say; a person decides. */
export type Indication = ReadonlyStatic<typeof IndicationSchema>;

/** They say nothing. */
export const NO_INDICATION: Indication = { before: null, indicates: null };
