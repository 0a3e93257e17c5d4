/** A shop that has one of everything, a second shop beside it, and every kind of caller. */

import { Type } from "@sinclair/typebox";
import { type Role, SCOPES, type Scope } from "#core/access.ts";
import type { ApiAnswer, ApiClient } from "../../http/testing/api-client.ts";
import { createReportsBench, FIGURES } from "../reports/testing/reports-bench.ts";
import { ACME_TOKEN } from "./api-bench.ts";
import type { CONTRACT_KEYS, CONTRACT_LOGINS } from "./contract-access.ts";

const API = "/api/v1";
const HOUR_MS = 3_600_000;

/** In every text that the shop stored; no other shop may ever read it. */
export const MARKER = "Magnolia";

/** The parameters of paths. */
const PARAMETERS = [
  ...(["userId", "keyId", "webhookId", "locationId", "deviceId"] as const),
  ...(["commandId", "controllerId", "receiptId", "reportId", "alertId", "token"] as const),
] as const;
export type Parameter = (typeof PARAMETERS)[number];
/** What each parameter is to stand for. */
export type Ids = Readonly<Record<Parameter, string>>;

const Identified = Type.Object({ id: Type.String() });

export type AccessBench = Awaited<ReturnType<typeof createAccessBench>>;

/** Builds the shops. Call `close` at the end. */
export async function createAccessBench() {
  const bench = await createReportsBench();
  const { orgId, levers, clock, client } = bench;
  const expired = await expiringCallers(bench);
  await clock.advanceAsync(HOUR_MS);
  const { client: owner } = await bench.member(orgId, "owner");
  const reportId = await reportOf(bench, owner);
  levers.connected = false;

  await standingAlert(bench, bench.deviceId);
  const made = makers(owner, { reportId, alertId: await idOf(owner, "alerts") });
  const ids = Object.fromEntries(
    await Promise.all(PARAMETERS.map(async (name) => [name, await made[name]()] as const)),
  ) as Ids;
  await standingAlert(bench, ids.deviceId);
  const keys = await singleScopeKeys(owner);
  const other = await bench.otherShop();
  const otherOwner = (await bench.member(other.orgId, "owner")).client;

  return {
    client,
    app: client.app,
    orgId,
    owner,
    ids,
    /** A thing of its own for a call that may use it up. */
    fresh: (name: Parameter) => made[name](),
    /** A login of its own for a call that ends it. */
    newcomer: (role: Role) => bench.member(orgId, role),
    /** A key of its own for a call that ends it. */
    newKey: (scope: Scope) => addKey(owner, [scope]),
    /** Credentials that open nothing, with the code of the refusal. */
    invalid: { ...expired, ...(await invalidCallers(bench, owner)) },
    keys,
    logins: {
      operator: (await bench.member(orgId, "operator")).client,
      admin: (await bench.member(orgId, "admin")).client,
      owner,
    } satisfies Record<keyof typeof CONTRACT_LOGINS, ApiClient>,
    /** Of the second shop: all that it can do. */
    strangers: {
      owner: otherOwner,
      key: client.with({ "x-api-key": await keyOf(otherOwner, ["all"], "Other key") }),
    },
    atRest: bench.atRest,
    close: bench.close,
  };
}

type Reports = Awaited<ReturnType<typeof createReportsBench>>;
interface InvalidCaller {
  readonly client: ApiClient;
  readonly code: "UNAUTHORIZED" | "TOKEN_EXPIRED";
}

/** Their hour is not over yet. */
async function expiringCallers({ client, clock, owner, orgId, member, makeKey }: Reports) {
  const until = new Date(clock.now() + HOUR_MS / 2).toISOString();
  return {
    "an expired key": invalid(client.with({ "x-api-key": await makeKey(["all"], until) })),
    "an expired key as bearer": invalid(owner.as(await makeKey(["all"], until))),
    "an expired access token": {
      client: (await member(orgId, "owner")).client,
      code: "TOKEN_EXPIRED",
    },
  } satisfies Record<string, InvalidCaller>;
}

/** `owner` is one with a token that is still good. */
async function invalidCallers({ client, orgId, member }: Reports, owner: ApiClient) {
  const inactive = await addKey(owner, ["all"]);
  await done(owner.patch(`${API}/org/api-keys/${inactive.id}`, { active: false }));
  const rotated = await addKey(owner, ["all"]);
  await done(owner.post(`${API}/org/api-keys/${rotated.id}/rotate`));
  const revoked = await addKey(owner, ["all"]);
  await done(owner.delete(`${API}/org/api-keys/${revoked.id}`));
  const dismissed = await member(orgId, "admin");
  await done(owner.patch(`${API}/org/members/${dismissed.userId}`, { active: false }));
  const removed = await member(orgId, "admin");
  await done(owner.delete(`${API}/org/members/${removed.userId}`));
  const unknown = `svc_live_${orgId}_${"0".repeat(32)}`;
  const withKey = (key: string) => invalid(client.with({ "x-api-key": key }));
  return {
    "no credential": invalid(client),
    "a malformed header": invalid(client.with({ authorization: "Basic b3duZXI6b3duZXI=" })),
    "a malformed key": withKey("svc_live_of-nobody"),
    "a malformed token": invalid(client.as("a.b.c")),
    "an unknown key": withKey(unknown),
    "an unknown key as bearer": invalid(client.as(unknown)),
    "a deactivated key": withKey(inactive.key),
    "a rotated key": withKey(rotated.key),
    "a revoked key": withKey(revoked.key),
    "a deactivated member": invalid(dismissed.client),
    "a removed member": invalid(removed.client),
  } satisfies Record<string, InvalidCaller>;
}

