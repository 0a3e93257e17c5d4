/** Backups as the API shows them. */

import { type Static, Type } from "@sinclair/typebox";
import { patternOf } from "#core/patterns.ts";
import { named } from "../../http/named-schema.ts";

const Instant = Type.String({ format: "date-time" });
const Bytes = Type.Integer({ minimum: 0 });
const orNull = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const BackupRecord = named(
  "Backup",
  Type.Object({
    name: Type.String({ description: "Of the file" }),
    createdAt: Type.String({ format: "date-time", description: "The moment that it is of" }),
    bytes: Bytes,
  }),
);

const UsbStickRecord = Type.Object({
  name: Type.String({ description: "Its label, else its device; `usb:NAME` names it as a place" }),
  mounted: Type.Boolean({ description: "Only a mounted one can be written to" }),
  freeBytes: orNull(Bytes),
});

export const BackupsAnswer = Type.Object({
  backups: Type.Array(BackupRecord, { description: "At the usual place, newest first" }),
  last: orNull(BackupRecord),
  failed: orNull(Type.Object({ at: Instant, reason: Type.String() })),
  problem: orNull(
    Type.String({ description: "What needs a person: a failure, or none for two days" }),
  ),
  startedAt: orNull(
    Type.String({ format: "date-time", description: "Of the one that is being made" }),
  ),
  nextAt: orNull(Type.String({ format: "date-time", description: "null: none is made by itself" })),
  sticks: Type.Array(UsbStickRecord, { description: "USB sticks of the gateway's machine" }),
});

export const MakeBackupBody = Type.Object(
  {
    to: Type.Optional(
      Type.String({
        pattern: patternOf(
          "^usb(:[^\\u0000-\\u001f\\u007f]{1,255})?$",
          "`usb`, or `usb:` and the name of a stick",
        ),
        description: "A USB stick in place of the usual place: `usb` for the only one, `usb:NAME`",
      }),
    ),
  },
  { examples: [{}, { to: "usb:SHOP" }] },
);
export type MakeBackupBody = Static<typeof MakeBackupBody>;

export const BackupBegunAnswer = Type.Object({ startedAt: Instant });
