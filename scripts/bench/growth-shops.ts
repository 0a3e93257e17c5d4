/** The shops of the growth bench: a state directory each, made once and kept for later runs. */

import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "#db/connection.ts";
import { migrate } from "#db/migrate.ts";
import {
  ApiClient,
  type Gateway,
  registerShop,
  startGateway,
} from "../../src/e2e/harness/gateway.ts";
import {
  EXPIRED_KEYS,
  type HistoryPlan,
  historyForm,
  renewHistory,
  seedExpiredKeys,
  seedHistory,
} from "./growth-rows.ts";
import { show } from "./measure.ts";
import { RawHttp } from "./raw-http.ts";

/** Not in a temporary folder: the large one takes a quarter of an hour to make. */
const FOLDER = join(import.meta.dir, "..", "..", "dist", "bench");
/** Commands are kept for two years, and the oldest of the longest history are nearly as old. */
const KEPT_MS = 30 * 86_400_000;
/** On disk, with all indexes and room for making them. */
const BYTES_PER_ROW = 3_000;
const DEVICES = 10;
const DAY_MS = 86_400_000;

/** A shop on disk. */
export interface Shop extends HistoryPlan {
  readonly state: string;
  readonly key: string;
  readonly email: string;
  readonly password: string;
  /** `seq` of the newest event of the history. */
  readonly lastEvent: number;
}

/** A gateway that serves a shop, and who asks it. */
export interface OpenShop {
  readonly shop: Shop;
  readonly gateway: Gateway;
  readonly asker: RawHttp;
}

/** Whose credential is shown: the key of a till, or a new login of the owner. */
export type Asker = "till" | "owner";

/** The shop with so many commands and as many receipts, as new. @throws Error without the room */
export async function prepareShop(rows: number): Promise<Shop> {
  const made = knownShop(rows) ?? (await makeShop(rows));
  // Whoever is cut short in between leaves nothing that the next run would trust.
  rmSync(noteOf(rows), { force: true });
  const lastEvent = change(made, (database) => {
    migrate(database, Date.now());
    return renewHistory(database, made, Date.now());
  });
  const shop = { ...made, lastEvent };
  writeFileSync(noteOf(rows), JSON.stringify(shop));
  const { size } = statSync(databaseOf(shop));
  show(`${rows.toLocaleString("en")} commands and receipts`, `${(size / 1e9).toFixed(2)} GB`);
  return shop;
}

/** Puts a day's worth of expired keys into a shop whose gateway stands still. */
export function expireKeys(shop: Shop): void {
  change(shop, (database) => seedExpiredKeys(database, shop));
}

/** True while there are expired keys. */
export function hasExpiredKeys(shop: Shop): boolean {
  return change(shop, ({ sqlite }) => {
    const one = `SELECT 1 FROM idempotency_keys WHERE expires_at <= ${EXPIRED_KEYS} LIMIT 1`;
    return sqlite.prepare(one).get() !== undefined;
  });
}

/** Starts the gateway of a shop. Nobody takes the commands of its devices. */
export async function startShop(shop: Shop): Promise<Gateway> {
  const seconds = 86_400;
  return startGateway(shop.state, {
    args: [
      "--log-level=warn",
      `--commands-push-wait-seconds=${seconds}`,
      `--commands-overall-seconds=${seconds}`,
    ],
  });
}

/** Connects to the gateway of a shop. */
export async function connectTo(gateway: Gateway, shop: Shop, by: Asker): Promise<RawHttp> {
  if (by === "till") return RawHttp.open(gateway.url, shop.key);
  const { email, password } = shop;
  const { accessToken: token } = await new ApiClient(gateway.url).expect<{ accessToken: string }>(
    ...(["POST", "/auth/login"] as const),
    { email, password },
  );
  return RawHttp.open(gateway.url, { token });
}

const folderOf = (rows: number): string => join(FOLDER, `growth-${rows}`);
const noteOf = (rows: number): string => join(folderOf(rows), "shop.json");
const databaseOf = ({ state }: Pick<Shop, "state">): string => join(state, "fiscald.db");

function change<T>(shop: Pick<Shop, "state">, work: (database: Database) => T): T {
  const database = openDatabase(databaseOf(shop));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** As it is kept. */
interface MadeShop extends Omit<Shop, "lastEvent"> {
  /** Of the rows as they were written. */
  readonly form: string;
}

/** A shop that is kept and that nothing has aged. */
function knownShop(rows: number): MadeShop | undefined {
  if (!existsSync(noteOf(rows))) return undefined;
  const kept: MadeShop = JSON.parse(readFileSync(noteOf(rows), "utf8"));
  return Date.now() - kept.end < KEPT_MS && kept.form === historyForm() ? kept : undefined;
}

async function makeShop(rows: number): Promise<MadeShop> {
  const folder = folderOf(rows);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < rows * BYTES_PER_ROW) {
    throw new Error(`${rows} rows need ${(rows * BYTES_PER_ROW) / 1e9} GB below ${folder}`);
  }
  const beganAt = performance.now();
  const registered = await register(join(folder, "state"));
  const end = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const shop = { ...registered, rows, end, form: historyForm() };
  change(shop, (database) => seedHistory(database, shop));
  const seconds = (performance.now() - beganAt) / 1_000;
  show(`made ${rows.toLocaleString("en")} commands and receipts`, `${seconds.toFixed(0)} s`);
  return shop;
}

/** What there is before the first sale. */
async function register(state: string): Promise<Omit<Shop, "rows" | "end" | "lastEvent">> {
  const gateway = await startGateway(state);
  try {
    const { owner, till, key, email, password } = await registerShop(gateway.url, "UTC");
    const deviceIds: string[] = [];
    for (let port = 1; port <= DEVICES; port += 1) {
      const { id } = await till.expect<{ id: string }>("POST", "/devices", {
        ...{ name: `Nobody's ${port}`, driver: "vendorA.isl", transport: "tcp" },
        ...{ locationId: "bench", managedBy: "remote" },
        connectionParams: { host: "127.0.0.1", port },
      });
      deviceIds.push(id);
    }
    const { id: orgId } = await owner.expect<{ id: string }>("GET", "/org");
    const { webhook } = await owner.expect<{ webhook: { id: string } }>("POST", "/org/webhooks", {
      ...{ url: "https://pos.example.com/hook", events: ["device.offline"], enabled: false },
    });
    const webhookId = webhook.id;
    return { orgId, state, key, email, password, deviceIds, webhookId };
  } finally {
    await gateway.stop();
  }
}
