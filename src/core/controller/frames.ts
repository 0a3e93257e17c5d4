/**
 * What a controller outside of the process sends, read: one JSON text is one message, or it is a
 * fault. Whatever texts it holds are cleaned here, before anything is stored or shown; those of a
 * result are cleaned where the command's type is known (`told-result.ts`), and a baseline is shown
 * to nobody.
 */

import { cleanTexts } from "../clean-texts.ts";
import { toDeviceText } from "../device-text.ts";
import { isDeeperThan, parsedWellFormed } from "../json-text.ts";
import {
  BASELINE_CHARACTERS_MAX,
  CONTROLLER_MESSAGE_DEPTH_MAX,
  NOTE_CHARACTERS_MAX,
} from "../limits.ts";
import { schemaCheckOf } from "../schema-check.ts";
import { type About, aboutOf } from "./about.ts";
import { schemaNamed, TO_GATEWAY, type ToController, type ToGateway } from "./messages.ts";
import { withInstantTexts } from "./older-instants.ts";

/** Why a text is no message; `code` and `message` of the `error` that answers it. */
export interface FrameFault {
  readonly code: "BAD_JSON" | "UNKNOWN_TYPE" | "INVALID_MESSAGE";
  readonly fault: string;
  /** Of a message whose type is known. */
  readonly about?: About;
}

/** Faults that are named; a controller's author needs the first ones. */
const FAULTS_MAX = 5;
/** Of texts that are shown on the line monitor and by a search, as the in-process ones have them. */
const SHOWN_TEXT_MAX = 1_024;

/** Reads one text frame. */
export function readFrame(text: string): ToGateway | FrameFault {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { code: "BAD_JSON", fault: "Expected a JSON object" };
  }
  const type = "type" in value ? value.type : undefined;
  const schema = schemaNamed(TO_GATEWAY, type);
  if (!schema) return { code: "UNKNOWN_TYPE", fault: "There is no message of this type" };
  const told = fromOlder(value);
  const check = schemaCheckOf(schema);
  if (!check.accepts(told)) {
    const issues = check.issues(told).slice(0, FAULTS_MAX);
    return invalid(told, issues.map(({ path, message }) => `${path}: ${message}`).join("; "));
  }
  // One of the schemas has just accepted it.
  const message = told as ToGateway;
  const bulk = bulkOf(message);
  return bulk === undefined ? cleaned(message) : invalid(told, bulk);
}

/** What answers a text that is no message. */
export function notUnderstood({
  code,
  fault,
  about = {},
}: FrameFault): Extract<ToController, { readonly type: "error" }> {
  return { type: "error", code, message: fault, ...about };
}

/** True when it is not a message. */
export function isFault(frame: ToGateway | FrameFault): frame is FrameFault {
  return "fault" in frame;
}

function parsed(text: string): unknown {
  if (isDeeperThan(text, CONTROLLER_MESSAGE_DEPTH_MAX)) return undefined;
  try {
    return parsedWellFormed(text);
  } catch {
    return undefined;
  }
}

/** A controller of version 0.1.0 writes the times of a line's entries in milliseconds. */
function fromOlder(message: object): object {
  if (!("entries" in message) || !Array.isArray(message.entries)) return message;
  const entries = message.entries.map((entry) => withInstantTexts(entry, ["at", "lastAt"]));
  return { ...message, entries };
}

function invalid(told: object, fault: string): FrameFault {
  return { code: "INVALID_MESSAGE", fault: toDeviceText(fault), about: aboutOf(told) };
}

/** What of a message is larger than it may be. */
function bulkOf(message: ToGateway): string | undefined {
  const isLarge = (part: unknown, max: number) =>
    part !== undefined && JSON.stringify(part).length > max;
  if (message.type === "command.mark" && isLarge(message.baseline, BASELINE_CHARACTERS_MAX)) {
    return `baseline: Expected at most ${BASELINE_CHARACTERS_MAX} characters`;
  }
  if (message.type === "device.note" && isLarge(message.details, NOTE_CHARACTERS_MAX)) {
    return `details: Expected at most ${NOTE_CHARACTERS_MAX} characters`;
  }
  return undefined;
}

function cleaned(message: ToGateway): ToGateway {
  switch (message.type) {
    case "command.ack":
    case "command.mark":
    case "pong":
      return message;
    case "command.result": {
      const { data, ...told } = message.result;
      const result = cleanTexts(told, inDevices);
      return { ...message, result: data === undefined ? result : { ...result, data } };
    }
    case "trace.entries":
    case "detect.progress":
    case "detect.report":
      return cleanTexts(message, (text) => toDeviceText(text, SHOWN_TEXT_MAX));
    default:
      return cleanTexts(message, inDevices);
  }
}

const inDevices = (text: string): string => toDeviceText(text);
