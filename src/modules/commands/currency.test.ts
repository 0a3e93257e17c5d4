/** In which currency the API tells the amounts of a command. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { type CommandsBench, createCommandsBench, UNKNOWN } from "./testing/commands-bench.ts";

const Told = Type.Object({ id: Type.String(), currency: Type.Union([Type.String(), Type.Null()]) });
const REFUSED = { ...UNKNOWN, data: { outcome: "not_printed" } } as const;

let bench: CommandsBench;
beforeEach(async () => {
  bench = await createCommandsBench();
});
afterEach(() => bench.close());

const setCurrency = async (currency: string) => {
  bench.clock.advance(1_000);
  expect((await bench.owner.patch("/api/v1/org", { currency })).status).toBe(200);
  bench.clock.advance(1_000);
};
async function ended(result: Parameters<CommandsBench["finish"]>[1]): Promise<string> {
  const id = await bench.queued();
  await bench.finish(id, result);
  return id;
}
const PRINTED = { success: true, data: {}, fiscalId: "7" } as const;

const one = async (id: string) =>
  (await bench.owner.get(`/api/v1/commands/${id}`)).as(Type.Object({ command: Told })).command
    .currency;

test("a command keeps the currency in which the shop sold when it was accepted", async () => {
  const inLei = [await ended(PRINTED), await ended(REFUSED)];
  await setCurrency("EUR");
  const inEuro = await ended(REFUSED);
  await setCurrency("USD");
  expect(await Promise.all([...inLei, inEuro].map(one))).toEqual(["RON", "RON", "EUR"]);
});

test("one that an older version accepted by its receipt or the shop's changes", async () => {
  const inLei = await ended(PRINTED);
  const before = await ended(REFUSED);
  await setCurrency("EUR");
  const inEuro = await ended(REFUSED);
  bench.database.sqlite.exec("UPDATE commands SET currency = NULL");
  bench.stores.commands.shiftExpiry(0);
  expect([await one(inLei), await one(inEuro)]).toEqual(["RON", "EUR"]);
  // What the shop had before its first change is told nowhere but on what was printed.
  expect(await one(before)).toBeNull();
  await setCurrency("USD");
  const list = (await bench.owner.get("/api/v1/commands?sortOrder=asc")).as(
    Type.Object({ commands: Type.Array(Told) }),
  );
  expect(list.commands.map(({ currency }) => currency)).toEqual(["RON", null, "EUR"]);
});
