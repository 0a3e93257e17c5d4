/** What a controller may write into the audit log, and who reads it there. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { CommandResult } from "#core/command/command.ts";
import { RemoteLink } from "../../gateway/remote-link.ts";
import type { ApiClient } from "../../http/testing/api-client.ts";
import { type CommandsBench, createCommandsBench } from "../commands/testing/commands-bench.ts";

const PRINTED: CommandResult = { success: true, fiscalId: "77", data: {} };
const HOUR_MS = 3_600_000;
const ALERTS = Type.Object({
  alerts: Type.Array(Type.Object({ type: Type.String(), commandId: Type.Optional(Type.String()) })),
});
const ENTRIES = Type.Object({
  entries: Type.Array(
    Type.Object({ action: Type.String(), resource: Type.String(), actor: Type.String() }),
  ),
});

let bench: CommandsBench;
let other: Awaited<ReturnType<CommandsBench["otherShop"]>>;
beforeEach(async () => {
  bench = await createCommandsBench();
  other = await bench.otherShop();
});
afterEach(() => bench.close());

/** A connection of an app that serves a device of its organization. */
async function app(shop: { client: ApiClient; orgId: string; deviceId: string }, name = "app") {
  await shop.client.patch(`/api/v1/devices/${shop.deviceId}`, { managedBy: "remote" });
  await bench.atRest();
  const identity = {
    ...{ orgId: shop.orgId, controllerId: name, name, appVersion: "1", deviceModel: "tablet" },
    ...{ osVersion: "1", reportsMarks: true },
  };
  const line = { send: () => undefined, close: () => undefined };
  const { controllers, clock } = bench;
  const link = new RemoteLink(line, identity, { controllers, clock });
  link.hear(JSON.stringify({ type: "device.announce", deviceId: shop.deviceId, link: "up" }));
  await bench.atRest();
  const note = (action: string, details: object) =>
    link.hear(JSON.stringify({ type: "device.note", deviceId: shop.deviceId, action, details }));
  /** So many, at the pace at which a controller may speak. */
  const notes = async (count: number, action: string, details: object) => {
    for (let said = 0; said < count; said += 100) {
      bench.clock.advance(1_000);
      for (let one = 0; one < 100; one += 1) note(action, details);
      await bench.atRest();
    }
  };
  return { note, notes };
}

const shop = () => ({ client: bench.owner, orgId: bench.orgId, deviceId: bench.deviceId });
const alertsOf = async (client: ApiClient, deviceId: string) => {
  const { alerts } = (await client.get(`/api/v1/devices/${deviceId}/alerts`)).as(ALERTS);
  return alerts.filter(({ type }) => type === "late_result");
};
const logOf = async (client: ApiClient) =>
  (await client.get("/api/v1/audit?limit=100&sortOrder=desc")).as(ENTRIES).entries;
const countOf = (where: string) =>
  Number(
    bench.database.sqlite
      .prepare(`SELECT count(*) FROM audit_entries WHERE ${where}`)
      .pluck()
      .get(),
  );

/** A command that has timed out. @returns its id */
async function timedOut(): Promise<string> {
  const id = await bench.queued();
  await bench.clock.advanceAsync(200_000);
  await bench.atRest();
  return id;
}

const told = async (commandId: string, result: CommandResult) => {
  const { deviceId } = bench;
  await bench.reported({ type: "command.result", deviceId, commandId, epoch: 1, result });
};

