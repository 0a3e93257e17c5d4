/** Table of rules: what all routes have in common, and those that manage devices. */

import type { Section } from "../rule.ts";

export const DEVICE_ROUTES: readonly Section[] = [
  {
    of: "interface",
    title: "Conventions",
    code: "CONV",
    rules: [
      {
        id: "CONV-01",
        rule: "Every route of the API is below `/api/v1`",
        by: [
          "src/modules/access.test.ts > the contract's table > has exactly the routes of the app",
        ],
      },
      {
        id: "CONV-02",
        rule: "Bodies are JSON in UTF-8, and another content type is refused",
        by: [
          "src/http/server.test.ts > a body > may name UTF-8 as its character set",
          "src/http/server.test.ts > a body > that %s is a BAD_REQUEST",
        ],
      },
      {
        id: "CONV-03",
        rule: "Answers are `application/json`, as the OpenAPI document says of each",
        by: [
          "src/http/docs/documented-answers.test.ts > an answer held against the document > is refused: %s",
          "src/http/server.test.ts > a declared route > answers with its status and JSON",
          "src/modules/fuzz.test.ts > a request made from the schemas and the rules > is never refused as invalid: $name",
        ],
      },
      {
        id: "CONV-04",
        rule: "The journal is a download of `application/xml`, as an attachment",
        by: ["src/modules/reports/journal.test.ts > the file > is an attachment of XML"],
      },
      {
        id: "CONV-05",
        rule: "Timestamps are ISO 8601 strings",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > answers the whole record, offline and unassigned",
          "src/http/docs/documented-answers.test.ts > an answer held against the document > is refused: %s",
        ],
      },
      {
        id: "CONV-06",
        rule: "A route about a device is 404 `NOT_FOUND` for one of another organization",
        by: ["src/modules/access.test.ts > another shop > reads and changes nothing with its %s"],
      },
      {
        id: "CONV-07",
        rule: "What does not fit its schema is 400 `VALIDATION_ERROR` with a list of `{ path, message }` in `details`",
        by: [
          "src/http/server.test.ts > a body > is refused with one dotted path for each fault, and nothing is coerced",
          "src/modules/fuzz.test.ts > a request of which one thing is wrong > is refused and changes nothing: $name",
        ],
      },
      {
        id: "CONV-08",
        rule: "A live route is 503 `SERVICE_UNAVAILABLE` while the device is offline or has no controller",
        by: [
          "src/modules/live/live.test.ts > %s > is refused with 503 while the device is offline, and nothing is queued",
        ],
      },
      {
        id: "CONV-09",
        rule: "A live read is 500 `INTERNAL_ERROR` when the device answers without the data",
        by: ["src/modules/live/live.test.ts > %s > answers 500 when the device said %s"],
      },
      {
        id: "CONV-10",
        rule: "A list that pages answers `{ <collection>, hasMore, lastId }`",
        by: [
          "src/modules/commands/commands.test.ts > listing commands > of an empty shop is an empty page",
          "src/modules/commands/commands.test.ts > listing commands > pages through all of them once, %s",
        ],
      },
      {
        id: "CONV-11",
        rule: "It begins with the newest unless asked otherwise",
        by: [
          "src/modules/commands/commands.test.ts > listing commands > shows whole records, newest first",
        ],
      },
      {
        id: "CONV-12",
        rule: "`limit` is an integer of 1 to 100, by default 50",
        by: [
          "src/http/server.test.ts > a query > has defaults: fifty, the newest first",
          "src/http/server.test.ts > a query > refuses the limit %p by its name",
        ],
      },
      {
        id: "CONV-13",
        rule: "`startAfter` takes the `lastId` of the page before",
        by: [
          "src/modules/commands/commands.test.ts > listing commands > pages through all of them once, %s",
        ],
      },
      {
        id: "CONV-14",
        rule: "`sortBy` is `createdAt` by default, and receipts also sort by `total`",
        by: [
          "src/http/server.test.ts > a query > has defaults: fifty, the newest first",
          "src/modules/receipts/list.test.ts > a list of receipts > %p is in its order, without what is not asked for",
        ],
      },
      {
        id: "CONV-15",
        rule: "`sortOrder` is `asc` or `desc`, by default `desc`",
        by: [
          "src/http/server.test.ts > a query > has defaults: fifty, the newest first",
          "src/modules/commands/commands.test.ts > listing commands > refuses %s in %s",
        ],
      },
    ],
  },
  {
    of: "interface",
    title: "Devices: CRUD and introspection",
    code: "DEVAPI",
    rules: [
      {
        id: "DEVAPI-01",
        rule: "`POST /devices` needs `devices:write` and registers a device: 201 with its record, `offline`, without a controller",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > answers the whole record, offline and unassigned",
          "src/modules/devices/devices.test.ts > registering a device > needs the scope devices:write",
        ],
      },
      {
        id: "DEVAPI-02",
        rule: "A plan's cap of devices is checked before the body: 403 `TIER_LIMIT_EXCEEDED`",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > stops at the plan's cap, before the body is looked at",
          "src/modules/devices/devices.test.ts > registering a device > does not pass the cap by two requests at once",
        ],
      },
      {
        id: "DEVAPI-03",
        rule: "`name`, `driver`, `transport`, `locationId` and `connectionParams` are required",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > names all that a body lacks",
        ],
      },
      {
        id: "DEVAPI-04",
        rule: "`GET /devices` needs `devices:read` and lists the device records",
        by: [
          "src/modules/devices/devices.test.ts > registering a device > needs the scope devices:write",
          "src/modules/devices/devices.test.ts > listing devices > never shows another organization's devices",
        ],
      },
      {
        id: "DEVAPI-05",
        rule: "It filters by `status`, which may be `online`, `offline`, `busy` or `error`, by `locationId` and by `controllerId`",
        by: [
          "src/modules/devices/devices.test.ts > listing devices > filters by status, location and controller",
          "src/modules/devices/devices.test.ts > listing devices > refuses a status nobody knows",
        ],
      },
      {
        id: "DEVAPI-06",
        rule: "With `controllerId` only that controller's devices are shown, none without one",
        by: [
          "src/modules/devices/devices.test.ts > listing devices > filters by status, location and controller",
        ],
      },
      {
        id: "DEVAPI-07",
        rule: "`GET /devices/statuses` needs `devices:read` and has the status record of every device under its id",
        by: [
          "src/modules/devices/devices.test.ts > status > is derived from controller and link, whatever is stored",
        ],
      },
      {
        id: "DEVAPI-08",
        rule: "`GET /devices/alerts` needs `devices:read` and has the alerts of every device under its id, filtered by `severity`",
        by: [
          "src/modules/devices/devices.test.ts > alerts > tell of the device with its name, filtered by severity",
          "src/modules/devices/devices.test.ts > alerts > name each receipt that was printed too late",
        ],
      },
      {
        id: "DEVAPI-09",
        rule: "`severity` is `warning`, `error` or `info`, nothing else",
        by: [
          "src/modules/devices/devices.test.ts > alerts > tell of the device with its name, filtered by severity",
        ],
      },
      {
        id: "DEVAPI-10",
        rule: "`GET /devices/{deviceId}` needs `devices:read` and shows one device; 404 where there is none",
        by: [
          "src/modules/devices/devices.test.ts > changing a device > takes name, location and parameters of its own transport",
          "src/modules/devices/devices.test.ts > listing devices > never shows another organization's devices",
        ],
      },
      {
        id: "DEVAPI-11",
        rule: "`PATCH /devices/{deviceId}` needs `devices:write` and changes `name`, `connectionParams` or `locationId`; 404 where there is none",
        by: [
          "src/modules/devices/devices.test.ts > changing a device > takes name, location and parameters of its own transport",
          "src/modules/devices/devices.test.ts > listing devices > never shows another organization's devices",
        ],
      },
      {
        id: "DEVAPI-12",
        rule: "It is 400 for a body that is empty or does not fit",
        by: ["src/modules/devices/devices.test.ts > changing a device > is refused at %p"],
      },
      {
        id: "DEVAPI-13",
        rule: "`DELETE /devices/{deviceId}` needs `devices:write` and removes for good: 204 without a body; 404 where there is none",
        by: [
          "src/modules/devices/devices.test.ts > removing a device > ends its commands in the same step and frees its place in the plan",
        ],
      },
      {
        id: "DEVAPI-14",
        rule: "`POST /devices/{deviceId}/release` needs `devices:write` and takes the device from the controller that the body names",
        by: [
          "src/modules/devices/release.test.ts > releasing a device > takes it from the controller, which is told, until one announces it again",
          "src/modules/devices/release.test.ts > releasing a device > needs devices:write, and a device of one's own",
        ],
      },
      {
        id: "DEVAPI-15",
        rule: "It is 400 without a `controllerId` or with an empty one",
        by: [
          "src/modules/devices/release.test.ts > releasing a device > with controllerId %p is no release",
          "src/modules/devices/release.test.ts > releasing a device > without a body is no release",
        ],
      },
      {
        id: "DEVAPI-16",
        rule: "It is 403 `FORBIDDEN` where that is not the device's controller",
        by: [
          "src/modules/devices/release.test.ts > releasing a device > is refused for %s",
          "src/modules/devices/release.test.ts > releasing a device > is refused for the former controller, and while none owns it",
        ],
      },
      {
        id: "DEVAPI-17",
        rule: "It is 404 for a device of another organization",
        by: [
          "src/modules/devices/release.test.ts > releasing a device > needs devices:write, and a device of one's own",
        ],
      },
      {
        id: "DEVAPI-18",
        rule: "`GET /devices/{deviceId}/status` needs `devices:read` and shows the status record with `deviceId`; 404 where there is none",
        by: [
          "src/modules/devices/devices.test.ts > status > is derived from controller and link, whatever is stored",
          "src/modules/devices/devices.test.ts > listing devices > never shows another organization's devices",
        ],
      },
      {
        id: "DEVAPI-19",
        rule: "`GET /devices/{deviceId}/connection-history` needs `devices:read` and shows the latest 20 events, newest first; 404 where there is no device",
        by: [
          "src/modules/devices/release.test.ts > the connection history > shows the latest 20 and is kept for seven days",
          "src/modules/devices/release.test.ts > the connection history > needs devices:read, and a device of one's own",
        ],
      },
      {
        id: "DEVAPI-20",
        rule: "`GET /devices/{deviceId}/alerts` needs `devices:read` and filters by `severity`; 404 where there is no device",
        by: [
          "src/modules/devices/devices.test.ts > alerts > tell of the device with its name, filtered by severity",
          "src/modules/devices/devices.test.ts > listing devices > never shows another organization's devices",
        ],
      },
    ],
  },
];
