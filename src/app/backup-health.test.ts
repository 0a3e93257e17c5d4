/** What `/health` says of backups before anybody has looked at their place, and behind that. */

import { expect, test } from "bun:test";
import type { BackupOutcome } from "../backup/kept-backups.ts";
import { BackupSchedule } from "../backup/schedule.ts";
import { FakeClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { backupHealth } from "./health.ts";

const clock = new FakeClock();
const NOTHING_FAILED: BackupOutcome = { last: null, usual: null, failed: null };

/** A gateway that has just been started, with what its first look comes to. */
function started(outcome = NOTHING_FAILED) {
  const look = Promise.withResolvers<string | undefined>();
  const schedule = new BackupSchedule({
    ...{ at: () => "03:00", canEncrypt: () => true, isHourChosen: () => true },
    ...{ unready: () => look.promise, outcome: () => outcome, tell: () => undefined },
    ...{ noteFailure: () => undefined, clock, log: createLog({ level: "silent", clock }) },
    begin: () => ({ ended: Promise.resolve(undefined), kill: () => undefined }),
  });
  schedule.start();
  return { schedule, look };
}

test.each([
  ["what is found", "there is no folder /media/shop", { status: "degraded" }],
  ["that all is well", undefined, { status: "ok" }],
])("says nothing before the first look, and then %s", async (_, found, health) => {
  const { schedule, look } = started();
  expect(backupHealth(schedule)).toEqual({});
  look.resolve(found);
  await clock.advanceAsync(0);
  expect(backupHealth(schedule)).toMatchObject({ backup: health });
  await schedule.stop(0);
});

test("says that nobody knows where the look comes to nothing", async () => {
  const { schedule, look } = started();
  look.reject(new Error("no such user"));
  await clock.advanceAsync(0);
  expect(backupHealth(schedule)).toMatchObject({
    backup: { status: "degraded", findings: [{ code: "backup_unknown" }] },
  });
  await schedule.stop(0);
});

test("says at once what is known without a look", async () => {
  const failed = { at: "2026-01-15T03:00:00.000Z", reason: "no room" };
  const { schedule } = started({ ...NOTHING_FAILED, failed });
  expect(backupHealth(schedule)).toMatchObject({
    backup: { findings: [{ code: "backup_failed" }] },
  });
  await schedule.stop(0);
});
