/** What a controller says, in texts no longer than the gateway takes. */

import type { ToGateway } from "#core/controller/messages.ts";

/** Bytes of the longest text that the gateway takes; a longer one ends the connection. */
export const TEXT_BYTES_MAX = 256 * 1024;

/**
 * The texts of a message: several where what passed on a line is too much for one. An answer of a
 * device that is too long for one text cannot be told. Of a command that was carried out it leaves
 * the data away, as whether something was printed counts more than what the device said of it.
 */
export function textsOf(message: ToGateway): string[] {
  const text = JSON.stringify(message);
  if (Buffer.byteLength(text) <= TEXT_BYTES_MAX) return [text];
  switch (message.type) {
    case "trace.entries": {
      const { entries } = message;
      const half = Math.ceil(entries.length / 2);
      // A single entry is bounded, and fits.
      if (entries.length < 2) return [];
      return [
        ...textsOf({ ...message, entries: entries.slice(0, half), ended: false }),
        ...textsOf({ ...message, entries: entries.slice(half) }),
      ];
    }
    case "command.result": {
      const { data, ...told } = message.result;
      const kept = data?.outcome === undefined ? {} : { data: { outcome: data.outcome } };
      return [JSON.stringify({ ...message, result: { ...told, ...kept } })];
    }
    case "detect.report": {
      const { requestId } = message;
      const reason = "The search found more than one message can tell";
      return [JSON.stringify({ type: "detect.failed", requestId, reason })];
    }
    default:
      return [];
  }
}
