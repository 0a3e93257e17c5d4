/** Backups as the API shows them. */

import { type Static, Type } from "@sinclair/typebox";
import { patternOf } from "#core/patterns.ts";
import { DateTime, orNull } from "#core/schema-parts.ts";
import { named } from "../../http/named-schema.ts";

const Bytes = Type.Integer({ minimum: 0 });

/** Who has set it so that only the person at the box can change it. */
const FixedBy = orNull(
  Type.Union(
    ["flag", "environment", "file"].map((source) => Type.Literal(source)),
    {
      description:
        "Set at the box by this, so that `PATCH /backups/settings` cannot change it; null where it can",
    },
  ),
);

const BackupRecord = named(
  "Backup",
  Type.Object({
    name: Type.String({ description: "Of the file" }),
    createdAt: Type.String({ format: "date-time", description: "The moment that it is of" }),
    bytes: Bytes,
  }),
);

const StickName = patternOf(
  "^usb(:[^\\u0000-\\u001f\\u007f]{1,255})?$",
  "`usb`, or `usb:` and the name of a stick",
);

const SettingsRecord = named(
  "BackupSettings",
  Type.Object({
    to: Type.String({
      description:
        "Where backups go: empty for the folder `backups` of the state directory, `usb` for the " +
        "only USB stick, `usb:NAME`, or a folder that the settings file names",
    }),
    at: Type.String({ description: "`HH:MM` by the machine's clock, or `off`" }),
    timezone: Type.String({ description: "IANA name of the zone of the machine's clock" }),
    keepDays: Type.Integer({
      description:
        "Days of which a backup is kept at that place, the newest of each. Those that a person has " +
        "made, `-by-hand` in their names, are counted apart; their newest five stay in any case",
    }),
    hasPassphrase: Type.Boolean({ description: "Without one no backup is made" }),
    toFixedBy: FixedBy,
    atFixedBy: FixedBy,
  }),
);

const UsbStickRecord = Type.Object({
  name: Type.String({ description: "Its label, else its device; `usb:NAME` names it as a place" }),
  mounted: Type.Boolean({ description: "Only a mounted one can be written to" }),
  freeBytes: orNull(Bytes),
  backups: Type.Array(BackupRecord, { description: "That lie on it, newest first" }),
});

export const BackupsAnswer = Type.Object({
  backups: Type.Array(BackupRecord, { description: "At the usual place, newest first" }),
  last: orNull(BackupRecord),
  failed: orNull(Type.Object({ at: DateTime, reason: Type.String() })),
  problem: orNull(
    Type.String({ description: "What needs a person: a failure, or none for two days" }),
  ),
  startedAt: orNull(
    Type.String({ format: "date-time", description: "Of the one that is being made" }),
  ),
  nextAt: orNull(Type.String({ format: "date-time", description: "null: none is made by itself" })),
  sticks: Type.Array(UsbStickRecord, { description: "USB sticks of the gateway's machine" }),
  settings: SettingsRecord,
  restore: Type.Array(Type.String(), {
    description: "Lines for the shell of the machine that put the newest backup back; none without",
  }),
});

export const BackupSettingsBody = Type.Object(
  {
    passphrase: Type.Optional(
      Type.String({
        minLength: 12,
        maxLength: 1_000,
        pattern: patternOf("^[^\\u0000-\\u001f\\u007f]+$", "one line of text"),
        description:
          "Encrypts every backup from now on; earlier ones are opened by the one that they were " +
          "made with. It is kept on the machine for its user alone and never shown",
      }),
    ),
    to: Type.Optional(
      Type.String({
        pattern: patternOf(`^$|${StickName}`, "empty, `usb`, or `usb:` and the name of a stick"),
        description: "Empty for the state directory, or a USB stick; folders are set at the box",
      }),
    ),
    at: Type.Optional(
      Type.String({
        pattern: patternOf(
          "^(off|([01][0-9]|2[0-3]):[0-5][0-9])$",
          "a time of day, such as 03:00, or off",
        ),
      }),
    ),
  },
  { examples: [{ passphrase: "bridge candle orchard seven", at: "02:30" }] },
);
export type BackupSettingsBody = Static<typeof BackupSettingsBody>;

export const BackupSettingsAnswer = Type.Object({ settings: SettingsRecord });

export const MakeBackupBody = Type.Object(
  {
    to: Type.Optional(
      Type.String({
        pattern: StickName,
        description: "A USB stick in place of the usual place: `usb` for the only one, `usb:NAME`",
      }),
    ),
  },
  { examples: [{}, { to: "usb:SHOP" }] },
);
export type MakeBackupBody = Static<typeof MakeBackupBody>;

export const BackupBegunAnswer = Type.Object({ startedAt: DateTime });
