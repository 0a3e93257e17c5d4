/** What the routes of events take and answer. */

import { type TSchema, Type } from "@sinclair/typebox";
import { EVENT_SCOPES } from "#core/events.ts";

export const TicketAnswer = Type.Object({
  ticket: Type.String({ description: "Opens one connection, once: `?ticket=`" }),
  expiresAt: Type.String({ format: "date-time", description: "30 s from now" }),
});

/** An event as clients get it. @param type which it is @param data what it tells of */
export function envelopeOf<Kind extends TSchema, Data extends TSchema>(type: Kind, data: Data) {
  return Type.Object({
    id: Type.String({ description: "`evt_...`; the same however often it comes" }),
    type,
    createdAt: Type.String({ format: "date-time", description: "When it happened" }),
    orgId: Type.String(),
    data,
  });
}

/** One message of the WebSocket, and the `data` of each server-sent event. */
export const EventMessage = Type.Object({
  ...envelopeOf(
    Type.Unsafe({ type: "string", enum: Object.keys(EVENT_SCOPES) }),
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          "`command.*` { command }, `device.*` { device, controllerId }, `device.alert` beside that " +
          "{ deviceId, simulated, alerts, appeared, cleared }, `report.generated` { report }, " +
          "`receipt.created` { receipt }, `controller.*` { controllerId }, `backup.*` { backup: { name, " +
          "bytes, reason } }: the records of the API",
      },
    ),
  ).properties,
  id: Type.String({ description: "`evt_...`; where to go on from: `?since=`, `Last-Event-ID`" }),
});
