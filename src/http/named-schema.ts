/** Schemas that have a name in the OpenAPI document: they stand there once, and so do their types. */

import type { TSchema } from "@sinclair/typebox";

/** Gives a schema its name in the document. Two schemas of one name have to be alike. */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return { ...schema, $id: name };
}

/** What of a document stands elsewhere in it. */
export interface Hoisted<Document> {
  readonly document: Document;
  /** For `components.schemas`. */
  readonly schemas: Readonly<Record<string, unknown>>;
}

/**
 * Replaces each schema that has a name by a reference to it.
 * @throws Error when two that differ have one name
 */
export function hoistNamed<Document>(document: Document): Hoisted<Document> {
  const schemas: Record<string, unknown> = {};
  const hoist = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoist);
    if (typeof value !== "object" || value === null) return value;
    const { $id, ...rest }: Readonly<Record<string, unknown>> = { ...value };
    const shown = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, hoist(part)]));
    if (typeof $id !== "string") return shown;
    const known = schemas[$id];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(shown)) {
      throw new Error(`two schemas are called ${$id}`);
    }
    schemas[$id] = shown;
    return { $ref: `#/components/schemas/${$id}` };
  };
  // Of the same shape but for its schemas, and those are whatever a route declares.
  return { document: hoist(document) as Document, schemas };
}
