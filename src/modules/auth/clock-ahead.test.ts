/** Logins and codes that were made while the clock was ahead of the time, and logins on one never set. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { FakeClock } from "../../platform/clock.ts";
import type { Mail } from "../../platform/outbox.ts";
import { createRandom } from "../../platform/random.ts";
import { hashOfSecret } from "../../platform/secrets.ts";
import { takeUpTime } from "../../queue/kept-time.ts";
import { type ApiBench, createApiBench } from "../testing/api-bench.ts";
import { createPasswords } from "./password.ts";
import { issuePasswordCode } from "./password-codes.ts";
import { createUserAdmin } from "./user-admin.ts";

const DAY_MS = 86_400_000;
const YEARS_MS = 20 * 365 * DAY_MS;

let bench: ApiBench;
let mails: Mail[];
beforeEach(() => {
  mails = [];
  const outbox = { send: (mail: Mail) => mails.push(mail), stop: () => undefined };
  bench = createApiBench({ registration: "open", outbox });
});
afterEach(() => bench.close());

const post = (route: string, body: object) => bench.client.post(`/api/v1/auth/${route}`, body);
/** Does something while the clock is so far ahead; it is right again afterwards. */
async function ahead<T>(ms: number, act: () => Promise<T>): Promise<T> {
  const now = bench.clock.now();
  bench.clock.jumpTo(now + ms);
  const came = await act();
  bench.clock.jumpTo(now);
  return came;
}

/** Asks for a code for the owner. @returns it, as the mail has it */
async function askedCode(): Promise<string> {
  await post("forgot-password", { email: "owner@example.com" });
  await bench.writer.run(() => undefined);
  return /^ {4}(\S+)$/m.exec(mails.at(-1)?.text ?? "")?.[1] ?? "";
}
const reset = (token: string) => post("reset-password", { token, password: "a new long password" });

test("a login of a year to come ends as soon as the clock is right", async () => {
  const { answer } = await ahead(YEARS_MS, () => bench.owner());
  bench.clock.advance(DAY_MS);
  const refused = await post("refresh", { refreshToken: answer.field("refreshToken") });
  expect(refused.status).toBe(401);
});

test("a login before a clock that is weeks behind goes on", async () => {
  const { answer } = await ahead(20 * DAY_MS, () => bench.owner());
  const { status } = await post("refresh", { refreshToken: answer.field("refreshToken") });
  expect(status).toBe(200);
});

test("a login that has gone on through a clock that was ahead goes on behind it", async () => {
  const { answer } = await bench.owner();
  const there = await ahead(10 * DAY_MS, () =>
    post("refresh", { refreshToken: answer.field("refreshToken") }),
  );
  const here = await post("refresh", { refreshToken: there.field("refreshToken") });
  expect(here.status).toBe(200);
});

test("a login goes on through a clock that was never set, and behind it", async () => {
  const { answer } = await bench.owner();
  const now = bench.clock.now();
  bench.clock.jumpTo(Date.UTC(1970, 0, 1, 0, 1));
  const there = await post("refresh", { refreshToken: answer.field("refreshToken") });
  expect(there.status).toBe(200);
  const again = await post("refresh", { refreshToken: there.field("refreshToken") });
  expect(again.status).toBe(200);
  bench.clock.jumpTo(now + 60_000);
  const here = await post("refresh", { refreshToken: again.field("refreshToken") });
  expect(here.status).toBe(200);
  // It has gained nothing there.
  bench.clock.jumpTo(now + 31 * DAY_MS);
  expect((await post("refresh", { refreshToken: again.field("refreshToken") })).status).toBe(401);
});

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The clock is put right, and the gateway notices. */
async function set(ms: number): Promise<void> {
  bench.clock.jumpTo(bench.clock.now() + ms);
  bench.queue.lookAtClock();
  await bench.writer.run(() => undefined);
}

test.each([
  ["two hours ahead", -2 * HOUR_MS],
  ["twenty years ahead", -YEARS_MS],
  ["two hours behind", 2 * HOUR_MS],
  ["weeks behind", 20 * DAY_MS],
] as const)("a code of a clock that was %s works for its own hour", async (_, step) => {
  await bench.owner();
  const code = await askedCode();
  bench.clock.advance(10 * MINUTE_MS);
  await set(step);
  expect((await reset(code)).status).toBe(204);
  bench.clock.advance(MINUTE_MS);
  const late = await askedCode();
  await set(step);
  bench.clock.advance(HOUR_MS);
  expect((await reset(late)).status).toBe(401);
});

test.each([
  ["and no longer", 0, 401],
  ["to its last minute", -MINUTE_MS, 204],
] as const)("a code that was made behind the step works for its own hour, %s", async (...row) => {
  const [, ms, status] = row;
  await bench.owner();
  bench.clock.jumpTo(bench.clock.now() + 20 * DAY_MS);
  const code = await askedCode();
  bench.queue.lookAtClock();
  await bench.writer.run(() => undefined);
  bench.clock.advance(HOUR_MS + ms);
  expect((await reset(code)).status).toBe(status);
});

test("a code that was made behind a clock that was set back works for its own hour", async () => {
  await bench.owner();
  bench.clock.jumpTo(bench.clock.now() - 2 * HOUR_MS);
  const code = await askedCode();
  bench.queue.lookAtClock();
  await bench.writer.run(() => undefined);
  bench.clock.advance(HOUR_MS - MINUTE_MS);
  expect((await reset(code)).status).toBe(204);
});

