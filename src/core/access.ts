/** Roles, scopes and what each covers. */

/** The highest first. */
export const ROLES = ["owner", "admin", "operator"] as const;
export type Role = (typeof ROLES)[number];

/** True when the first role may do what the second may not. */
export function ranksAbove(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) < ROLES.indexOf(other);
}

export const SCOPES = [
  "receipts",
  "receipts:read",
  "receipts:admin",
  "reports",
  "devices",
  "devices:read",
  "devices:write",
  "commands",
  "all",
] as const;
export type Scope = (typeof SCOPES)[number];

/** What a scope covers besides itself. */
const IMPLIED: Readonly<Partial<Record<Scope, readonly Scope[]>>> = {
  receipts: ["receipts:read"],
  "receipts:admin": ["receipts:read"],
  devices: ["devices:read", "devices:write"],
};

/** What an operator's login covers; owner and admin cover every scope. */
const OPERATOR_SCOPES: readonly Scope[] = ["devices:read", "commands", "receipts", "reports"];

/** Whoever sent a request, once it is known, and from where. */
export type Principal = Credited & {
  /** The client's network address; absent where there was no socket. */
  readonly address?: string | undefined;
};

/** What a credential says of its holder. */
type Credited =
  | {
      readonly kind: "key";
      readonly orgId: string;
      readonly keyId: string;
      readonly scopes: readonly Scope[];
    }
  | {
      readonly kind: "user";
      readonly orgId: string;
      readonly userId: string;
      readonly sessionId: string;
      readonly role: Role;
    };

/** True when the credential covers the scope. */
export function covers(principal: Principal, scope: Scope): boolean {
  if (principal.kind === "key") return scopesCover(principal.scopes, scope);
  return principal.role === "operator" ? scopesCover(OPERATOR_SCOPES, scope) : true;
}

function scopesCover(granted: readonly Scope[], scope: Scope): boolean {
  return granted.some(
    (held) => held === "all" || held === scope || (IMPLIED[held]?.includes(scope) ?? false),
  );
}

/** Who changes something, as an audit entry has it. */
export interface Caller {
  readonly orgId: string;
  /** `user:<id>`, `key:<id>` or `box`. */
  readonly actor: string;
  /** The network address the request came from; null at the box. */
  readonly address: string | null;
}

/** The caller that a principal is. */
export function callerOf(principal: Principal): Caller {
  const { orgId, address = null } = principal;
  return { orgId, actor: actorOf(principal), address };
}

/** The actor of an audit entry. */
export function actorOf(principal: Principal): string {
  return principal.kind === "key" ? `key:${principal.keyId}` : `user:${principal.userId}`;
}
