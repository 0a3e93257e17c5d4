import { describe, expect, test } from "bun:test";
import { openApiFaults } from "../testing/openapi-faults.ts";

const operation = {
  operationId: "getThing",
  summary: "Get a thing",
  security: [{ bearer: [] }],
  parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
  responses: {
    200: { description: "Success" },
    default: { $ref: "#/components/responses/Error" },
  },
};
const documentOf = (get: unknown) => ({
  paths: { "/things/{id}": { get } },
  components: { securitySchemes: { bearer: {} }, responses: { Error: { description: "No" } } },
});

describe("the check of an OpenAPI document", () => {
  test("passes a sound one", () => {
    expect(openApiFaults(documentOf(operation))).toEqual([]);
  });

  test.each([
    ["leads nowhere", { extra: { $ref: "#/components/schemas/None" } }],
    ["leads nowhere", { extra: { $ref: "https://example.com/schema" } }],
    ["has no operationId", { operationId: undefined }],
    ["has no summary", { summary: undefined }],
    ["does not say who may call", { security: undefined }],
    ["unknown security scheme key", { security: [{ key: [] }] }],
    ["parameters of its path", { parameters: [] }],
    ["parameter twice", { parameters: [...operation.parameters, ...operation.parameters] }],
    ["without a schema", { parameters: [{ name: "id", in: "path", required: true }] }],
    ["takes a body", { requestBody: {} }],
    ["no answer of success", { responses: { default: operation.responses.default } }],
    ["envelope", { responses: { 200: operation.responses[200] } }],
    ["no description", { responses: { ...operation.responses, 200: {} } }],
    ["is no status", { responses: { ...operation.responses, ok: { description: "" } } }],
  ])("tells that one %s", (fault, change) => {
    expect(openApiFaults(documentOf({ ...operation, ...change })).join()).toContain(fault);
  });

  test("tells of two operations with one name", () => {
    const { paths, ...rest } = documentOf(operation);
    const twice = { ...rest, paths: { ...paths, "/others/{id}": { get: operation } } };
    expect(openApiFaults(twice).join()).toContain("has the operationId of GET /things/{id}");
  });

  test("tells of a body without a schema", () => {
    const post = { ...operation, requestBody: { content: { "application/json": {} } } };
    const { components } = documentOf({});
    const document = { components, paths: { "/things/{id}": { post } } };
    expect(openApiFaults(document).join()).toContain("body without a schema");
  });
});
