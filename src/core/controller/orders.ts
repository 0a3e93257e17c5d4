/** What the gateway tells a controller outside of its process, read from the text of one frame. */

import { schemaCheckOf } from "../schema-check.ts";
import { schemaNamed, TO_CONTROLLER, type ToController } from "./messages.ts";

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
  const check = schemaCheckOf(schema);
  if (!check.accepts(value)) {
    const paths = check.issues(value).map(({ path }) => path);
    return { fault: `${type} with something else at ${paths.join(", ")}` };
  }
  // Its own schema has just accepted it.
  return value as ToController;
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