describe("a note of an app", () => {
  test("is no alert of another shop's device, whatever it is called", async () => {
    const { note } = await app(shop());
    const details = {
      deviceId: other.deviceId,
      printed: true,
      contradicts: false,
      result: PRINTED,
    };
    note("command.late_result", details);
    await bench.atRest();
    await bench.queue.recover();
    expect(await alertsOf(other.client, other.deviceId)).toEqual([]);
    expect((await logOf(bench.owner))[0]).toMatchObject({
      ...{ action: "note.command.late_result", resource: bench.deviceId, actor: "controller:app" },
    });
  });

  test("of an older version is none either", async () => {
    bench.stores.audit.append({
      ...{ orgId: bench.orgId, at: bench.clock.now(), actor: "controller:app" },
      ...{ action: "command.late_result", resource: bench.deviceId },
      details: { deviceId: other.deviceId, printed: true, contradicts: false, result: PRINTED },
    });
    await bench.queue.recover();
    expect(await alertsOf(other.client, other.deviceId)).toEqual([]);
  });

  test("revokes no key, and is read as what the app called it", async () => {
    const { note } = await app(shop());
    note("api_key.revoked", { label: "Owner's key" });
    await bench.atRest();
    expect((await bench.owner.get("/api/v1/org/api-keys/revoked")).text).not.toContain(
      "Owner's key",
    );
    expect((await logOf(bench.owner))[0]?.action).toBe("note.api_key.revoked");
  });

  test("takes no alert from anybody, however many there are", async () => {
    const commandId = await timedOut();
    await told(commandId, PRINTED);
    const { notes } = await app(other);
    await notes(1_100, "command.late_result", {});
    await bench.queue.recover();
    expect(await alertsOf(bench.owner, bench.deviceId)).toMatchObject([
      { type: "late_result", commandId },
    ]);
  });

  test("is written a hundred times in an hour, and again in the next", async () => {
    const { notes } = await app(shop());
    await notes(500, "till.opened", { by: "Ann" });
    expect(countOf("action = 'note.till.opened'")).toBe(100);
    bench.clock.advance(HOUR_MS);
    const next = await app(shop());
    await next.notes(100, "till.opened", { by: "Ann" });
    expect(countOf("action = 'note.till.opened'")).toBe(200);
  });

  test("is written a hundred times in any hour, also around the end of one", async () => {
    const noted = async (many: number) => {
      const { note } = await app(shop());
      for (let number = 0; number < many; number += 1) note("till.opened", { number });
      await bench.atRest();
      return countOf("action = 'note.till.opened'");
    };
    expect(await noted(1)).toBe(1);
    bench.clock.advance(HOUR_MS - 60_000);
    expect(await noted(99)).toBe(100);
    bench.clock.advance(60_000);
    // The first one's room is free again, and no other's.
    expect(await noted(99)).toBe(101);
  });

  test("leaves room for those of others, of which a shop has three hundred in an hour", async () => {
    for (const name of ["one", "two", "three", "four"]) {
      const added = await bench.addDevice(name);
      const { notes } = await app({ ...shop(), deviceId: added }, name);
      await notes(200, "till.opened", {});
    }
    expect(countOf(`org_id = '${bench.orgId}' AND action = 'note.till.opened'`)).toBe(300);
    const { notes } = await app(other);
    await notes(100, "till.opened", {});
    expect(countOf(`org_id = '${other.orgId}' AND action = 'note.till.opened'`)).toBe(100);
  });
});

describe("a result that came too late", () => {
  const written = () => countOf("action = 'command.late_result'");

  test("is written once, however often it is told", async () => {
    const commandId = await timedOut();
    for (let time = 0; time < 500; time += 1) await told(commandId, PRINTED);
    expect(written()).toBe(1);
    await told(commandId, { success: true, fiscalId: "78", data: {} });
    await told(commandId, PRINTED);
    expect(written()).toBe(2);
  });

  test("is written of each command, whatever else its controller has to tell", async () => {
    const commandId = await timedOut();
    for (let number = 0; number < 500; number += 1) {
      await told(commandId, { success: true, fiscalId: String(number), data: {} });
    }
    expect(written()).toBe(101);
    // What waits behind the question to a person goes on.
    await bench.resolve(commandId, { outcome: "not_printed" });
    const next = await timedOut();
    await told(next, { success: false, errorCode: "E306", data: { outcome: "not_printed" } });
    await told(next, PRINTED);
    expect(written()).toBe(103);
    await bench.queue.recover();
    const alerts = await alertsOf(bench.owner, bench.deviceId);
    expect(alerts.map((alert) => alert.commandId)).toContain(next);
  });

  test("is asked of a person anew, though its controller has no room left", async () => {
    const numbered = (fiscalId: number): CommandResult => ({ ...PRINTED, fiscalId: `${fiscalId}` });
    const first = await timedOut();
    for (let number = 1; number <= 101; number += 1) await told(first, numbered(number));
    await bench.resolve(first, { outcome: "not_printed" });
    const commandId = await timedOut();
    for (const number of [201, 202, 203]) {
      await told(commandId, numbered(number));
      // What is said while a person is asked is no reason to ask.
      await told(commandId, numbered(number + 100));
      const answer = await bench.resolve(commandId, { outcome: "not_printed" });
      expect([number, answer.status]).toEqual([number, 200]);
    }
    expect(written()).toBe(101 + 3);
    await told(commandId, numbered(203));
    expect((await bench.resolve(commandId, { outcome: "not_printed" })).status).toBe(409);
  });

  test("is kept without what would fill the disk", async () => {
    const commandId = await timedOut();
    const data = { outcome: "not_printed", lines: Array.from({ length: 900 }, () => "long line") };
    await told(commandId, { success: false, errorCode: "E306", data });
    const filter = { action: "command.late_result" } as const;
    const page = { filter, limit: 1, order: "desc" } as const;
    const [entry] = bench.stores.audit.page(bench.orgId, page);
    expect(entry?.details?.result).toMatchObject({
      ...{ errorCode: "E306", data: { outcome: "not_printed" } },
    });
    expect(JSON.stringify(entry?.details).length).toBeLessThan(4_200);
  });
});
