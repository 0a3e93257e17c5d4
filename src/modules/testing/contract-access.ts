/** Table of who may call which route, written from the contract and not from the code. */

/** What a route asks for: a scope, or a login of at least a role. */
export type Need =
  | "everybody"
  | "receipts"
  | "receipts:read"
  | "receipts:admin"
  | "reports"
  | "devices:read"
  | "devices:write"
  | "commands"
  | "all"
  /** Any of the scopes `devices:read`, `commands`, `receipts:read` and `reports`. */
  | "listener"
  | "ticket or listener"
  | "operator"
  | "admin"
  | "owner";

/** Routes below `/api/v1`. */
const API: Readonly<Record<string, Need>> = {
  "GET /auth/registration": "everybody",
  "POST /auth/register": "everybody",
  "POST /auth/login": "everybody",
  "POST /auth/refresh": "everybody",
  "POST /auth/logout": "everybody",
  "POST /auth/forgot-password": "everybody",
  "POST /auth/reset-password": "everybody",
  "GET /auth/me": "operator",
  "POST /auth/change-password": "operator",
  "PATCH /auth/me": "operator",

  "GET /org": "operator",
  "PATCH /org": "admin",
  "GET /org/members": "admin",
  "POST /org/members": "admin",
  "PATCH /org/members/{userId}": "admin",
  "DELETE /org/members/{userId}": "admin",
  "POST /org/members/{userId}/code": "admin",
  "GET /org/api-keys": "operator",
  "GET /org/api-keys/revoked": "operator",
  "POST /org/api-keys": "admin",
  "PATCH /org/api-keys/{keyId}": "admin",
  "DELETE /org/api-keys/{keyId}": "admin",
  "POST /org/api-keys/{keyId}/rotate": "admin",
  "GET /org/webhooks": "admin",
  "POST /org/webhooks": "admin",
  "GET /org/webhooks/{webhookId}": "admin",
  "PATCH /org/webhooks/{webhookId}": "admin",
  "DELETE /org/webhooks/{webhookId}": "admin",
  "POST /org/webhooks/{webhookId}/rotate-secret": "admin",
  "POST /org/webhooks/{webhookId}/test": "admin",
  "GET /org/webhooks/{webhookId}/deliveries": "admin",
  "POST /org/webhooks/{webhookId}/replay": "admin",
  "GET /org/locations": "devices:read",
  "POST /org/locations": "devices:write",
  "GET /org/locations/{locationId}": "devices:read",
  "PATCH /org/locations/{locationId}": "devices:write",
  "DELETE /org/locations/{locationId}": "devices:write",
  "GET /billing": "operator",
  "PUT /billing/plan": "owner",
  "GET /audit": "admin",
  "GET /backups": "admin",
  "POST /backups": "admin",
  "PATCH /backups/settings": "owner",

  "POST /devices": "devices:write",
  "POST /devices/simulated": "admin",
  "GET /devices": "devices:read",
  "GET /devices/ports": "devices:read",
  "GET /devices/statuses": "devices:read",
  "GET /devices/alerts": "devices:read",
  "GET /alerts": "devices:read",
  "GET /alerts/{alertId}": "devices:read",
  "POST /devices/detect": "devices:write",
  "GET /devices/{deviceId}": "devices:read",
  "PATCH /devices/{deviceId}": "devices:write",
  "DELETE /devices/{deviceId}": "devices:write",
  "POST /devices/{deviceId}/release": "devices:write",
  "POST /devices/{deviceId}/accept-printer": "owner",
  "POST /devices/{deviceId}/accept-state": "owner",
  "GET /devices/{deviceId}/status": "devices:read",
  "GET /devices/{deviceId}/connection-history": "devices:read",
  "GET /devices/{deviceId}/alerts": "devices:read",
  "GET /devices/{deviceId}/trace": "devices:write",
  "GET /devices/{deviceId}/paper": "admin",
  "POST /devices/{deviceId}/faults": "admin",
  "DELETE /devices/{deviceId}/faults": "admin",
  "GET /devices/{deviceId}/receipts": "receipts:read",

  "POST /devices/{deviceId}/commands": "commands",
  "POST /commands": "commands",
  "GET /commands": "commands",
  "GET /commands/{commandId}": "commands",
  "DELETE /commands/{commandId}": "commands",
  "POST /commands/{commandId}/resolve": "commands",
  "GET /commands/{commandId}/last-receipt": "commands",

  "GET /devices/{deviceId}/cash-balance": "devices:read",
  "GET /devices/{deviceId}/datetime": "devices:read",
  "POST /devices/{deviceId}/set-datetime": "devices:write",
  "POST /devices/{deviceId}/print-duplicate": "devices:write",
  "POST /devices/{deviceId}/non-fiscal": "devices:write",
  "GET /devices/{deviceId}/vat-rates": "devices:read",
  "POST /devices/{deviceId}/vat-rates": "devices:write",
  "GET /devices/{deviceId}/vat-capabilities": "devices:read",
  "GET /devices/{deviceId}/header-footer": "devices:read",
  "POST /devices/{deviceId}/header-footer": "devices:write",
  "GET /devices/{deviceId}/header-footer-capabilities": "devices:read",
  "GET /devices/{deviceId}/logo-capabilities": "devices:read",
  "GET /devices/{deviceId}/operators": "devices:read",
  "POST /devices/{deviceId}/operator": "devices:write",
  "GET /devices/{deviceId}/operator-capabilities": "devices:read",
  "GET /devices/{deviceId}/info": "devices:read",
  "GET /devices/{deviceId}/last-receipt": "devices:read",
  "GET /devices/{deviceId}/live-status": "devices:read",
  "POST /devices/{deviceId}/logo": "devices:write",
  "DELETE /devices/{deviceId}/logo": "devices:write",
  "POST /devices/{deviceId}/void-open": "devices:write",
  "POST /devices/{deviceId}/reversal": "devices:write",
  "POST /devices/{deviceId}/reports/x": "reports",
  "POST /devices/{deviceId}/reports/z": "reports",

  "GET /controllers": "devices:read",
  "GET /controllers/connect": "devices:write",
  "POST /controllers/{controllerId}": "devices:write",
  "PATCH /controllers/{controllerId}": "devices:write",
  "DELETE /controllers/{controllerId}": "devices:write",
  "POST /controllers/{controllerId}/fcm-token": "devices:write",

  "POST /events/ticket": "listener",
  "GET /events": "ticket or listener",
  "GET /events/stream": "ticket or listener",

  "POST /receipts": "receipts",
  "GET /receipts": "receipts:read",
  "GET /receipts/{receiptId}": "receipts:read",
  "GET /receipts/{receiptId}/reversible": "receipts:read",
  "GET /receipts/export": "receipts:admin",
  "POST /receipts/{receiptId}/storno": "receipts:admin",
  "GET /reports": "reports",
  "GET /reports/daily": "reports",
  "GET /reports/summary": "reports",
  "GET /reports/calendar": "reports",
  "GET /reports/journal": "reports",
  "GET /reports/{reportId}": "reports",
  "POST /reports/{reportId}/look": "reports",
  "GET /schemas/journal.xsd": "everybody",
  "GET /today": "devices:read",

  "GET /diagnostics": "admin",
  "GET /network": "admin",
  "GET /update": "admin",
  "POST /update/check": "admin",
  "GET /openapi.json": "everybody",
  "GET /docs": "everybody",
  "GET /docs/assets/show.js": "everybody",
  "GET /docs/assets/swagger-ui-bundle.js": "everybody",
  "GET /docs/assets/swagger-ui.css": "everybody",
  "GET /livez": "everybody",
  "GET /healthz": "everybody",
  "GET /ready": "everybody",
  "GET /health": "everybody",
};

