/** Making, changing, rotating and revoking API keys. */

import type { Caller, Scope } from "#core/access.ts";
import type { AuditAction } from "#core/audit.ts";
import { ApiError, noSuch, validationError } from "#core/errors.ts";
import { isoTime, isoTimeOrNull } from "#core/iso-time.ts";
import { PLAN_LIMITS } from "#core/limits.ts";
import { requireNotFull } from "#core/org-rows.ts";
import type { ApiKey } from "#db/stores/api-keys.ts";
import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import { API_KEY_START } from "../../http/credentials.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { hashOfSecret } from "../../platform/secrets.ts";

const SECRET_BYTES = 16;
const PREFIX_CHARACTERS = 12;
/** As many as stand in one page of a list elsewhere. */
const REVOKED_SHOWN = 100;

export interface ApiKeyServiceOptions {
  readonly stores: Pick<Stores, "apiKeys" | "organizations" | "audit">;
  readonly writer: Writer;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
}

/** What a new key may do. */
export interface NewKey {
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** ISO 8601, in the future; undefined means never. */
  readonly expiresAt?: string | undefined;
}

/** A key with its text, which exists only in this answer. */
interface Issued {
  readonly text: string;
  readonly row: ApiKey;
}

export type ApiKeyService = ReturnType<typeof createApiKeyService>;

/** Makes the service. */
export function createApiKeyService(options: ApiKeyServiceOptions) {
  const { stores, writer, clock } = options;
  const { apiKeys, organizations, audit } = stores;

  const requirePlan = (orgId: string): void => {
    const plan = organizations.get(orgId)?.plan ?? "free";
    if (apiKeys.countActive(orgId) < PLAN_LIMITS[plan].apiKeys) return;
    throw new ApiError(
      "TIER_LIMIT_EXCEEDED",
      `The plan ${plan} does not allow another API key: fiscald plan at the box picks another plan`,
    );
  };
  const note = (caller: Caller, action: AuditAction, key: ApiKey): void =>
    audit.append({
      ...caller,
      at: clock.now(),
      action,
      resource: key.id,
      details: { label: key.label, scopes: key.scopes },
    });
  const existing = (orgId: string, keyId: string): ApiKey => {
    const key = apiKeys.get(orgId, keyId);
    if (key === undefined) throw noSuch("API key");
    return key;
  };

  return {
    /** Newest first. */
    list: (orgId: string) => apiKeys.list(orgId).map(keyRecord),

    /** Those that were revoked last, newest first: the audit log alone knows how they were called. */
    revoked(orgId: string) {
      const filter = { action: "api_key.revoked" } as const;
      const entries = audit.page(orgId, { filter, limit: REVOKED_SHOWN, order: "desc" });
      return entries.map(({ resource, details, at }) => {
        const label = String(details?.label ?? "");
        return { id: resource, label, revokedAt: isoTime(at) };
      });
    },

    /** @throws ApiError TIER_LIMIT_EXCEEDED when the plan allows no more keys */
    requirePlan,

    /**
     * @throws ApiError TIER_LIMIT_EXCEEDED or VALIDATION_ERROR, or CONFLICT where there are as many as
     * there may be, inactive ones included
     */
    async create(caller: Caller, wanted: NewKey) {
      const expiresAt = expiryOf(wanted.expiresAt, clock.now());
      const { text, row } = await writer.run(() => {
        requirePlan(caller.orgId);
        requireNotFull("apiKeys", apiKeys.count(caller.orgId));
        const issued = issue(options, caller.orgId, { ...wanted, expiresAt, rotatedFromId: null });
        apiKeys.insert(issued.row);
        note(caller, "api_key.created", issued.row);
        return issued;
      });
      const { id, prefix, label, scopes, active, createdAt, last4 } = keyRecord(row);
      return {
        id,
        key: text,
        prefix,
        last4,
        label,
        scopes,
        active,
        createdAt,
        expiresAt: keyRecord(row).expiresAt,
      };
    },

    /** @throws ApiError NOT_FOUND */
    get: (orgId: string, keyId: string) => keyRecord(existing(orgId, keyId)),

    /** @throws ApiError NOT_FOUND, or CONFLICT when a key that was replaced is to live again */
    async update(
      caller: Caller,
      keyId: string,
      change: { readonly label?: string; readonly active?: boolean },
    ) {
      const row = await writer.run(() => {
        const key = existing(caller.orgId, keyId);
        if (change.active === true && key.rotatedToId !== null) throw replaced();
        apiKeys.update(caller.orgId, keyId, change);
        note(caller, "api_key.updated", { ...key, ...change });
        return existing(caller.orgId, keyId);
      });
      return keyRecord(row);
    },

    /** In one step the old key ends and its successor begins. @throws NOT_FOUND or CONFLICT */
    async rotate(caller: Caller, keyId: string) {
      const { text, row } = await writer.run(() => {
        const old = existing(caller.orgId, keyId);
        if (!old.active) throw new ApiError("CONFLICT", "The API key is not active any more");
        if (old.expiresAt !== null && old.expiresAt <= options.clock.now()) {
          // Its successor would be as old, and as dead.
          throw new ApiError("CONFLICT", "The API key has expired: create a new one");
        }
        requireNotFull("apiKeys", apiKeys.count(caller.orgId));
        const issued = issue(options, caller.orgId, { ...old, rotatedFromId: old.id });
        apiKeys.insert(issued.row);
        apiKeys.update(caller.orgId, keyId, { active: false, rotatedToId: issued.row.id });
        note(caller, "api_key.rotated", issued.row);
        return issued;
      });
      const record = keyRecord(row);
      return {
        id: record.id,
        key: text,
        prefix: record.prefix,
        last4: record.last4,
        label: record.label,
        scopes: record.scopes,
        active: record.active,
        createdAt: record.createdAt,
        expiresAt: record.expiresAt,
        rotatedFromId: record.rotatedFromId,
      };
    },

    /** Requests that were authenticated before still finish. @throws ApiError NOT_FOUND */
    async revoke(caller: Caller, keyId: string): Promise<void> {
      await writer.run(() => {
        const key = existing(caller.orgId, keyId);
        apiKeys.remove(caller.orgId, keyId);
        note(caller, "api_key.revoked", key);
      });
    },
  };
}

