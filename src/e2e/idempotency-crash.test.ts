/** The crash rule of idempotency: a key, its answer and its command are on disk together or not. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ApiClient,
  type Gateway,
  registerDevice,
  registerShop,
  type ShownCommand,
  startGateway,
} from "./harness/gateway.ts";
import { until } from "./harness/until.ts";

const ROUNDS = 6;
const TILLS = 8;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fiscald-keys-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const start = (): Promise<Gateway> => startGateway(join(folder, "state"));

/** Submissions from one start of the gateway to its end. */
interface Round {
  readonly name: string;
  /** Every key that was sent. */
  readonly keys: string[];
  /** The command of each key that was answered. */
  readonly answered: Map<string, string>;
}

/** Submits under ever new keys, from several tills at a time, until the gateway is gone. */
async function submitUntilGone(till: ApiClient, deviceId: string, round: Round): Promise<void> {
  const one = async (tillName: string): Promise<void> => {
    for (let count = 0; ; count++) {
      const key = `${round.name}-${tillName}-${count}`;
      round.keys.push(key);
      round.answered.set(key, await submit(till, deviceId, key));
    }
  };
  const tills = Array.from({ length: TILLS }, (_, index) => one(String(index)));
  const ended = await Promise.allSettled(tills);
  expect(ended.every(({ status }) => status === "rejected")).toBe(true);
}

/** @returns the id of the command @throws Error when the gateway is gone or refuses */
async function submit(till: ApiClient, deviceId: string, key: string): Promise<string> {
  const answer = await till.call<{ command: ShownCommand }>("POST", "/commands", {
    body: { deviceId, type: "x_report", payload: {} },
    headers: { "Idempotency-Key": key },
  });
  if (answer.status !== 202) throw new Error(`refused: ${JSON.stringify(answer.body)}`);
  return answer.body.command.id;
}

/** What is on disk: the command that each key's answer names, and the keys that commands carry. */
function onDisk(): { answers: Map<string, string>; commands: Map<string, string[]> } {
  const database = new Database(join(folder, "state", "fiscald.db"), { readonly: true });
  try {
    const kept = database
      .query<{ key: string; id: string }, []>(
        "SELECT key, json_extract(body, '$.command.id') AS id FROM idempotency_keys",
      )
      .all();
    const commands = new Map<string, string[]>();
    const rows = database
      .query<{ key: string; id: string }, []>(
        "SELECT idempotency_key AS key, id FROM commands WHERE idempotency_key IS NOT NULL",
      )
      .all();
    for (const { key, id } of rows) commands.set(key, [...(commands.get(key) ?? []), id]);
    return { answers: new Map(kept.map(({ key, id }) => [key, id])), commands };
  } finally {
    database.close();
  }
}

/** Each kept key has exactly its command, and each command its key. */
function expectWhole(): void {
  const { answers, commands } = onDisk();
  expect(commands).toEqual(new Map([...answers].map(([key, id]) => [key, [id]])));
}

test("a key that was sent again after a crash never makes a second command", async () => {
  let gateway = await start();
  const shop = await registerShop(gateway.url);
  // Nothing listens there: the commands wait, and only their acceptance is looked at.
  const target = { driver: "vendorA.isl", host: "127.0.0.1", port: 1 };
  const deviceId = await registerDevice(shop.till, target);
  const tally = { keys: 0, answered: 0, lost: 0 };
  for (let count = 0; count < ROUNDS; count++) {
    const till = new ApiClient(gateway.url, shop.key);
    const round: Round = { name: `round-${count}`, keys: [], answered: new Map() };
    const submissions = submitUntilGone(till, deviceId, round);
    // A different moment each time.
    const enough = 20 + count * 7;
    await until(`${enough} answers`, () => round.answered.size >= enough);
    await gateway.kill();
    await submissions;
    expectWhole();
    const survived = onDisk().answers;
    for (const [key, id] of round.answered) expect([key, survived.get(key)]).toEqual([key, id]);

    gateway = await start();
    const again = new ApiClient(gateway.url, shop.key);
    for (const key of round.keys) {
      const id = await submit(again, deviceId, key);
      expect([key, id]).toEqual([key, survived.get(key) ?? id]);
      expect(await submit(again, deviceId, key)).toBe(id);
    }
    expectWhole();
    tally.keys += round.keys.length;
    tally.answered += round.answered.size;
    tally.lost += round.keys.filter((key) => !survived.has(key)).length;
  }
  await gateway.stop();
  expect(onDisk().commands.size).toBe(tally.keys);
  process.stdout.write(
    `keys: ${tally.keys} (${tally.answered} answered before a crash, ${tally.lost} not on disk)\n`,
  );
});
