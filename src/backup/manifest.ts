/** What a backup says of itself: the first file in it, `manifest.json`. */

import { type Static, Type } from "@sinclair/typebox";
import { schemaCheckOf } from "#core/schema-check.ts";

export const MANIFEST_NAME = "manifest.json";
/** Of the database within the archive. */
export const DATABASE_NAME = "fiscald.db";
/** In front of the names of all other files. */
export const FILES_PREFIX = "files/";

const Manifest = Type.Object({
  format: Type.Literal(1),
  /** Version of fiscald that made it; null of a bare database. */
  version: Type.Union([Type.String(), Type.Null()]),
  /** ISO 8601: the moment that the backup is of. */
  createdAt: Type.String(),
  database: Type.Object({ bytes: Type.Integer(), sha256: Type.String() }),
  /** Name of the newest migration of the database. */
  schema: Type.String(),
  /** Rows by table. */
  rows: Type.Record(Type.String(), Type.Integer()),
});
export type Manifest = Readonly<Static<typeof Manifest>>;

/** Reads the text of a manifest; undefined when it is none that is known here. */
export function readManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return schemaCheckOf(Manifest).accepts(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
