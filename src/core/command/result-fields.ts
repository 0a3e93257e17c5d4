/** What the schemas of results are made of. */

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { orNull } from "../schema-parts.ts";

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;

/** The value that a schema describes, for those who only read it. */
export type ReadonlyStatic<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

export const FilledText = Type.String({ minLength: 1 });
export const Amount = Type.Number({ description: "Currency units" });
export const Count = Type.Integer({ minimum: 0 });
export const Percent = Type.Number({ minimum: 0, maximum: 100, description: "Percent" });
export const HexBytes = Type.String({
  pattern: "^([0-9a-f]{2})*$",
  description: "Bytes in hexadecimal",
});
export const Instant = Type.String({
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
  description: "UTC, ISO 8601 with milliseconds",
});

/** Optional in what a driver answers: where one row of numbers counts receipts and other papers. */
export const LastDocumentNumber = Type.Optional(
  orNull(
    Type.String({
      minLength: 1,
      description:
        "Number of the printer's last document of any kind, where it counts receipts and other " +
        "papers in one row",
    }),
  ),
);

/** The result of command types that print a paper and answer nothing of it. */
export const PaperResult = Type.Object({ lastDocumentNumber: LastDocumentNumber });

/** The result of command types that answer nothing but that it was done. */
export const EmptyResult = Type.Object({});
