// SPDX-License-Identifier: Apache-2.0
/** The typed client of the gateway's API: README.md beside this file. */

export type { Client as Api } from "openapi-fetch";
export type { components, operations, paths } from "./api-types.ts";
export { type Client, type ClientOptions, createClient, type WaitOptions } from "./client.ts";
export {
  type Command,
  type CommandType,
  FISCAL_TYPES,
  type FiscalType,
  isFinal,
  type Order,
  type Payload,
  type ResultData,
  type Reversal,
} from "./commands.ts";
export { answer, type ErrorCode, GatewayError } from "./gateway-error.ts";
export type { Login, Send } from "./login.ts";
export { type Outcome, outcomeOf } from "./outcome.ts";
export type { Timing } from "./repeat.ts";
