import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { CATALOGUE, COMMAND_TYPES } from "#core/command/catalogue.ts";
import { FISCAL_ERRORS } from "#core/errors.ts";
import { follow, openApiFaults } from "../../http/testing/openapi-faults.ts";
import { CommandRecordSchema } from "./schema.ts";
import { type CommandsBench, createCommandsBench } from "./testing/commands-bench.ts";

const Operations = Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()));

let bench: CommandsBench;
let document: unknown;
beforeAll(async () => {
  bench = await createCommandsBench();
  document = (await bench.client.get("/api/v1/openapi.json")).body;
});
afterAll(() => bench.close());

/** A part of the document by the names that lead to it. */
const part = (...names: readonly string[]): unknown =>
  follow(document, `#/${names.map((name) => name.replaceAll("/", "~1")).join("/")}`);
const bodyOf = (path: string): unknown =>
  part("paths", path, "post", "requestBody", "content", "application/json", "schema");

const operations = async () =>
  (await bench.client.get("/api/v1/openapi.json")).as(Type.Object({ paths: Operations })).paths;

/** The operations of which an answer has a header, those by reference included. */
function headersOf(paths: (typeof Operations)["static"]) {
  const named = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const responses = Object.values(follow(operation, "#/responses") ?? {});
      const names = responses.flatMap((response) => {
        const shared = follow(response, "#/$ref");
        const answer = shared === undefined ? response : follow(document, String(shared));
        return Object.keys(follow(answer, "#/headers") ?? {});
      });
      return { name: `${method.toUpperCase()} ${path}`, headers: new Set(names) };
    }),
  );
  return (header: string): string[] =>
    named
      .filter(({ headers }) => headers.has(header))
      .map(({ name }) => name)
      .toSorted();
}

