/** What a message is about, by which its sender knows it again in an `error`. */

import { schemaCheckOf } from "../schema-check.ts";
import { Epoch, Id } from "./reported.ts";

export interface About {
  readonly deviceId?: string;
  readonly commandId?: string;
  /** Of the hand-over. */
  readonly epoch?: number;
}

/** Device, command and hand-over of a message, as far as they can be read; it need not be one. */
export function aboutOf(message: object): About {
  const { deviceId, commandId, epoch }: Partial<Record<keyof About, unknown>> = message;
  return {
    ...(isId(deviceId) ? { deviceId } : {}),
    ...(isId(commandId) ? { commandId } : {}),
    ...(isEpoch(epoch) ? { epoch } : {}),
  };
}

const isId = (value: unknown): value is string => schemaCheckOf(Id).accepts(value);
const isEpoch = (value: unknown): value is number => schemaCheckOf(Epoch).accepts(value);
