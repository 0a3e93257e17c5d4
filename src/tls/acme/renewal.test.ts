import { expect, test } from "bun:test";
import { renewalAt, restAfter, retryAfter } from "./renewal.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

test("a certificate is renewed before two thirds of its time, each gateway's at another moment", () => {
  const of90Days = (fingerprint: string) =>
    renewalAt({ notBefore: 0, notAfter: 90 * DAY_MS, fingerprint }) / DAY_MS;
  expect(of90Days("00:00:00:00:FF")).toBe(60);
  expect(of90Days("FF:FF:FF:FF:00")).toBeCloseTo(55.5);
  expect(of90Days("80:00:00:00:00")).toBeCloseTo(57.75);
});

test("one that was obtained rests for a week, or a third of its time", () => {
  const days = (valid: number) => restAfter({ notBefore: 0, notAfter: valid * DAY_MS }) / DAY_MS;
  expect([90, 45, 6, 1].map(days)).toEqual([7, 7, 2, 1 / 3]);
});

test("a failed try is repeated after 5 minutes, then ever later, and as late as it was asked to", () => {
  const minutes = (failures: number, chance = 0.5, askedForMs = 0) =>
    retryAfter(failures, { chance, askedForMs }) / MINUTE_MS;
  expect([1, 2, 3, 4, 9, 10_000].map((n) => minutes(n))).toEqual([5, 10, 20, 40, 720, 720]);
  expect([minutes(1, 0), minutes(1, 1)]).toEqual([3.75, 6.25]);
  expect(minutes(1, 0.5, 3 * 60 * MINUTE_MS)).toBe(180);
  expect(minutes(1, 0.5, 3_000 * DAY_MS)).toBe(8 * 24 * 60);
});
