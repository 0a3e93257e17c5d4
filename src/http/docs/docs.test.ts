import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { FakeClock } from "../../platform/clock.ts";
import { publicRoutes, scopedRoutes, userRoutes } from "../access.ts";
import { DONE, noContent, success } from "../answers.ts";
import { choice, flag, query } from "../query.ts";
import { json } from "../request-body.ts";
import { ApiClient } from "../testing/api-client.ts";
import { bareServer } from "../testing/bare-server.ts";

const Thing = Type.Object({ name: Type.String({ minLength: 1 }) });
const client = new ApiClient(
  bareServer({
    clock: new FakeClock(),
    groups: [
      scopedRoutes("devices:write", "Things").post(
        "/things/:thingId/parts",
        ({ body, status }) => status(201, body),
        {
          body: json(Thing),
          query: query({ colour: choice(["red", "blue"], "red"), whole: flag() }),
          detail: { summary: "Add a part", responses: success(Thing, { status: 201 }) },
        },
      ),
      publicRoutes("Things").get("/open", () => ({}), { detail: { summary: "Open" } }),
      userRoutes("owner", "Things").delete("/open", () => noContent(), {
        detail: { summary: "Close", responses: DONE },
      }),
    ],
  }),
);

describe("the OpenAPI document", () => {
  test("describes exactly the declared routes, from what they declare", async () => {
    const answer = await client.get("/api/v1/openapi.json");
    expect(answer.status).toBe(200);
    const document = answer.as(Type.Object({ paths: Type.Record(Type.String(), Type.Unknown()) }));
    expect(Object.keys(document.paths)).toEqual(["/api/v1/things/{thingId}/parts", "/api/v1/open"]);
    expect(answer.body).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      info: { version: "1.2.3" },
      tags: [{ name: "Things" }],
      paths: {
        "/api/v1/things/{thingId}/parts": {
          post: {
            security: [{ apiKey: [] }, { bearer: [] }],
            description: expect.stringContaining("devices:write"),
            parameters: [
              { name: "thingId", in: "path", required: true },
              { name: "colour", in: "query", schema: { enum: ["red", "blue"], default: "red" } },
              { name: "whole", in: "query", allowEmptyValue: true, schema: { type: "boolean" } },
            ],
            requestBody: {
              required: true,
              content: { "application/json": { schema: { required: ["name"] } } },
            },
            responses: { 201: {}, 429: {}, default: {} },
          },
        },
        "/api/v1/open": {
          get: { security: [] },
          delete: { security: [{ bearer: [] }], responses: { 204: { description: "Done" } } },
        },
      },
      components: {
        securitySchemes: { apiKey: { name: "x-api-key" }, bearer: { scheme: "bearer" } },
        schemas: { Error: { required: ["error"] } },
      },
    });
  });
});

describe("the page", () => {
  test("loads nothing from anywhere else", async () => {
    const page = await client.get("/api/v1/docs");
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
    const urls = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? "");
    expect(urls).toHaveLength(3);
    for (const url of urls) {
      expect(url).toStartWith("/api/v1/docs/assets/");
      const asset = await client.get(url);
      expect([asset.status, asset.text.length > 0]).toEqual([200, true]);
    }
  });
});