/** Routes beside the API. */
const BESIDE: Readonly<Record<string, Need>> = {
  "GET /ca": "everybody",
  "GET /ca.crt": "everybody",
  "GET /ca.pem": "everybody",
  // An authority that gives out certificates asks without a credential.
  "GET /.well-known/acme-challenge/{token}": "everybody",
  "GET /livez": "everybody",
  "GET /healthz": "everybody",
  "GET /ready": "everybody",
  "GET /health": "everybody",
  // And for the machine itself.
  "GET /metrics": "all",
};

/** By method and whole path. */
export const CONTRACT_ROUTES: ReadonlyMap<string, Need> = new Map([
  ...Object.entries(API).map(([route, need]) => [route.replace(" ", " /api/v1"), need] as const),
  ...Object.entries(BESIDE),
]);

const BY_SCOPE = [
  ...(["receipts", "receipts:read", "receipts:admin", "reports"] as const),
  ...(["devices:read", "devices:write", "commands", "all"] as const),
  ...(["listener", "ticket or listener"] as const),
] satisfies Need[];
/** What any of the scopes opens that events need. */
const LISTENING = ["listener", "ticket or listener"] as const satisfies readonly Need[];

/** What an API key with just the one scope meets. */
export const CONTRACT_KEYS = {
  receipts: ["receipts", "receipts:read", ...LISTENING],
  "receipts:read": ["receipts:read", ...LISTENING],
  "receipts:admin": ["receipts:read", "receipts:admin", ...LISTENING],
  reports: ["reports", ...LISTENING],
  devices: ["devices:read", "devices:write", ...LISTENING],
  "devices:read": ["devices:read", ...LISTENING],
  "devices:write": ["devices:write"],
  commands: ["commands", ...LISTENING],
  all: BY_SCOPE,
} as const satisfies Record<string, readonly Need[]>;

/** Of the whole box: only the organization that it belongs to may call them, whatever the role. */
export const OF_BOX: readonly string[] = [
  "GET /api/v1/backups",
  "POST /api/v1/backups",
  "PATCH /api/v1/backups/settings",
  "GET /api/v1/diagnostics",
  "GET /api/v1/network",
  "GET /api/v1/update",
  "POST /api/v1/update/check",
];

/** What a login of each role meets. */
export const CONTRACT_LOGINS = {
  operator: [
    ...(["devices:read", "commands", "receipts", "receipts:read", "reports"] as const),
    ...LISTENING,
    "operator",
  ],
  admin: [...BY_SCOPE, "operator", "admin"],
  owner: [...BY_SCOPE, "operator", "admin", "owner"],
} as const satisfies Record<string, readonly Need[]>;
