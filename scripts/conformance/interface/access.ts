/** Table of rules: who may call what. */

import type { Section } from "../rule.ts";

export const ACCESS: readonly Section[] = [
  {
    of: "interface",
    title: "Authentication",
    code: "AUTH",
    rules: [
      {
        id: "AUTH-01",
        rule: "An API key is taken from `x-api-key` and as `Authorization: Bearer`",
        by: ["src/modules/api-keys/api-keys.test.ts > using a key > works in either header"],
      },
      {
        id: "AUTH-02",
        rule: "A key that is inactive, revoked, expired or none of ours is 401 `UNAUTHORIZED` on every route",
        by: [
          "src/modules/access.test.ts > a caller > with %s gets 401, and what is open to everybody",
          "src/modules/api-keys/api-keys.test.ts > using a key > is refused when it is malformed, unknown or of another organization",
        ],
      },
      {
        id: "AUTH-03",
        rule: "`POST /auth/login` answers an access token, which opens routes as `Authorization: Bearer`",
        by: [
          "src/modules/auth/members.test.ts > adding a member > with a password lets them log in",
          "src/modules/auth/members.test.ts > changing a member > of role counts at once: whoever has it logs in anew",
        ],
      },
      {
        id: "AUTH-04",
        rule: "An access token that has expired is 401 `TOKEN_EXPIRED`",
        by: [
          "src/modules/auth/auth.test.ts > an access token > expires after 15 minutes, also when it was used before",
          "src/modules/auth/auth.test.ts > an access token > that was never used before expires too",
        ],
      },
      {
        id: "AUTH-05",
        rule: "`POST /auth/refresh` gives a new access token for a refresh token",
        by: ["src/modules/auth/auth.test.ts > a refresh token > works once and gives the next one"],
      },
      {
        id: "AUTH-06",
        rule: "Devices, commands, receipts, reports and controllers open to keys and to logins",
        by: [
          "src/modules/access.test.ts > a caller > with a key of just %s gets what it covers",
          "src/modules/access.test.ts > a caller > logged in as %s gets what the role covers",
        ],
      },
      {
        id: "AUTH-07",
        rule: "Webhooks and API keys are administered by a login alone, of an owner or admin: 403 `FORBIDDEN` otherwise",
        by: [
          "src/modules/access.test.ts > a caller > with a key of just %s gets what it covers",
          "src/modules/access.test.ts > a caller > logged in as %s gets what the role covers",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Scopes",
    code: "SCOPE",
    rules: [
      {
        id: "SCOPE-01",
        rule: "`receipts` stores, lists and shows receipts",
        by: ["src/modules/access.test.ts > a caller > with a key of just %s gets what it covers"],
      },
      {
        id: "SCOPE-02",
        rule: "`receipts:read` lists and shows them, no more",
        by: ["src/modules/access.test.ts > a caller > with a key of just %s gets what it covers"],
      },
      {
        id: "SCOPE-03",
        rule: "`receipts:admin` reverses and exports them",
        by: ["src/modules/access.test.ts > a caller > with a key of just %s gets what it covers"],
      },
      {
        id: "SCOPE-04",
        rule: "`reports` reads and prints reports, and exports the journal",
        by: ["src/modules/access.test.ts > a caller > with a key of just %s gets what it covers"],
      },
      {
        id: "SCOPE-05",
        rule: "`devices` reads and changes devices",
        by: ["src/modules/access.test.ts > a caller > with a key of just %s gets what it covers"],
      },
      {
        id: "SCOPE-06",
        rule: "`devices:read` lists devices and shows their status, alerts and particulars",
        by: ["src/modules/access.test.ts > a caller > with a key of just %s gets what it covers"],
      },
      {
        id: "SCOPE-07",
        rule: "`devices:write` registers, changes, removes and sets up devices",
        by: ["src/modules/access.test.ts > a caller > with a key of just %s gets what it covers"],
      },
      {
        id: "SCOPE-08",
        rule: "`commands` submits, lists, shows and cancels commands",
        by: ["src/modules/access.test.ts > a caller > with a key of just %s gets what it covers"],
      },
      {
        id: "SCOPE-09",
        rule: "`all` opens what every other scope opens",
        by: ["src/modules/access.test.ts > a caller > with a key of just %s gets what it covers"],
      },
      {
        id: "SCOPE-10",
        rule: "A scope that does not cover the route is 403 `FORBIDDEN`",
        by: [
          "src/modules/access.test.ts > a caller > with a key of just %s gets what it covers",
          "src/modules/access.test.ts > the contract's table > is what the OpenAPI document says of scopes and roles",
        ],
      },
      {
        id: "SCOPE-11",
        rule: "A role does what it is for, on every route",
        by: ["src/modules/access.test.ts > a caller > logged in as %s gets what the role covers"],
      },
      {
        id: "SCOPE-12",
        rule: "The access token tells the role",
        by: [
          "src/modules/auth/auth.test.ts > an access token > says who it is for, in which organization, role and session",
        ],
      },
      {
        id: "SCOPE-13",
        rule: "An owner or admin changes roles, at once",
        by: [
          "src/modules/auth/members.test.ts > changing a member > of role counts at once: whoever has it logs in anew",
          "src/modules/auth/members.test.ts > changing a member > raises nobody above the own role, and lets nobody manage those above them",
        ],
      },
      {
        id: "SCOPE-14",
        rule: "The plan is asked at each request that it limits",
        by: [
          "src/modules/billing/billing.test.ts > the plan > may go below what is in use: nothing is removed, new ones are refused",
          "src/modules/devices/devices.test.ts > registering a device > stops at the plan's cap, before the body is looked at",
        ],
      },
    ],
  },
];
