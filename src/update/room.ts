/** Room on the disks that an update writes to, by the installer's own rule of it. */

import { askSteps } from "./ask-steps.ts";
import { UpdateRefused } from "./failures.ts";

/**
 * @param folders `home` for what an update unpacks and keeps, `state` for the database, if there is one
 * @throws UpdateRefused where a disk has less than it takes; names what updates that went back have left there
 */
export async function requireRoom({
  home,
  state,
}: Readonly<Record<"home" | "state", string>>): Promise<void> {
  const { code, said } = await askSteps('has_room_for_update "$1"', [home], { state });
  if (code === 0) return;
  const why = said === "" ? `the question what room there is ended with ${code}` : said;
  throw new UpdateRefused(why.replaceAll("\n", "; "));
}