describe("the OpenAPI document of the commands", () => {
  test("has no fault in its structure", () => {
    expect(openApiFaults(document)).toEqual([]);
  });

  test("says of the filter by type how several are written, with an example", () => {
    const parameters = part("paths", "/api/v1/commands", "get", "parameters");
    expect(parameters).toContainEqual({
      ...{ name: "type", in: "query", required: false, style: "form", explode: false },
      schema: {
        ...{ type: "array", minItems: 1, items: { type: "string", enum: COMMAND_TYPES } },
        ...{ description: expect.any(String), examples: expect.arrayContaining([["z_report"]]) },
      },
    });
  });

  test("lists every route", async () => {
    const answer = await bench.client.get("/api/v1/openapi.json");
    const { paths } = answer.as(Type.Object({ paths: Operations }));
    const routes = Object.entries(paths)
      .filter(([path]) => path.includes("/commands"))
      .flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
      );
    expect(routes.toSorted()).toEqual([
      "DELETE /api/v1/commands/{commandId}",
      "GET /api/v1/commands",
      "GET /api/v1/commands/{commandId}",
      "GET /api/v1/commands/{commandId}/last-receipt",
      "POST /api/v1/commands",
      "POST /api/v1/commands/{commandId}/resolve",
      "POST /api/v1/devices/{deviceId}/commands",
    ]);
  });

  test("offers one shape for each command type, told apart by the type", () => {
    const submission = ["components", "schemas", "CommandSubmission"];
    expect(part(...submission, "discriminator", "propertyName")).toBe("type");
    for (const type of COMMAND_TYPES) {
      const name = part(...submission, "discriminator", "mapping", type);
      expect(part(...submission, "oneOf")).toContainEqual({ $ref: name });
      expect(follow(document, String(name))).toEqual({
        type: "object",
        description: CATALOGUE[type].summary,
        required: ["type", "payload"],
        properties: {
          type: { type: "string", const: type },
          payload: JSON.parse(JSON.stringify(CATALOGUE[type].payload)),
        },
      });
    }
    expect(part(...submission, "oneOf")).toHaveLength(COMMAND_TYPES.length);
  });

  test("groups the command types by what they are for", () => {
    const text = String(part("components", "schemas", "CommandSubmission", "description"));
    const lines = text.split("\n");
    expect(lines).toContain("- reports: `x_report`, `z_report`");
    const named = lines.flatMap((line) => [...line.matchAll(/`(\w+)`/g)].map(([, type]) => type));
    expect(named.toSorted()).toEqual(COMMAND_TYPES.toSorted());
  });

  test("shows what comes of each command type", () => {
    const record = CommandRecordSchema.properties.result;
    const data: unknown = follow({ record }, "#/record/anyOf/0/properties/data");
    expect(
      part(
        ...["paths", "/api/v1/devices/{deviceId}/commands", "post", "responses", "201"],
        ...["content", "application/json", "schema"],
      ),
    ).toEqual({ $ref: "#/components/schemas/Command" });
    const shown = part(
      ...["components", "schemas", "Command", "properties", "result", "anyOf", "0"],
      ...["properties", "data"],
    );
    expect(shown).toEqual(JSON.parse(JSON.stringify(data)));
    for (const type of COMMAND_TYPES) {
      const words = type.split("_").map((word) => word[0]?.toUpperCase() + word.slice(1));
      const name = `${words.join("")}Result`;
      expect(follow(shown, "#/anyOf")).toContainEqual({ $ref: `#/components/schemas/${name}` });
      expect(part("components", "schemas", name)).toEqual({
        description: expect.stringMatching(`of a completed \`${type}\``),
        ...JSON.parse(JSON.stringify(CATALOGUE[type].result)),
      });
    }
    const failed = { $ref: "#/components/schemas/FailedCommandData" };
    expect(follow(shown, "#/anyOf")).toContainEqual(failed);
  });

  test("names each error code of a failed command", () => {
    const { result } = CommandRecordSchema.properties;
    const code = follow({ result }, "#/result/anyOf/0/properties/errorCode");
    expect(follow(code, "#/enum")).toEqual(Object.keys(FISCAL_ERRORS));
    const lines = String(follow(code, "#/description")).split("\n");
    expect(lines).toContain("- E101 ConnectionTimeout, retryable");
    expect(lines).toContain("- E305 FiscalCommandRejected");
    const codes = lines.filter((line) => line.startsWith("- E"));
    expect(codes).toHaveLength(Object.keys(FISCAL_ERRORS).length);
    expect(lines[0]).toEndWith("/docs/errors.html#e306 and so on.");
  });

  test("leads from both submission routes to those shapes", () => {
    const submission = { $ref: "#/components/schemas/CommandSubmission" };
    expect(bodyOf("/api/v1/devices/{deviceId}/commands")).toEqual(submission);
    expect(bodyOf("/api/v1/commands")).toEqual({
      allOf: [expect.objectContaining({ required: ["deviceId"] }), submission],
    });
  });

  test("documents the status that each of them answers with", () => {
    const responsesOf = (path: string) => part("paths", path, "post", "responses");
    expect(responsesOf("/api/v1/commands")).toHaveProperty("202");
    expect(responsesOf("/api/v1/devices/{deviceId}/commands")).toHaveProperty("201");
  });

  test("names the Idempotency-Key where it is honoured, and only there", () => {
    const header = expect.objectContaining({ name: "Idempotency-Key", in: "header" });
    const parametersOf = (path: string) => part("paths", path, "post", "parameters");
    expect(parametersOf("/api/v1/commands")).toEqual([header]);
    expect(parametersOf("/api/v1/devices/{deviceId}/commands")).not.toContainEqual(header);
  });

  test("tells of the headers of an answer only where one is sent", async () => {
    const told = headersOf(await operations());
    const once = [
      "POST /api/v1/commands",
      "POST /api/v1/receipts",
      "POST /api/v1/receipts/{receiptId}/storno",
    ];
    expect(told("Idempotent-Replayed")).toEqual(once);
    expect(told("Idempotency-Body-Mismatch")).toEqual(once);
    const ignored = told("Idempotency-Key-Ignored");
    expect(ignored).toContain("POST /api/v1/devices/{deviceId}/commands");
    expect(ignored).toContain("DELETE /api/v1/devices/{deviceId}/logo");
    expect(ignored.filter((name) => name.startsWith("GET"))).toEqual([]);
    expect(told("Content-Disposition")).toEqual([
      "GET /api/v1/receipts/export",
      "GET /api/v1/reports/journal",
    ]);
  });

  test("shows every field that a record has", async () => {
    const answer = await bench.submit("get_status");
    const { command } = answer.as(Type.Object({ command: Type.Object({}) }));
    const { required = [] } = CommandRecordSchema;
    expect(Object.keys(command).toSorted()).toEqual(required.toSorted());
  });
});
