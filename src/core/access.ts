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

/** Which routes each scope opens, by the scope that they need. */
export const SCOPE_COVERS: Readonly<Record<Scope, readonly Scope[]>> = {
  receipts: ["receipts", "receipts:read"],
  "receipts:read": ["receipts:read"],
  "receipts:admin": ["receipts:admin", "receipts:read"],
  reports: ["reports"],
  devices: ["devices", "devices:read", "devices:write"],
  "devices:read": ["devices:read"],
  "devices:write": ["devices:write"],
  commands: ["commands"],
  all: SCOPES,
};

/** The scopes that a login of each role holds. */
export const ROLE_HOLDS: Readonly<Record<Role, readonly Scope[]>> = {
  owner: ["all"],
  admin: ["all"],
  operator: ["devices:read", "commands", "receipts", "reports"],
};

/** What a route asks of its caller. */
export type Access =
  | { readonly kind: "everybody" }
  /** An API key or a login that covers the scope. */
  | { readonly kind: "scope"; readonly scope: Scope }
  /** One that covers any of the scopes; where `ticket` says so, one that it issued stands for it. */
  | { readonly kind: "anyScope"; readonly scopes: readonly Scope[]; readonly ticket: boolean }
  /** A login of at least the role; no API key. `ofBox`: in the organization the box belongs to. */
  | { readonly kind: "login"; readonly role: Role; readonly ofBox?: true };

/** Whoever sent a request, once it is known, and from where. */
export type Principal = Credited & {
  /** When the credential ends by itself, UTC milliseconds; null when it does not. */
  readonly expiresAt: number | null;
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
  const held = principal.kind === "key" ? principal.scopes : ROLE_HOLDS[principal.role];
  return held.some((one) => SCOPE_COVERS[one].includes(scope));
}

/** Who changes something, as an audit entry has it. */
export interface Caller {
  readonly orgId: string;
  /** `user:<id>`, `key:<id>` or `box`. */
  readonly actor: string;
  /** The network address the request came from; null at the box. */
  readonly address: string | null;
}

/** The actor that the person at the box is; also the name of the key that stands for that person. */
export const BOX_ACTOR = "box";

/** The person at the box, who may do anything in an organization. */
export const boxPrincipal = (orgId: string): Principal => ({
  ...{ kind: "key", orgId, keyId: BOX_ACTOR },
  ...{ scopes: ["all"], expiresAt: null },
});

/** The caller that a principal is. */
export function callerOf(principal: Principal): Caller {
  const { orgId, address = null } = principal;
  const actor = actorOf(principal);
  return { orgId, actor, address: actor === BOX_ACTOR ? null : address };
}

/** The actor of an audit entry. */
export function actorOf(principal: Principal): string {
  if (principal.kind === "user") return `user:${principal.userId}`;
  return principal.keyId === BOX_ACTOR ? BOX_ACTOR : `key:${principal.keyId}`;
}