function issue(
  { random, clock }: ApiKeyServiceOptions,
  orgId: string,
  from: Pick<ApiKey, "label" | "scopes" | "expiresAt" | "rotatedFromId">,
): Issued {
  const text = `${API_KEY_START}${orgId}_${random.hex(SECRET_BYTES)}`;
  return {
    text,
    row: {
      id: random.id("key"),
      orgId,
      hash: hashOfSecret(text),
      prefix: `${text.slice(0, PREFIX_CHARACTERS)}…`,
      last4: text.slice(-4),
      label: from.label,
      scopes: [...new Set(from.scopes)],
      active: true,
      createdAt: clock.now(),
      lastUsed: null,
      expiresAt: from.expiresAt,
      rotatedFromId: from.rotatedFromId,
      rotatedToId: null,
    },
  };
}

/** Whoever rotated a key took its text for known to others. */
function replaced(): ApiError {
  return new ApiError("CONFLICT", "The API key was replaced by rotation and stays inactive");
}

function expiryOf(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const expiresAt = Date.parse(text);
  if (expiresAt > now) return expiresAt;
  throw validationError([{ path: "expiresAt", message: "Expected a time in the future" }]);
}

/** A key as the API shows it: never its text, never its hash. */
function keyRecord(key: ApiKey) {
  return {
    id: key.id,
    prefix: key.prefix,
    last4: key.last4,
    label: key.label,
    scopes: key.scopes,
    active: key.active,
    createdAt: isoTime(key.createdAt),
    lastUsed: isoTimeOrNull(key.lastUsed),
    expiresAt: isoTimeOrNull(key.expiresAt),
    rotatedFromId: key.rotatedFromId,
    rotatedToId: key.rotatedToId,
  };
}
