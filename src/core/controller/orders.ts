/** What the gateway tells a controller outside of its process, read from the text of one frame. */

import { schemaCheckOf } from "../schema-check.ts";
import { schemaNamed, TO_CONTROLLER, type ToController } from "./messages.ts";
import { withInstantTexts } from "./older-instants.ts";

/** A text that is no message of this version. */
export interface UnreadableOrder {
  /** Why, in a few words. */
  readonly fault: string;
}

/** Reads one text frame of the gateway. */
export function readOrder(text: string): ToController | UnreadableOrder {
  const value = parsed(text);
  if (typeof value !== "object" || value === null) return { fault: "not a JSON object" };
  const type = "type" in value && typeof value.type === "string" ? value.type : "";
  const schema = schemaNamed(TO_CONTROLLER, type);
  // A newer gateway may say more than this version knows.
  if (!schema) return { fault: `no message of type ${JSON.stringify(type).slice(0, 66)}` };
  const order = fromOlder(value);
  const check = schemaCheckOf(schema);
  if (!check.accepts(order)) {
    const paths = check.issues(order).map(({ path }) => path);
    return { fault: `${type} with something else at ${paths.join(", ")}` };
  }
  // Its own schema has just accepted it.
  return order as ToController;
}

/** A gateway of version 0.1.0 writes instants in milliseconds. */
function fromOlder(order: object): unknown {
  if (!("command" in order)) return order;
  const command = withOriginal(order.command);
  return withInstantTexts({ ...order, command }, ["expiresAt"]);
}

function withOriginal(command: unknown): unknown {
  if (typeof command !== "object" || command === null || !("original" in command)) return command;
  const original = withInstantTexts(command.original, ["issuedAt", "createdAt"]);
  return { ...command, original };
}

/** True when it is not a message. */
export function isUnreadable(order: ToController | UnreadableOrder): order is UnreadableOrder {
  return "fault" in order;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
