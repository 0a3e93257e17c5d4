import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { validate } from "@readme/openapi-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import { type ApiBench, createApiBench } from "./testing/api-bench.ts";

let bench: ApiBench;
let text: string;
beforeAll(async () => {
  bench = createApiBench();
  text = (await bench.client.get("/api/v1/openapi.json")).text;
});
afterAll(() => bench.close());

/** What independent readers of OpenAPI say: whether they take it, as a document of 3.1. */
const readers = {
  "@seriousme/openapi-schema-validator": async (document: string) => {
    const validator = new Validator();
    const { valid } = await validator.validate(JSON.parse(document));
    return valid && validator.version === "3.1";
  },
  "@readme/openapi-parser": async (document: string) =>
    (await validate(JSON.parse(document))).valid,
};

describe.each(Object.entries(readers))("for %s", (_name, accepts) => {
  test("the document is valid", async () => {
    expect(await accepts(text)).toBe(true);
  });

  test.each([
    ['"operationId":', '"operation-id":'],
    ['"in":"path"', '"in":"body"'],
    ['"description":"Done"', '"about":"Done"'],
    ['"title":"Fiscal device gateway"', '"title":3'],
  ])("it would not be with %s as %s", async (right, wrong) => {
    expect(text).toContain(right);
    expect(await accepts(text.replace(right, wrong))).toBe(false);
  });
});
