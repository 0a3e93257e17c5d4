import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { CommandType } from "#core/command/catalogue.ts";
import {
  COMMANDS,
  type CommandsBench,
  commandIdOf,
  createCommandsBench,
  SALE,
  UNKNOWN,
} from "./testing/commands-bench.ts";

const SECRET = "s3cret!";
const MASK = "***";

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

const WITH_SECRETS: readonly (readonly [CommandType, string, object])[] = [
  ["print_receipt", "operatorPassword", { ...SALE, operatorId: 1, operatorPassword: SECRET }],
  ["set_operator", "password", { operatorId: 1, name: "Ana", password: SECRET }],
  ["set_operator", "oldPassword", { operatorId: 1, name: "Ana", oldPassword: SECRET }],
];

describe.each(WITH_SECRETS)("the payload of %s with %s", (type, field, payload) => {
  const masked = { payload: { ...payload, [field]: MASK } };

  test("is masked in every answer", async () => {
    bench.levers.connected = false;
    const headers = { "idempotency-key": "till-1" };
    const body = { deviceId: bench.deviceId, type, payload };
    const first = await bench.till.post(COMMANDS, body, { headers });
    const id = commandIdOf(first);
    const devicePath = `/api/v1/devices/${bench.deviceId}/commands`;
    const answers = [
      first,
      await bench.till.post(COMMANDS, body, { headers }),
      await bench.till.get(`${COMMANDS}/${id}`),
      await bench.till.delete(`${COMMANDS}/${id}`),
    ];
    for (const answer of answers) expect(answer.body).toMatchObject({ command: masked });
    const bare = await bench.till.post(devicePath, { type, payload });
    expect(bare.body).toMatchObject(masked);
    const list = await bench.till.get(COMMANDS);
    expect(list.body).toMatchObject({ commands: [masked, masked] });
    for (const { text } of [...answers, bare, list]) expect(text).not.toContain(SECRET);
  });

  test("reaches the device as it is", async () => {
    await bench.queued(type, payload);
    expect(bench.levers.sent).toMatchObject([{ command: { payload } }]);
  });

  test("is in no log line, also when the request fails", async () => {
    await bench.queued(type, payload);
    bench.levers.insertFault = new Error("defect");
    expect((await bench.submit(type, payload)).status).toBe(500);
    const wrong = await bench.submit(type, { ...payload, [field]: `${SECRET}${SECRET}` });
    expect(wrong.issuePaths).toEqual([`payload.${field}`]);
    expect(wrong.text).not.toContain(SECRET);
    expect(bench.lines.join("\n")).toContain("request failed");
    expect(bench.lines.join("\n")).not.toContain(SECRET);
  });
});

test("the answer to a settled document is masked too", async () => {
  const id = await bench.queued("print_receipt", { ...SALE, operatorPassword: SECRET });
  await bench.finish(id, UNKNOWN);
  const answer = await bench.till.post(`${COMMANDS}/${id}/resolve`, { outcome: "printed" });
  expect(answer.body).toMatchObject({ command: { payload: { operatorPassword: MASK } } });
  expect(answer.text).not.toContain(SECRET);
});

test("what is kept under an idempotency key holds no password", async () => {
  const body = {
    deviceId: bench.deviceId,
    type: "set_operator",
    payload: { operatorId: 1, name: "Ana", password: SECRET },
  };
  await bench.till.post(COMMANDS, body, { headers: { "idempotency-key": "till-1" } });
  expect(bench.stores.idempotency.get(bench.orgId, "till-1")?.body).toContain(MASK);
  expect(bench.stores.idempotency.get(bench.orgId, "till-1")?.body).not.toContain(SECRET);
});

describe("in the database", () => {
  const stored = (id: string) =>
    String(
      bench.database.sqlite.prepare("SELECT payload FROM commands WHERE id = ?").pluck().get(id),
    );
  const sale = { ...SALE, operatorId: 1, operatorPassword: SECRET };

  test("an operator's password is masked as soon as the command is final", async () => {
    const printed = await bench.queued("print_receipt", sale);
    expect(stored(printed)).toContain(SECRET);
    await bench.finish(printed, { success: true, data: {}, fiscalId: "27" });
    expect(JSON.parse(stored(printed))).toEqual({ ...sale, operatorPassword: MASK });
    bench.levers.connected = false;
    const cancelled = await bench.queued("set_operator", {
      ...{ operatorId: 1, name: "Ana", password: SECRET },
    });
    await bench.till.delete(`${COMMANDS}/${cancelled}`);
    expect(stored(cancelled)).not.toContain(SECRET);
    const late = await bench.queued("print_receipt", sale);
    await bench.clock.advanceAsync(200_000);
    await bench.atRest();
    expect(bench.stores.commands.get(bench.orgId, late)?.status).toBe("timeout");
    expect(stored(late)).not.toContain(SECRET);
    expect(bench.stores.commands.get(bench.orgId, late)?.payload).toMatchObject({
      operatorPassword: MASK,
    });
  });
});