describe("a step of the clock that shares its transaction with what is refused", () => {
  const refused = () =>
    bench.writer
      .run(() => {
        throw new Error("refused");
      })
      .catch(() => undefined);

  test.each([-2 * HOUR_MS, 2 * HOUR_MS])("by %d ms moves a code all the same", async (step) => {
    await bench.owner();
    const code = await askedCode();
    bench.clock.advance(10 * MINUTE_MS);
    bench.clock.jumpTo(bench.clock.now() + step);
    bench.queue.lookAtClock();
    await refused();
    bench.clock.advance(50 * MINUTE_MS - 1_000);
    expect((await reset(code)).status).toBe(204);
  });

  test.each([-2 * HOUR_MS, 2 * HOUR_MS])(
    "by %d ms moves what was stored in it before, and nothing behind",
    async (step) => {
      await bench.owner();
      const made = () =>
        bench.writer.run(() => {
          const user = bench.stores.users.findByEmail("owner@example.com");
          if (user === undefined) throw new Error("there is no owner");
          return issuePasswordCode({ ...bench, random: createRandom(bench.clock) }, user, HOUR_MS);
        });
      bench.clock.jumpTo(bench.clock.now() + step);
      const before = made();
      bench.queue.lookAtClock();
      const codes = [before, made()];
      await refused();
      const ends = await Promise.all(
        codes.map(async (code) => bench.stores.passwordCodes.find(hashOfSecret(await code))?.code),
      );
      const own = expect.objectContaining({ expiresAt: bench.clock.now() + HOUR_MS });
      expect(ends).toEqual([own, own]);
    },
  );

  test("is known to the next start, where it could not be stored", async () => {
    await bench.owner();
    await bench.keepTime();
    bench.clock.jumpTo(bench.clock.now() - 2 * HOUR_MS);
    bench.stores.passwordCodes.shift = () => {
      throw new Error("database or disk is full");
    };
    bench.queue.lookAtClock();
    await refused();
    await bench.keepTime();
    const { steps } = takeUpTime(bench.stores.appliance, bench.clock, bench.boot);
    expect(steps).toBe(-2 * HOUR_MS);
  });
});

/** A code that the person at the box makes, by the database alone. */
function codeAtBox(): Promise<string> {
  const { stores, writer, clock } = bench;
  const time = { asStored: () => takeUpTime(stores.appliance, clock, bench.boot).asStored() };
  const made = { random: createRandom(clock), passwords: createPasswords() };
  const box = { stores, writer, clock, time, ...made };
  return createUserAdmin(box).issueResetCode("owner@example.com");
}

test.each([
  ["back by two hours", -2 * HOUR_MS],
  ["back by years", -YEARS_MS],
  ["forward by two hours", 2 * HOUR_MS],
  ["forward by weeks", 20 * DAY_MS],
] as const)(
  "a code made at the box beside a gateway that has not seen the clock set %s works for its own hour",
  async (...row) => {
    const [, step] = row;
    await bench.owner();
    const made = async (): Promise<string> => {
      await bench.keepTime();
      bench.clock.advance(MINUTE_MS / 2);
      bench.clock.jumpTo(bench.clock.now() + step);
      const code = await codeAtBox();
      bench.clock.advance(5_000);
      await set(0);
      return code;
    };
    const used = await made();
    bench.clock.advance(HOUR_MS - MINUTE_MS);
    expect((await reset(used)).status).toBe(204);
    const late = await made();
    bench.clock.advance(HOUR_MS);
    expect((await reset(late)).status).toBe(401);
  },
);

test("a code made since the time was kept last works behind a start with a clock years behind", async () => {
  await bench.owner();
  await bench.keepTime();
  bench.clock.advance(MINUTE_MS / 2);
  const code = await askedCode();
  const clock = new FakeClock(bench.clock.now() - YEARS_MS);
  const after = createApiBench({ after: { database: bench.database, clock } });
  await after.queue.recover();
  const body = { token: code, password: "a new long password" };
  expect((await after.client.post("/api/v1/auth/reset-password", body)).status).toBe(204);
});

test("a link for somebody new works for its week, though the clock was set meanwhile", async () => {
  const { client } = await bench.owner();
  const invited = async (email: string) => {
    const body = { email, name: "Ana", role: "operator" };
    return (await client.post("/api/v1/org/members", body)).field("setupToken");
  };
  const [used, left] = [await invited("ana@example.com"), await invited("dan@example.com")];
  await set(-2 * HOUR_MS);
  bench.clock.advance(7 * DAY_MS - MINUTE_MS);
  expect((await reset(used)).status).toBe(204);
  bench.clock.advance(MINUTE_MS);
  expect((await reset(left)).status).toBe(401);
});

test("a code of a year to come works for its own hour, before the clock's way there and back is seen", async () => {
  await bench.owner();
  const code = await ahead(YEARS_MS, askedCode);
  bench.clock.advance(HOUR_MS - MINUTE_MS);
  expect((await reset(code)).status).toBe(204);
  const late = await ahead(YEARS_MS, askedCode);
  bench.clock.advance(HOUR_MS);
  expect((await reset(late)).status).toBe(401);
});
