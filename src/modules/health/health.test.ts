import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { follow } from "../../http/testing/openapi-faults.ts";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";
import { type HealthChecks, healthRoutes } from "./routes.ts";

const OK = { status: "ok" } as const;

describe("the probes", () => {
  let bench: ApiBench;
  beforeAll(() => {
    bench = createApiBench();
  });
  afterAll(() => bench.close());

  test("answer at both places, without a login", async () => {
    for (const prefix of ["", "/api/v1"]) {
      for (const probe of ["livez", "healthz"]) {
        const answer = await bench.client.get(`${prefix}/${probe}`);
        expect([answer.status, answer.body]).toEqual([200, { status: "ok" }]);
      }
      expect((await bench.client.get(`${prefix}/ready`)).status).toBe(200);
      expect((await bench.client.get(`${prefix}/health`)).body).toMatchObject({
        status: "degraded",
        uptimeSeconds: 1,
        checks: { controllers: { status: "degraded" } },
      });
    }
  });

  test("are in the OpenAPI document, at one of the places", async () => {
    const document = (await bench.client.get("/api/v1/openapi.json")).body;
    for (const probe of ["livez", "healthz", "ready", "health"]) {
      const operation = follow(document, `#/paths/~1api~1v1~1${probe}/get`);
      expect(operation).toMatchObject({ tags: ["Health"], security: [] });
      expect(follow(document, `#/paths/~1${probe}`)).toBeUndefined();
      const refuses = probe === "ready" || probe === "health";
      expect(follow(operation, "#/responses/503") !== undefined).toBe(refuses);
    }
  });
});

describe("a gateway", () => {
  const probe = (name: string, change: { ready?: boolean; disk?: HealthChecks["disk"] }) => {
    const { ready = true, disk = OK } = change;
    const routes = healthRoutes({
      version: "1.2.3",
      ready: () => ready,
      checks: () => ({ database: OK, disk, timers: OK, controllers: OK, clock: OK, printers: OK }),
      uptimeSeconds: () => 61.9,
    });
    return routes.handle(new Request(`http://localhost/${name}`));
  };

  test("that starts or stops is alive, but not ready", async () => {
    const answer = await probe("ready", { ready: false });
    expect([answer.status, await answer.json()]).toEqual([503, { status: "unavailable" }]);
    expect((await probe("livez", { ready: false })).status).toBe(200);
    expect((await probe("ready", {})).status).toBe(200);
  });

  test("is as well as its worst part, and answers 503 when that failed", async () => {
    const full = { status: "failed", detail: "no room" } as const;
    const answer = await probe("health", { disk: full });
    expect([answer.status, await answer.json()]).toEqual([
      503,
      {
        status: "failed",
        version: "1.2.3",
        uptimeSeconds: 61,
        checks: { database: OK, disk: full, timers: OK, controllers: OK, clock: OK, printers: OK },
      },
    ]);
    expect((await probe("health", {})).status).toBe(200);
  });
});
