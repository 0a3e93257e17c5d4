/** The schema that is written beside the migrations. */

import { expect, test } from "bun:test";
import { writtenSchema } from "./made-schema.ts";
import newest from "./migrations/newest-schema.json" with { type: "json" };

test("what stands beside the migrations is what they make: bun scripts/newest-schema.ts", () => {
  expect<unknown>(newest).toEqual(writtenSchema());
});
