/** Versions of the gateway, as the API shows them. */

import { type Static, Type } from "@sinclair/typebox";
import { DateTime, orNull, TextOrNull } from "#core/schema-parts.ts";

const NewestRecord = Type.Object({
  version: Type.String(),
  isNewer: Type.Boolean({ description: "Than the one that runs" }),
  archive: Type.String({ description: "Where its archive is; its signature lies beside it" }),
  checkedAt: DateTime,
});

const LastUpdate = Type.Object({
  at: DateTime,
  from: Type.String(),
  to: Type.String({ description: "What was to be installed" }),
  outcome: Type.Union([
    Type.Literal("updated"),
    Type.Literal("refused", { description: "Found wanting before anything was changed" }),
    Type.Literal("went_back", { description: "It did not work, and the former one came back" }),
    Type.Literal("broken", {
      description: "Going back to the former one did not work either: the reason tells what runs",
    }),
  ]),
  reason: TextOrNull,
  databaseRestored: Type.Boolean({
    description: "The database is the one that was saved before the update",
  }),
});

const BrokenOff = Type.Object(
  {
    to: orNull(Type.String({ description: "What was to be installed" })),
    since: orNull(DateTime),
    command: Type.String({
      description: "Line for the shell of the machine that goes back and begins anew",
    }),
  },
  { description: "An update that has left the machine between two versions" },
);

const UpdateState = Type.Object({
  version: Type.String(),
  installedBy: Type.Union([
    Type.Literal("archive", { description: "`install.sh` or `fiscald update`" }),
    Type.Literal("package", { description: "A Debian package" }),
    Type.Literal("hand", { description: "Somebody starts the executable where it lies" }),
  ]),
  architecture: Type.String({ description: "As in the names of releases: `x64`, `arm64`" }),
  canLook: Type.Boolean({ description: "`update.from` says where newer versions are" }),
  place: orNull(Type.String({ description: "Where it looks" })),
  newest: orNull(NewestRecord),
  problem: orNull(Type.String({ description: "Why the last look for versions told nothing" })),
  lacksKey: Type.Boolean({
    description: "Nobody has said whose releases this machine takes",
  }),
  commands: Type.Array(Type.String(), {
    description: "Lines for the shell of the machine that bring the newest version",
  }),
  last: orNull(LastUpdate),
  brokenOff: orNull(BrokenOff),
  versions: Type.Array(
    Type.Object(
      { version: Type.String(), since: DateTime },
      { description: "The first start of it" },
    ),
    { description: "That ran here, newest first" },
  ),
  migrations: Type.Array(Type.Object({ name: Type.String(), at: DateTime }), {
    description: "What was done to the database's schema, newest first",
  }),
});
export const UpdateAnswer = UpdateState;
export type Update = Static<typeof UpdateState>;
