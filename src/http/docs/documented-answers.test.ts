import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { success } from "../answers.ts";
import { documentedAnswers, type Exchange } from "../testing/documented-answers.ts";

const Thing = Type.Object({ id: Type.String(), at: Type.String({ format: "date-time" }) });
const app = new Elysia()
  .get("/api/v1/things/:thingId", () => "", {
    detail: { summary: "Get a thing", responses: success(Thing) },
  })
  .get("/api/v1/page", () => "", { detail: { hide: true } });
const check = documentedAnswers(app);

const always = {
  "content-type": "application/json;charset=utf-8",
  "x-request-id": "1",
  "ratelimit-limit": "1",
  "ratelimit-remaining": "1",
  "ratelimit-reset": "1",
};
const answer = {
  method: "GET",
  path: "/api/v1/things/1?full=true",
  status: 200,
  headers: new Headers(always),
  text: JSON.stringify({ id: "1", at: "2026-01-01T00:00:00Z" }),
};

describe("an answer held against the document", () => {
  test.each<Partial<Exchange>>([
    {},
    { status: 404, text: '{"error":{"code":"NOT_FOUND","message":"None"}}' },
    { path: "/api/v1/page" },
    { path: "/api/v1/other", status: 404 },
    { method: "PUT", status: 405 },
    { method: "HEAD", text: "" },
  ])("passes: %j", (change) => {
    expect(() => check({ ...answer, ...change })).not.toThrow();
  });

  test.each<[string, Partial<Exchange>]>([
    ["is not in the document", { status: 201 }],
    ["does not have", { path: "/api/v1/other" }],
    ["does not have", { method: "POST" }],
    [
      "has the type text/plain",
      { headers: new Headers({ ...always, "content-type": "text/plain" }) },
    ],
    ["lacks the header X-Request-Id", { headers: new Headers() }],
    ["has the header Retry-After", { headers: new Headers({ ...always, "retry-after": "1" }) }],
    ["must have required property 'id'", { text: '{"at":"2026-01-01T00:00:00Z"}' }],
    ["must match format", { text: '{"id":"1","at":"today"}' }],
    ["must be equal to one of", { status: 404, text: '{"error":{"code":"NO","message":""}}' }],
  ])("is refused: %s", (fault, change) => {
    expect(() => check({ ...answer, ...change })).toThrow(fault);
  });
});
