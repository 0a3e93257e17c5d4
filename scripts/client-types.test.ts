import { expect, test } from "bun:test";
import { clientTypes, TYPES_FILE } from "./client-types.ts";

test("the client has the types of the API as it is", async () => {
  // When it has changed on purpose: bun scripts/client-types.ts
  expect(await Bun.file(TYPES_FILE).text()).toBe(await clientTypes());
});
