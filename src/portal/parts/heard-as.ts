/** Looks in the box's list of requests whether it has heard a wish. */

import { queryOptions } from "@tanstack/react-query";
import { answer, type CommandType, type GatewayError } from "../../client/index.ts";
import { api } from "../api/client.ts";
import type { Body } from "../api/queries.ts";
import type { KeptWish } from "./kept-wishes.ts";

const COMMANDS = "/api/v1/commands";
type Page = Body<typeof COMMANDS>;

/** What is looked for. */
export interface LookedFor extends Pick<KeptWish, "key" | "at"> {
  readonly deviceId: string;
  /** What the wish is queued as: others may ask much of the same printer meanwhile. */
  readonly type: CommandType;
}

/** What the list says: the command's id, null where it is not in it, undefined where it is too long. */
type HeardAs = string | null | undefined;

const PAGE_ROWS = 100;
/** Nobody asks one thing of a printer so often in the time that is looked back. */
const PAGES_MAX = 20;
/** The box's clock may have been set back since. */
const LOOKED_BACK_MS = 3_600_000;

/** What `useQuery` takes. Events have it looked up again, as all that is read of the list. */
export function heardAs({ deviceId, type, key, at }: LookedFor) {
  const from = new Date(at - LOOKED_BACK_MS).toISOString();
  const order = { sortOrder: "asc", limit: PAGE_ROWS } as const;
  const fixed = { deviceId, type: [type], from, ...order };
  return queryOptions<{ readonly id: HeardAs }, GatewayError>({
    queryKey: [COMMANDS, { heardUnder: key, ...fixed }],
    queryFn: async ({ signal }) => ({
      id: await findHeard(key, (startAfter) => {
        const query = startAfter === undefined ? fixed : { ...fixed, startAfter };
        return answer(api.GET(COMMANDS, { params: { query }, signal }));
      }),
    }),
  });
}

/** Goes through the list to its end: only then nobody has heard it. */
export async function findHeard(
  key: string,
  pageBehind: (startAfter: string | undefined) => Promise<Page>,
): Promise<HeardAs> {
  let startAfter: string | undefined;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { commands, hasMore, lastId } = await pageBehind(startAfter);
    const heard = commands.find(({ idempotencyKey }) => idempotencyKey === key);
    if (heard !== undefined) return heard.id;
    if (!hasMore) return null;
    startAfter = lastId;
  }
  return undefined;
}
