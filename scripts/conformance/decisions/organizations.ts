/** Table of rules: organizations, users and logins. */

import type { Section } from "../rule.ts";

export const ORGANIZATIONS: readonly Section[] = [
  {
    of: "decisions",
    title: "Organizations, locations, users, billing",
    code: "ORG",
    rules: [
      {
        id: "ORG-01",
        rule: "`GET /org` shows `id`, `name`, `currency`, `timezone`, `plan`, `createdAt` and `updatedAt`",
        by: [
          "src/modules/organizations/organizations.test.ts > the organization > is shown to its members, to each the own one",
        ],
      },
      {
        id: "ORG-02",
        rule: "`PATCH /org` changes name, currency and zone",
        by: [
          "src/modules/organizations/organizations.test.ts > changing the organization > sets what is given, for admins too, and says so in the audit log",
          "src/modules/organizations/organizations.test.ts > changing the organization > is not for operators, whatever they send",
        ],
      },
      {
        id: "ORG-03",
        rule: "`GET /org/locations` answers `{ locations }`",
        by: [
          "src/modules/locations/locations.test.ts > a location > is added, shown, listed, changed and removed",
        ],
      },
      {
        id: "ORG-04",
        rule: "`POST /org/locations` answers 201 with `{ location }`",
        by: [
          "src/modules/locations/locations.test.ts > a location > is added, shown, listed, changed and removed",
        ],
      },
      {
        id: "ORG-05",
        rule: "`GET /org/locations/{locationId}` and `PATCH /org/locations/{locationId}` answer `{ location }`",
        by: [
          "src/modules/locations/locations.test.ts > a location > is added, shown, listed, changed and removed",
        ],
      },
      {
        id: "ORG-06",
        rule: "`DELETE /org/locations/{locationId}` answers 204, and 409 while devices stand there",
        by: [
          "src/modules/locations/locations.test.ts > a location stays while devices stand in it",
          "src/modules/locations/locations.test.ts > a location > is added, shown, listed, changed and removed",
        ],
      },
      {
        id: "ORG-07",
        rule: "Keys read locations with `devices:read` and change them with `devices:write`",
        by: [
          "src/modules/locations/locations.test.ts > who may > read: devices:read, which operators cover; write: devices:write",
        ],
      },
      {
        id: "ORG-08",
        rule: "A device's `locationId` may be any text",
        by: [
          "src/modules/devices/devices.test.ts > changing a device > takes name, location and parameters of its own transport",
        ],
      },
      {
        id: "ORG-09",
        rule: "`GET /org/members` answers `{ members }`",
        by: [
          "src/modules/auth/members.test.ts > members > are listed in the order in which they were added",
        ],
      },
      {
        id: "ORG-10",
        rule: "`POST /org/members` answers 201 with `{ member }`, and without a password with a `setupToken` that sets one, once, within 7 days",
        by: [
          "src/modules/auth/members.test.ts > adding a member > with a password lets them log in",
          "src/modules/auth/members.test.ts > adding a member > without one gives a token that sets it, once, within 7 days",
          "src/modules/auth/members.test.ts > adding a member > gives a token that is of no use after 7 days",
        ],
      },
      {
        id: "ORG-11",
        rule: "`PATCH /org/members/{userId}` answers `{ member }`",
        by: [
          "src/modules/auth/members.test.ts > changing a member > renames, and says so in the audit log",
        ],
      },
      {
        id: "ORG-12",
        rule: "`DELETE /org/members/{userId}` answers 204",
        by: [
          "src/modules/auth/members.test.ts > removing a member > ends their sessions, and frees the address",
        ],
      },
      {
        id: "ORG-13",
        rule: "A member shows `id`, `email`, `name`, `role`, `active`, `createdAt` and `lastLoginAt`",
        by: [
          "src/modules/auth/members.test.ts > adding a member > with a password lets them log in",
        ],
      },
      {
        id: "ORG-14",
        rule: "Members are for owners and admins",
        by: ["src/modules/auth/members.test.ts > members > are for owners and admins alone"],
      },
      {
        id: "ORG-15",
        rule: "Nobody raises anyone above their own role",
        by: [
          "src/modules/auth/members.test.ts > adding a member > gives no role above the own one",
          "src/modules/auth/members.test.ts > changing a member > raises nobody above the own role, and lets nobody manage those above them",
        ],
      },
      {
        id: "ORG-16",
        rule: "The last owner can neither be removed nor lowered: 409",
        by: [
          "src/modules/auth/members.test.ts > the last active owner > can be neither lowered, deactivated nor removed, nor can they do so themselves",
          "src/modules/auth/members.test.ts > the last active owner > is whoever is left when two owners lower each other at once",
        ],
      },
      {
        id: "ORG-17",
        rule: "`GET /billing` shows `plan`, `limits` and `usage`, each of devices and keys",
        by: [
          "src/modules/billing/billing.test.ts > the plan > begins as free, and shows limits beside what is in use",
        ],
      },
      {
        id: "ORG-18",
        rule: "`PUT /billing/plan` is for owners",
        by: [
          "src/modules/billing/billing.test.ts > the plan > is picked by the owner; without a limit means null",
          "src/modules/billing/billing.test.ts > the plan > is not for admins to pick, nor can it be any other word",
        ],
      },
      {
        id: "ORG-19",
        rule: "A plan below what is in use removes nothing and refuses more",
        by: [
          "src/modules/billing/billing.test.ts > the plan > may go below what is in use: nothing is removed, new ones are refused",
          "src/modules/billing/billing.test.ts > the plan > below the devices in use leaves them, and refuses another one",
        ],
      },
      {
        id: "ORG-20",
        rule: "`GET /audit` pages as `entries`, for owners and admins: who did what, from where, to what",
        by: [
          "src/modules/audit/audit.test.ts > the audit log > shows who did what to which resource, from where",
          "src/modules/audit/audit.test.ts > the audit log > comes in pages, newest first or oldest first, without gaps",
          "src/modules/audit/audit.test.ts > the audit log > is for owners and admins",
        ],
      },
      {
        id: "ORG-21",
        rule: "With `resource`, `actor`, `action`, `from` and `to`, which are additive, it shows what was done to one thing, by somebody, in one way, or in a period",
        by: [
          "src/modules/audit/audit.test.ts > the audit log > of a period > has what was made in it, from its first instant on, without its last",
          "src/modules/audit/audit.test.ts > the audit log > shows what somebody did, and what was done in one way",
          "src/modules/audit/audit.test.ts > the audit log > shows what was done to one resource, page by page",
        ],
      },
      {
        id: "ORG-22",
        rule: "Additive: `GET /backups` lists the appliance's backups, what the last one came to, USB sticks, and the lines that put the newest one back, for owners and admins",
        by: [
          "src/modules/backups/backups.test.ts > backups are listed with what the last one came to, and how the newest is put back",
        ],
      },
      {
        id: "ORG-23",
        rule: "Additive: `POST /backups` has one made, at the usual place or on a stick: 202, or 409 while one is being made or without a passphrase",
        by: [
          "src/modules/backups/backups.test.ts > a backup is made at once, at the usual place or on a stick, and stands in the audit log",
          "src/modules/backups/backups.test.ts > a second one beside it, and one without a passphrase, are conflicts",
          "src/e2e/backup.test.ts > a gateway makes one when it is asked to, and tells how it ended by event",
        ],
      },
      {
        id: "ORG-24",
        rule: "Additive: with `PATCH /backups/settings` an owner chooses their passphrase, place and hour, which count at once and after what is set at the box; 409 for what is",
        by: [
          "src/modules/backups/backups.test.ts > an owner chooses passphrase, place and hour; nobody is shown the passphrase again",
          "src/modules/backups/backups.test.ts > what was set at the box cannot be chosen, and a disk that refuses is told",
          "src/e2e/backup.test.ts > an owner chooses the passphrase while the gateway runs, and a backup is made with it",
        ],
      },
      {
        id: "ORG-25",
        rule: "Additive: `closingTime` and `closingAutomatic` of the organization; with both the gateway makes the Z reports, once for each device and fiscal day",
        by: [
          "src/modules/organizations/organizations.test.ts > changing the organization > sets the closing time, and takes it back",
          "src/modules/devices/closing-watch.test.ts > a Z report is made at that time, once, whatever becomes of it, and audited",
          "src/modules/devices/closing-watch.test.ts > nothing is made while something waits, nor behind the back of a person",
        ],
      },
      {
        id: "ORG-26",
        rule: "Additive: `PATCH /auth/me` changes the own name",
        by: [
          "src/modules/auth/auth.test.ts > the own account > takes another name, which the audit log says",
        ],
      },
      {
        id: "ORG-27",
        rule: "Additive: `POST /org/members/{userId}/code` gives a code that sets a member's password, once, in place of one given before",
        by: [
          "src/modules/auth/members.test.ts > a code for a member's password > takes the place of the first one, and lasts as long",
          "src/modules/auth/members.test.ts > a code for a member's password > lasts an hour for who has forgotten one, whose sessions go on until it is used",
          "src/modules/auth/members.test.ts > a code for a member's password > is for nobody above the caller, for nobody inactive, and not for oneself",
        ],
      },
      {
        id: "ORG-28",
        rule: "Additive: an organization may have 500 API keys, controllers, locations and members each, and 100 webhooks: one more is 409, and what was there before stays",
        by: [
          "src/modules/org-rows.test.ts > of %s there are as many as there may be, and what is above that stays",
          "src/modules/org-rows.test.ts > what is known of a controller is changed, also where there are as many as there may be",
          "src/modules/org-rows.test.ts > a key is not rotated where it would be one more than there may be",
          "src/modules/org-rows.test.ts > of webhooks there are as many as there may be",
        ],
      },
    ],
  },
  {
    of: "decisions",
    title: "Authentication",
    code: "LOGIN",
    rules: [
      {
        id: "LOGIN-01",
        rule: "`POST /auth/register` makes an organization with its owner: 201",
        by: [
          "src/modules/auth/auth.test.ts > registering > makes an organization with its owner, logged in",
        ],
      },
      {
        id: "LOGIN-02",
        rule: "It is 403 once an organization exists, unless registration is open",
        by: [
          "src/modules/auth/auth.test.ts > registering > is closed once the first organization exists",
          "src/modules/auth/auth.test.ts > registering > stays open where it is configured so, but not for an address that is taken",
        ],
      },
      {
        id: "LOGIN-03",
        rule: "`POST /auth/login` and `POST /auth/refresh` answer `accessToken`, `refreshToken`, `tokenType`, `expiresIn`, `user` and `organization`, as registering does",
        by: ["src/modules/auth/auth.test.ts > logging in, refreshing and registering answer alike"],
      },
      {
        id: "LOGIN-04",
        rule: "`POST /auth/logout` answers 204, and the refresh token is worth nothing then",
        by: [
          "src/modules/auth/auth.test.ts > a refresh token > is worth nothing after logging out, which never fails",
        ],
      },
      {
        id: "LOGIN-05",
        rule: "`GET /auth/me` shows who is logged in",
        by: [
          "src/modules/auth/auth.test.ts > registering > makes an organization with its owner, logged in",
        ],
      },
      {
        id: "LOGIN-06",
        rule: "`POST /auth/change-password` needs the current one, answers 204 and ends the other sessions",
        by: [
          "src/modules/auth/auth.test.ts > changing the password > needs the current one, keeps this session and ends the others",
        ],
      },
      {
        id: "LOGIN-07",
        rule: "`POST /auth/forgot-password` answers 202 to every address, whoever there is",
        by: [
          "src/modules/auth/forgotten-passwords.test.ts > a forgotten password > is not asked for without an address",
          "src/modules/auth/forgotten-passwords.test.ts > a forgotten password > is asked for with the same answer, before anything is done, whoever there is",
        ],
      },
      {
        id: "LOGIN-08",
        rule: "The code comes by mail where a mail server is set, else at the box",
        by: [
          "src/modules/auth/forgotten-passwords.test.ts > a forgotten password > is replaced by a code from a mail, which ends all sessions",
          "src/modules/auth/forgotten-passwords.test.ts > without a mail server the answer says who gives out codes",
          "src/cli/box.test.ts > fiscald user > prints a code that sets a password, once and within an hour",
        ],
      },
      {
        id: "LOGIN-09",
        rule: "`POST /auth/reset-password` answers 204",
        by: [
          "src/modules/auth/members.test.ts > adding a member > without one gives a token that sets it, once, within 7 days",
        ],
      },
      {
        id: "LOGIN-10",
        rule: "An access token lives 15 minutes and says `sub`, `org`, `role` and `sid`",
        by: [
          "src/modules/auth/auth.test.ts > an access token > expires after 15 minutes, also when it was used before",
          "src/modules/auth/auth.test.ts > an access token > says who it is for, in which organization, role and session",
        ],
      },
      {
        id: "LOGIN-11",
        rule: "A refresh token lives 30 days and gives way to another at each use",
        by: [
          "src/modules/auth/auth.test.ts > a refresh token > lives 30 days from its last use",
          "src/modules/auth/auth.test.ts > a refresh token > works once and gives the next one",
        ],
      },
      {
        id: "LOGIN-12",
        rule: "It is stored as a hash",
        by: ["src/modules/auth/auth.test.ts > a refresh token > is stored as a hash alone"],
      },
      {
        id: "LOGIN-13",
        rule: "One that is used again ends the whole session",
        by: [
          "src/modules/auth/auth.test.ts > a refresh token > that is used again ends the whole session",
        ],
      },
      {
        id: "LOGIN-14",
        rule: "A password has 10 to 128 characters",
        by: [
          "src/modules/auth/auth.test.ts > registering > refuses a wrong %s [password]",
          "src/modules/auth/auth.test.ts > registering > takes a password at its bounds",
        ],
      },
      {
        id: "LOGIN-15",
        rule: "It is kept as argon2id",
        by: [
          "src/modules/auth/password.test.ts > a password is kept as argon2id, at a cost that is not for guessing",
        ],
      },
      {
        id: "LOGIN-16",
        rule: "An unknown address costs a login the same work",
        by: [
          "src/modules/auth/auth.test.ts > logging in > costs an unknown address one comparison with a password's hash, as any other",
          "src/modules/auth/password.test.ts > where there is no hash, one that costs the same is compared, and nothing fits it",
        ],
      },
      {
        id: "LOGIN-17",
        rule: "A changed role and a deactivation count at once",
        by: [
          "src/modules/auth/members.test.ts > changing a member > of role counts at once: whoever has it logs in anew",
          "src/modules/auth/members.test.ts > changing a member > deactivates at once and for every way in, until they are active again",
        ],
      },
      {
        id: "LOGIN-18",
        rule: "An `operator` covers `devices:read`, `commands`, `receipts` and `reports`; an `admin` all but what only an owner may",
        by: ["src/modules/access.test.ts > a caller > logged in as %s gets what the role covers"],
      },
      {
        id: "LOGIN-19",
        rule: "`devices`, `receipts` and `receipts:admin` cover the scopes below them",
        by: [
          "src/modules/access.test.ts > the contract's table > is what the OpenAPI document says of scopes and roles",
          "src/modules/access.test.ts > a caller > with a key of just %s gets what it covers",
        ],
      },
      {
        id: "LOGIN-20",
        rule: "An API key on a route for logins is 403",
        by: [
          "src/modules/access.test.ts > a caller > with a key of just %s gets what it covers",
          "src/http/server.test.ts > refusals come in the order 401, 403, 404, 400 > 403 for an API key on a route for logins, and for a role that is too low",
        ],
      },
      {
        id: "LOGIN-21",
        rule: "`prefix` ends in `…`, and `last4` tells keys apart",
        by: [
          "src/modules/api-keys/api-keys.test.ts > creating a key > shows its text once and stores only its hash",
        ],
      },
      {
        id: "LOGIN-22",
        rule: "A rotated key stays dead: `active: true` is 409",
        by: [
          "src/modules/api-keys/api-keys.test.ts > rotating a key > is for good: the old one is renamed, but never lives again",
        ],
      },
      {
        id: "LOGIN-23",
        rule: "Logging out and refreshing take a session's cookie too",
        by: [
          "src/modules/auth/session-cookie.test.ts > a page that logs in with X-Session: cookie > refreshes with it, and gets the next one in its place",
          "src/modules/auth/session-cookie.test.ts > a page that logs in with X-Session: cookie > logs out with it, which ends the session and has the browser forget it",
          "src/modules/auth/session-cookie.test.ts > a page that logs in with X-Session: cookie > without a cookie is logged out: 401 to a refresh, 204 to a logout",
        ],
      },
      {
        id: "LOGIN-24",
        rule: "A key is kept as a hash of the whole of it, and opens nothing unless it is whole",
        by: [
          "src/modules/api-keys/api-keys.test.ts > using a key > is refused when it is malformed, unknown or of another organization",
          "src/modules/api-keys/api-keys.test.ts > creating a key > shows its text once and stores only its hash",
        ],
      },
      {
        id: "LOGIN-25",
        rule: "`lastUsed` is written at most once a minute",
        by: [
          "src/modules/api-keys/api-keys.test.ts > using a key > is noted at most once a minute",
        ],
      },
      {
        id: "LOGIN-26",
        rule: "No password, key, token or secret reaches a log",
        by: [
          "src/modules/auth/auth.test.ts > no password, token or key ever reaches the log",
          "src/modules/auth/forgotten-passwords.test.ts > a forgotten password > is nothing to a log, an event or the database",
          "src/modules/commands/secrets.test.ts > the payload of %s with %s > is in no log line, also when the request fails",
          "src/platform/log.test.ts > secrets > under the name %s are masked at any depth",
        ],
      },
      {
        id: "LOGIN-27",
        rule: "Passwords of operators are masked in every answer",
        by: [
          "src/modules/commands/secrets.test.ts > the payload of %s with %s > is masked in every answer",
        ],
      },
      {
        id: "LOGIN-28",
        rule: "With `X-Session: cookie` logging in, registering and refreshing answer the refresh token as a cookie and in no body; the cookie is `HttpOnly`, `SameSite=Strict`, for `/api/v1/auth` alone and, by HTTPS, `Secure`",
        by: [
          "src/modules/auth/session-cookie.test.ts > a page that logs in with X-Session: cookie > gets the refresh token as a cookie for these routes alone, and in no body",
          "src/modules/auth/session-cookie.test.ts > a page that logs in with X-Session: cookie > may register so, and change a token of a body for a cookie",
          "src/modules/auth/session-cookie.test.ts > over HTTPS > the cookie is Secure, under a name that plain HTTP cannot set",
          "src/modules/auth/session-cookie.test.ts > over HTTPS > nobody is, who only says so",
        ],
      },
      {
        id: "LOGIN-29",
        rule: "The cookie does nothing without `X-Session: cookie`, nor from a page whose `Origin` or `Host` is not the gateway's: 403",
        by: [
          "src/modules/auth/session-cookie.test.ts > what another page may do in the browser of a person who is logged in > a cookie alone opens nothing, and ends nothing",
          "src/modules/auth/session-cookie.test.ts > what another page may do in the browser of a person who is logged in > nothing by X-Session from %j",
          "src/modules/auth/session-cookie.test.ts > what another page may do in the browser of a person who is logged in > nothing from an origin that may call the API: browsers ask first, and are told no",
          "src/modules/auth/session-cookie.test.ts > what another page may do in the browser of a person who is logged in > another word in X-Session is refused",
        ],
      },
      {
        id: "LOGIN-30",
        rule: "A cookie that was exchanged is answered with its successor for 30 s, because tabs share it; one that comes later ends the session",
        by: [
          "src/modules/auth/session-cookie.test.ts > several tabs > that refresh at once all go on, with one cookie",
          "src/modules/auth/session-cookie.test.ts > several tabs > one of which lost the answer goes on with the newest cookie for half a minute",
          "src/modules/auth/session-cookie.test.ts > several tabs > a cookie that comes later was copied: the session ends",
          "src/modules/auth/session-cookie.test.ts > several tabs > do not share the tokens of bodies, where each works once",
          "src/modules/auth/session-cookie.test.ts > several tabs > do not bring a session back that was logged out",
        ],
      },
      {
        id: "LOGIN-32",
        rule: "`GET /auth/registration` answers whether anybody may register, whether it would be the first organization, and whether it takes the set-up code from where it is asked",
        by: ["src/modules/auth/auth.test.ts > registering > is announced, with what it takes"],
      },
      {
        id: "LOGIN-31",
        rule: "No cookie reaches a log, and it is stored as a hash",
        by: [
          "src/modules/auth/session-cookie.test.ts > no cookie reaches the log, and the database has only hashes of them",
        ],
      },
    ],
  },
];
