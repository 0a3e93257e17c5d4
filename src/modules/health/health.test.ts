import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { FINDINGS, openFinding } from "#core/health.ts";
import { unauthorized } from "../../http/access.ts";
import { bareServer } from "../../http/testing/bare-server.ts";
import { follow } from "../../http/testing/openapi-faults.ts";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";
import { type HealthChecks, healthRoutes } from "./routes.ts";
import { checkOf } from "./schema.ts";

const TOKEN = "of-a-login";
const OTHER_TOKEN = "of-a-login-at-another-shop";
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
  const probe = (
    name: string,
    change: { ready?: boolean; disk?: HealthChecks["disk"]; headers?: Record<string, string> },
  ) => {
    const { ready = true, disk = OK, headers = {} } = change;
    const routes = healthRoutes({
      version: "1.2.3",
      ready: () => ready,
      checks: () => ({ database: OK, disk, timers: OK, controllers: OK, clock: OK, printers: OK }),
      uptimeSeconds: () => 61.9,
      ownsBox: (orgId) => orgId === "org",
    });
    const app = bareServer({
      authenticate(credential) {
        const known = new Map([
          [TOKEN, "org"],
          [OTHER_TOKEN, "other"],
        ]);
        const orgId = credential.kind === "token" ? known.get(credential.token) : undefined;
        if (orgId === undefined) throw unauthorized();
        const [userId, sessionId] = ["usr", "s"];
        return { kind: "user", role: "operator", orgId, userId, sessionId, expiresAt: null };
      },
      plugins: [routes],
    });
    return app.handle(new Request(`http://localhost/${name}`, { headers }));
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

  test("names folders and the system's reasons to who is logged in at the box's shop, and to nobody else", async () => {
    const disk = checkOf(
      "failed",
      FINDINGS.diskFull("/var/lib/shop", 48),
      FINDINGS.diskUnreadable("ENOENT: no such file or directory, open '/etc/shop/k.pem'"),
    );
    const told = async (headers: Record<string, string>) =>
      follow(await (await probe("api/v1/health", { disk, headers })).json(), "#/checks/disk");
    const { detail = "", findings } = disk;
    expect(detail).toContain("/var/lib/shop");
    expect(await told({ authorization: `Bearer ${TOKEN}` })).toEqual({
      ...{ status: "failed", detail, findings },
    });
    for (const headers of [
      {},
      { authorization: "Bearer other" },
      { authorization: `Bearer ${OTHER_TOKEN}` },
      { "x-api-key": "svc_live_x" },
    ]) {
      const open = await told(headers);
      expect(open).toMatchObject({
        status: "failed",
        findings: [
          { code: "disk_full", params: { mebibytes: 48 } },
          { code: "disk_unreadable", params: {} },
        ],
      });
      expect(JSON.stringify(open)).not.toMatch(/\/\w|ENOENT|folder|reason|"open"/);
    }
  });

  test("says less without a login of each finding that names a reason or a folder", () => {
    const reason = "/a/file is not there";
    for (const finding of [
      FINDINGS.databaseLost(reason),
      FINDINGS.databaseUnwritable(reason, reason),
      FINDINGS.databaseUnreadable(reason),
      FINDINGS.diskFull(reason, 1),
      FINDINGS.diskUnreadable(reason),
      FINDINGS.certificateFault(reason),
      FINDINGS.backupFailed("2026-11-25", reason),
      FINDINGS.backupUnready(reason),
      FINDINGS.backupUnknown(reason),
    ]) {
      expect(JSON.stringify(openFinding(finding))).not.toContain(reason);
    }
  });
});