const invalid = (client: ApiClient) => ({ client, code: "UNAUTHORIZED" }) as const;

/** One key for each scope there is. */
async function singleScopeKeys(owner: ApiClient) {
  const keys: Partial<Record<keyof typeof CONTRACT_KEYS, ApiClient>> = {};
  for (const scope of SCOPES) keys[scope] = owner.as(await keyOf(owner, [scope]));
  return keys;
}

/** Makes one thing of each kind; the answer is its id. */
function makers(
  owner: ApiClient,
  { reportId, alertId }: Pick<Ids, "reportId" | "alertId">,
): Record<Parameter, () => Promise<string>> {
  let count = 0;
  const named = (what: string) => `${MARKER} ${what} ${++count}`;
  const made = async (path: string, body: unknown, within?: string): Promise<string> => {
    const answer = await done(owner.post(`${API}${path}`, body));
    if (within === undefined) return answer.as(Identified).id;
    const { [within]: thing } = answer.as(Type.Object({ [within]: Identified }));
    return thing?.id ?? "";
  };
  const device = () =>
    made("/devices", {
      ...{ name: named("till"), driver: "vendorA.isl", transport: "tcp", locationId: "shop" },
      connectionParams: { host: `till-${count}.example`, port: 9100 },
    });
  return {
    deviceId: device,
    userId: () =>
      made(
        "/org/members",
        { email: `${MARKER}.${++count}@shop.example`, name: named("person"), role: "operator" },
        "member",
      ),
    keyId: () => made("/org/api-keys", { label: named("key"), scopes: ["reports"] }),
    webhookId: () =>
      made(
        "/org/webhooks",
        {
          url: "https://hooks.example/",
          description: named("hook"),
          events: ["device.online"],
        },
        "webhook",
      ),
    locationId: () => made("/org/locations", { name: named("corner") }, "location"),
    commandId: async () =>
      made(
        "/commands",
        {
          deviceId: await device(),
          type: "non_fiscal_receipt",
          payload: { lines: [named("slip")] },
        },
        "command",
      ),
    controllerId: async () => {
      const controllerId = `tablet-${++count}`;
      const body = { locationId: "shop", controllerName: named("tablet") };
      await done(owner.post(`${API}/controllers/${controllerId}`, body));
      return controllerId;
    },
    receiptId: async () =>
      made(
        "/receipts",
        {
          ...{ deviceId: await device(), type: "sale", fiscalId: String(++count) },
          items: [{ name: named("tea"), quantity: 1, price: 1, vatGroup: "VAT1" }],
          payments: [{ method: "cash", amount: 1 }],
        },
        "receipt",
      ),
    reportId: () => Promise.resolve(reportId),
    alertId: () => Promise.resolve(alertId),
    token: () => Promise.resolve(ACME_TOKEN),
  };
}

/** What the watch of a gateway writes, which nobody runs here. */
async function standingAlert({ writer, stores, clock, orgId }: Reports, deviceId: string) {
  await writer.run(() =>
    stores.alertHistory.append({
      ...{ orgId, deviceId, deviceName: MARKER, type: "paper_out", severity: "error", message: "" },
      ...{ commandId: null, fiscalId: null, standsOpen: null, detectedAt: clock.now() },
      ...{ endedAt: null, end: null, endedBy: null },
    }),
  );
}

/** Has a report printed. @returns its id */
async function reportOf(bench: Reports, owner: ApiClient): Promise<string> {
  await bench.report("z_report", { ...FIGURES, fiscalMemorySerialNumber: MARKER });
  return await idOf(owner, "reports");
}

/** The id of the only row of a list. */
async function idOf(owner: ApiClient, list: "reports" | "alerts"): Promise<string> {
  const answer = await done(owner.get(`${API}/${list}`));
  const [row] = answer.as(Type.Object({ [list]: Type.Array(Identified) }))[list] ?? [];
  return row?.id ?? "";
}

const keyOf = async (owner: ApiClient, scopes: readonly string[], label?: string) =>
  (await addKey(owner, scopes, label)).key;

async function addKey(owner: ApiClient, scopes: readonly string[], label = `${MARKER} key`) {
  const answer = await done(owner.post(`${API}/org/api-keys`, { label, scopes }));
  return answer.as(Type.Object({ id: Type.String(), key: Type.String() }));
}

/** @throws Error with the answer when it is a refusal */
async function done(asked: Promise<ApiAnswer>): Promise<ApiAnswer> {
  const answer = await asked;
  if (answer.status >= 300) throw new Error(`refused: ${answer.text}`);
  return answer;
}
