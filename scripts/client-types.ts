/**
 * Writes the types of the API from its OpenAPI document: bun scripts/client-types.ts
 *
 * They are in the repository, so that a change of the API shows in what is reviewed and a clone
 * needs nothing made first; `client-types.test.ts` fails where they are not what this would write.
 */

import { join } from "node:path";
import { plugin } from "bun";
import { createApiBench } from "../src/modules/testing/api-bench.ts";

export const TYPES_FILE = join(import.meta.dir, "..", "src", "client", "api-types.ts");

const BANNER = `/**
 * The API's types, made from its OpenAPI document by scripts/client-types.ts.
 * SPDX-License-Identifier: Apache-2.0
 */

`;

// The generator prints through the compiler's own interface, which the compiler of this repository
// does not have any more; the one before it does.
plugin({
  name: "compiler interface",
  setup: ({ module }) => {
    module("typescript", async () => ({
      exports: await import("@typescript/typescript6"),
      loader: "object",
    }));
  },
});

/** The text of the file as it has to be. */
export async function clientTypes(): Promise<string> {
  const { default: openapiTypes, astToString } = await import("openapi-typescript");
  const types = await openapiTypes(await documentOfTypes(), {
    // A default is what the gateway takes where nothing is sent: it makes nothing required.
    defaultNonNullable: false,
    // What answers nothing is an object of which nothing is known, not one that can have nothing.
    emptyObjectsUnknown: true,
  });
  return BANNER + astToString(types);
}

/** The document without what no type comes of. */
async function documentOfTypes(): Promise<string> {
  const bench = createApiBench();
  try {
    const { text } = await bench.client.get("/api/v1/openapi.json");
    return JSON.stringify(JSON.parse(text, withoutWords));
  } finally {
    bench.close();
  }
}

/**
 * Leaves out examples, headers of answers, which are read by names that nothing checks, and the
 * discriminator, for which the generator would take the property from the shapes it tells apart.
 */
function withoutWords(key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { example: _example, examples: _examples, discriminator: _, ...rest } = value;
  if (key === "responses" && "default" in rest) return ofTheirOwnShape(rest);
  const isAnswer = "description" in rest && "headers" in rest;
  const { headers: _headers, ...answer } = rest;
  return isAnswer ? answer : rest;
}

/**
 * Refusals are all of one shape, which is the `default` of every route. A success of which nothing
 * is said is the replay of what another route answered: the client takes it for a mistake.
 */
function ofTheirOwnShape(answers: JsonRecord): JsonRecord {
  return Object.fromEntries(
    Object.entries(answers).filter(
      ([status, answer]) =>
        /^(429|default)$/.test(status) || (status.startsWith("2") && !saysNothing(answer)),
    ),
  );
}

function saysNothing(answer: unknown): boolean {
  return JSON.stringify(answer).includes('"schema":{"type":"object"}');
}

type JsonRecord = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

if (import.meta.main) {
  await Bun.write(TYPES_FILE, await clientTypes());
  console.log(`wrote ${TYPES_FILE}`);
}
