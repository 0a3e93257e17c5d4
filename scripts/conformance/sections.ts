/** All sections, in the order of the specifications. */

import { BOOKS } from "./decisions/books.ts";
import { COMMANDS } from "./decisions/commands.ts";
import { DEVICES } from "./decisions/devices.ts";
import { EXECUTABLE } from "./decisions/executable.ts";
import { HTTP } from "./decisions/http.ts";
import { IDEMPOTENCY } from "./decisions/idempotency.ts";
import { LIVE_ROUTES } from "./decisions/live-routes.ts";
import { ORGANIZATIONS } from "./decisions/organizations.ts";
import { PRINTED_ONCE } from "./decisions/printed-once.ts";
import { SOCKETS } from "./decisions/sockets.ts";
import { VALUES } from "./decisions/values.ts";
import { WEBHOOKS } from "./decisions/webhooks.ts";
import { ACCESS } from "./interface/access.ts";
import { ADMINISTRATION } from "./interface/administration.ts";
import { CATALOGUE } from "./interface/catalogue.ts";
import { COMMAND_ROUTES } from "./interface/command-routes.ts";
import { DEVICE_RECORDS } from "./interface/device-records.ts";
import { DEVICE_ROUTES } from "./interface/device-routes.ts";
import { ERRORS } from "./interface/errors.ts";
import { EVENTS } from "./interface/events.ts";
import { LIMITS } from "./interface/limits.ts";
import { OTHER_RECORDS } from "./interface/other-records.ts";
import { REQUESTS } from "./interface/requests.ts";
import { SERVICE } from "./interface/service.ts";
import { STATES } from "./interface/states.ts";
import type { Section } from "./rule.ts";

export const SECTIONS: readonly Section[] = [
  ...SERVICE,
  ...DEVICE_RECORDS,
  ...OTHER_RECORDS,
  ...STATES,
  ...DEVICE_ROUTES,
  ...COMMAND_ROUTES,
  ...CATALOGUE,
  ...ADMINISTRATION,
  ...REQUESTS,
  ...ACCESS,
  ...EVENTS,
  ...ERRORS,
  ...LIMITS,
  ...VALUES,
  ...COMMANDS,
  ...PRINTED_ONCE,
  ...IDEMPOTENCY,
  ...DEVICES,
  ...LIVE_ROUTES,
  ...BOOKS,
  ...ORGANIZATIONS,
  ...SOCKETS,
  ...WEBHOOKS,
  ...HTTP,
  ...EXECUTABLE,
];
