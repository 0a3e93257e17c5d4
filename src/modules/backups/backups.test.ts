import { afterEach, expect, test } from "bun:test";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";
import type { BackupsPort } from "./service.ts";

const AT = "2026-01-15T03:00:00.000Z";
const LAST = { file: "/var/lib/fiscald/backups/fiscald-till-1", createdAt: AT, bytes: 7 };

let bench: ApiBench;
afterEach(() => bench.close());

function open(port: Partial<BackupsPort> = {}): Promise<Awaited<ReturnType<ApiBench["owner"]>>> {
  bench = createApiBench({
    backups: {
      canEncrypt: true,
      makeNow: () => true,
      look: () => ({
        kept: [{ name: "fiscald-till-1", createdAt: Date.parse(AT), bytes: 7 }],
        ...{ last: LAST, failed: { at: AT, reason: "no room" }, problem: "no room" },
        ...{ startedAt: undefined, nextAt: Date.parse(AT) },
        sticks: [{ name: "SHOP", mountPoint: null, freeBytes: null }],
      }),
      ...port,
    },
  });
  return bench.owner();
}

test("backups are listed with what the last one came to, and without where they lie", async () => {
  const { client } = await open();
  const backup = { name: "fiscald-till-1", createdAt: AT, bytes: 7 };
  expect((await client.get("/api/v1/backups")).body).toEqual({
    ...{ backups: [backup], last: backup, failed: { at: AT, reason: "no room" } },
    ...{ problem: "no room", startedAt: null, nextAt: AT },
    sticks: [{ name: "SHOP", mounted: false, freeBytes: null }],
  });
});

test("a backup is made at once, at the usual place or on a stick, and stands in the audit log", async () => {
  const places: (string | undefined)[] = [];
  const { client } = await open({ makeNow: (to) => places.push(to) > 0 });
  expect((await client.post("/api/v1/backups", {})).status).toBe(202);
  const answer = await client.post("/api/v1/backups", { to: "usb:SHOP" });
  expect([answer.status, answer.body]).toEqual([202, { startedAt: expect.any(String) }]);
  expect(places).toEqual([undefined, "usb:SHOP"]);
  // Never a folder of the caller's choice.
  const folder = await client.post("/api/v1/backups", { to: "/etc" });
  expect(folder.refusal).toBe("400 VALIDATION_ERROR");
  const audit = await client.get("/api/v1/audit?limit=1&sortOrder=desc");
  expect(audit.body).toMatchObject({
    entries: [{ action: "backup.begun", details: { to: "usb:SHOP" } }],
  });
});

test("a second one beside it, and one without a passphrase, are conflicts", async () => {
  const busy = await open({ makeNow: () => false });
  expect((await busy.client.post("/api/v1/backups", {})).refusal).toBe("409 CONFLICT");
  bench.close();
  const { client } = await open({ canEncrypt: false });
  const answer = await client.post("/api/v1/backups", {});
  expect([answer.refusal, answer.text]).toEqual([
    "409 CONFLICT",
    expect.stringContaining("backup.passphraseFile"),
  ]);
});
