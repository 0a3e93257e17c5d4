import { afterEach, expect, test } from "bun:test";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";
import type { BackupsPort } from "./service.ts";

const AT = "2026-01-15T03:00:00.000Z";
const LAST = { file: "/var/lib/fiscald/backups/fiscald-till-1", createdAt: AT, bytes: 7 };

const SETTINGS = {
  ...{ to: "usb", at: "03:00", keepDays: 14, hasPassphrase: true, timezone: "Etc/UTC" },
};

let bench: ApiBench;
afterEach(() => bench.close());

function open(port: Partial<BackupsPort> = {}): Promise<Awaited<ReturnType<ApiBench["owner"]>>> {
  bench = createApiBench({
    backups: {
      canEncrypt: true,
      makeNow: () => true,
      settings: () => Promise.resolve(SETTINGS),
      look: () =>
        Promise.resolve({
          kept: [{ name: "fiscald-till-1", createdAt: Date.parse(AT), bytes: 7 }],
          ...{ last: LAST, failed: { at: AT, reason: "no room" }, problem: "no room" },
          ...{ startedAt: undefined, nextAt: Date.parse(AT) },
          sticks: [{ name: "SHOP", mountPoint: null, freeBytes: null, kept: [] }],
          restore: ["fiscald restore fiscald-till-1"],
        }),
      fixedBy: () => undefined,
      requireRoomFor: () => Promise.resolve(),
      keep: () => undefined,
      ...port,
    },
  });
  return bench.owner();
}

test("backups are listed with what the last one came to, and how the newest is put back", async () => {
  const { client } = await open();
  const backup = { name: "fiscald-till-1", createdAt: AT, bytes: 7 };
  expect((await client.get("/api/v1/backups")).body).toEqual({
    ...{ backups: [backup], last: backup, failed: { at: AT, reason: "no room" } },
    ...{ problem: "no room", startedAt: null, nextAt: AT },
    sticks: [{ name: "SHOP", mounted: false, freeBytes: null, backups: [] }],
    settings: { ...SETTINGS, toFixedBy: null, atFixedBy: null },
    restore: ["fiscald restore fiscald-till-1"],
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

const SETTINGS_PATH = "/api/v1/backups/settings";

test("an owner chooses passphrase, place and hour; nobody is shown the passphrase again", async () => {
  let kept: object | undefined;
  const { client, orgId } = await open({
    keep: (choice) => {
      kept = choice;
    },
  });
  const choice = { passphrase: "bridge candle orchard", to: "usb:SHOP", at: "02:30" };
  const answer = await client.patch(SETTINGS_PATH, choice);
  expect([answer.status, kept]).toEqual([200, choice]);
  const audit = await client.get("/api/v1/audit?limit=1&sortOrder=desc");
  expect(audit.body).toMatchObject({
    entries: [
      {
        action: "backup.settings_changed",
        details: { to: "usb:SHOP", at: "02:30", passphrase: "changed" },
      },
    ],
  });
  const told = [answer.text, audit.text, (await client.get("/api/v1/backups")).text];
  expect([...told, ...bench.lines].join("\n")).not.toContain(choice.passphrase);
  const admin = await bench.member(orgId, "admin");
  expect((await admin.client.patch(SETTINGS_PATH, choice)).refusal).toBe("403 FORBIDDEN");
});

test("an owner who is removed while the disk is looked at chooses nothing", async () => {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let kept: object | undefined;
  const { client, orgId } = await open({
    requireRoomFor() {
      asked.resolve();
      return answered.promise;
    },
    keep: (choice) => {
      kept = choice;
    },
  });
  const other = await bench.member(orgId, "owner");
  const waiting = other.client.patch(SETTINGS_PATH, { passphrase: "bridge candle orchard" });
  await asked.promise;
  expect((await client.delete(`/api/v1/org/members/${other.userId}`)).status).toBe(204);
  answered.resolve();
  expect([(await waiting).refusal, kept]).toEqual(["401 UNAUTHORIZED", undefined]);
  expect((await client.get("/api/v1/audit")).text).not.toContain("backup.settings_changed");
});

test.each([
  [{}, ""],
  [{ passphrase: "eleven char" }, "passphrase"],
  [{ passphrase: "two lines of\ntext" }, "passphrase"],
  [{ to: "/etc" }, "to"],
  [{ to: "usbx" }, "to"],
  [{ at: "3:00" }, "at"],
])("refuses the choice %j", async (choice, path) => {
  const { client } = await open();
  const answer = await client.patch(SETTINGS_PATH, choice);
  expect([answer.refusal, answer.issuePaths]).toEqual(["400 VALIDATION_ERROR", [path]]);
});

test("what was set at the box cannot be chosen, and a disk that refuses is told", async () => {
  const { client } = await open({
    fixedBy: (name) => (name === "to" ? "file" : undefined),
    keep: () => {
      throw new Error("EROFS: read-only file system");
    },
  });
  expect((await client.get("/api/v1/backups")).body).toMatchObject({
    settings: { toFixedBy: "file", atFixedBy: null },
  });
  const fixed = await client.patch(SETTINGS_PATH, { to: "usb" });
  expect([fixed.refusal, fixed.text]).toEqual([
    ...["409 CONFLICT", expect.stringContaining("the settings file")],
  ]);
  expect((await client.patch(SETTINGS_PATH, { at: "off" })).text).toContain("EROFS");
});
