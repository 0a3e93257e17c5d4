/**
 * The day of day-shop.ts; or the backup that its gateway starts as one more process of this program,
 * which has then to be on the day's time: a backup of another year would not count as the day's.
 */

import { BACKUP_NOW } from "./day-backup.ts";

if (process.argv[2] === "backup") {
  const aheadMs = Date.now() - Number(process.env[BACKUP_NOW]);
  const machineNow = Date.now;
  Date.now = () => machineNow() - aheadMs;
  await import("../../src/main.ts");
} else {
  await import("./day-shop.ts");
}
