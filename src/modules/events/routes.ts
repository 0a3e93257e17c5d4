/** `/events`: what happens, as it happens, over a WebSocket or as server-sent events. */

import type { Principal } from "#core/access.ts";
import { CLOSE_CODES } from "#core/close-codes.ts";
import { isoTime } from "#core/iso-time.ts";
import type { EventStore } from "#db/stores/events.ts";
import type { EventFeed, FeedEnd, Listener, Listening } from "../../events/feed.ts";
import { listenerRoutes, type WatchAccess } from "../../http/access.ts";
import { file, refusals, success, switching } from "../../http/answers.ts";
import { breakSilence } from "../../http/broken-silence.ts";
import { EVENT_STREAM_TYPE, eventStreamAnswer } from "../../http/event-stream.ts";
import { handshakeFlag, handshakeText, query } from "../../http/query.ts";
import { LISTENER_FRAMES, type Socket, type SocketHandler, takeSocket } from "../../http/socket.ts";
import { streamedHead } from "../../http/streamed-head.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import {
  EVENT_ID_PATTERN,
  EVENT_ID_RULE,
  eventGone,
  LISTENING_SCOPES,
  mayHear,
  type Since,
  sinceOf,
} from "./listener.ts";
import { EventMessage, TicketAnswer } from "./schema.ts";
import type { Tickets } from "./tickets.ts";

export interface EventRouteOptions {
  readonly events: Pick<EventStore, "seqOf">;
  readonly feed: EventFeed;
  readonly tickets: Tickets;
  readonly watchAccess: WatchAccess;
  readonly clock: Clock;
  readonly log: Log;
}

/** More than a ticket has. */
const TICKET_CHARACTERS = 128;

const HANDSHAKE = {
  since: handshakeText({ pattern: EVENT_ID_PATTERN, rule: EVENT_ID_RULE }),
  ticket: handshakeText({ maxLength: TICKET_CHARACTERS }),
};

/** Says that nothing has happened; it is no event, and has no id. */
const BEAT = JSON.stringify({ type: "beat" });

const HOW =
  "Each event comes once, in order, and only to credentials that cover its subject: commands " +
  "`commands`, receipts `receipts:read`, reports `reports`, devices and controllers " +
  "`devices:read`. Events are kept for 7 days.";

/** The routes. */
export function eventRoutes(options: EventRouteOptions) {
  const { tickets } = options;
  const asking = listenerRoutes(LISTENING_SCOPES, "Events").post(
    "/events/ticket",
    ({ principal, set }) => {
      const { ticket, expiresAt } = tickets.issue(principal);
      set.status = 201;
      return { ticket, expiresAt: isoTime(expiresAt) };
    },
    {
      detail: {
        summary: "Ask for a ticket that opens one connection",
        description:
          "For browsers, which send no credential with a WebSocket or an EventSource. The ticket " +
          "stands for the credential that asked for it, and ends with it.",
        responses: success(TicketAnswer, { status: 201 }),
      },
    },
  );
  return [asking, listeningRoutes(options)];
}

function listeningRoutes(options: EventRouteOptions) {
  const { events, tickets } = options;
  return listenerRoutes(LISTENING_SCOPES, "Events", (ticket) => tickets.redeem(ticket))
    .get(
      "/events",
      async (context) => {
        const { principal, query } = context;
        const heard = { id: query.since, parameter: "since" };
        const since = await sinceOf(events, principal.orgId, heard);
        return takeSocket(context, socketOf(options, principal, { since, beats: query.beats }));
      },
      {
        query: query({ ...HANDSHAKE, beats: handshakeFlag() }),
        detail: {
          summary: "Listen over a WebSocket",
          description:
            `${HOW} \`since\` first repeats what was stored after that event. With \`beats=1\` ` +
            `\`${BEAT}\` comes where nothing else has come for 15 seconds: a browser tells no page ` +
            "of the pings, and of a connection whose other end is gone neither. Ends: 4401 the " +
            "credential is over, 4408 the reader is too slow, 4410 the event of `since` is not " +
            "kept any more (read the state anew), 4429 too many messages came, 1001 the gateway stops.",
          responses: {
            ...switching("From here on each message is an event as below /events/stream"),
            ...refusals({ 400: "The request asks for no WebSocket, or `since` is no event's id" }),
          },
        },
      },
    )
    .get(
      "/events/stream",
      async ({ principal, query, request }) => {
        const last = request.headers.get("last-event-id");
        const heard = last
          ? { id: last, parameter: "Last-Event-ID" }
          : { id: query.since, parameter: "since" };
        const since = await sinceOf(events, principal.orgId, heard);
        if (since.kind === "gone") throw eventGone();
        if (request.method === "HEAD") return streamedHead({ "Content-Type": EVENT_STREAM_TYPE });
        return streamOf(options, principal, since);
      },
      {
        query: query(HANDSHAKE),
        detail: {
          summary: "Listen by server-sent events",
          description:
            `Messages, each with an event as \`data\` and its id as \`id\`. ${HOW} \`Last-Event-ID\`, or \`since\` where that header cannot be set, first repeats ` +
            "what was stored after that event. The answer ends with its credential, when its " +
            "reader is too slow, and when the gateway stops.",
          parameters: [
            {
              name: "Last-Event-ID",
              in: "header",
              required: false,
              schema: { type: "string", pattern: EVENT_ID_PATTERN },
              description: "The event that was heard last; browsers send it by themselves",
            },
          ],
          responses: {
            ...file({ "text/event-stream": EventMessage }),
            ...refusals({ 404: "The event is not kept any more: read the state anew" }),
          },
        },
      },
    );
}

/** Begins to tell a caller, however it listens, until its credential ends. */
function listen(
  { feed, watchAccess, log }: EventRouteOptions,
  principal: Principal,
  to: Pick<Listener, "tell" | "waiting" | "ended"> & {
    readonly since: Since;
    readonly unauthorized: () => void;
  },
): Listening {
  const access = watchAccess(principal, to.unauthorized);
  const { orgId } = principal;
  const listener: Listener = {
    ...to,
    orgId,
    // What is stored behind the end of a credential is not for it, however soon the watch looks.
    covers: (stored) => mayHear(principal, stored) && access.isOpen(),
    ended(why, error) {
      if (why === "slow") log.warn("listener ended: it does not read fast enough", { orgId });
      if (why === "failed") log.error("listener ended: events cannot be read", { orgId, error });
      to.ended(why);
    },
  };
  const { drained, leave } = feed.listen(
    listener,
    to.since.kind === "after" ? to.since.seq : undefined,
  );
  const leaveBoth = () => {
    access.leave();
    leave();
  };
  // One that ended while stored events were told has nobody yet who leaves for it.
  if (!access.isOpen()) leaveBoth();
  return { drained, leave: leaveBoth };
}

function socketOf(
  options: EventRouteOptions,
  principal: Principal,
  { since, beats: isBeating }: { readonly since: Since; readonly beats: boolean },
): SocketHandler {
  let place: Listening | undefined;
  let beats: ReturnType<typeof breakSilence> | undefined;
  return {
    frames: LISTENER_FRAMES,
    opened(socket) {
      if (since.kind === "gone") {
        socket.close(CLOSE_CODES.gone, "This event is not kept any more");
        return;
      }
      const isBehind = () => socket.waiting() > 0;
      beats = isBeating
        ? breakSilence(options.clock, { isBehind, sign: () => socket.send(BEAT) })
        : undefined;
      beats?.said();
      place = listen(options, principal, {
        since,
        unauthorized: () => socket.close(CLOSE_CODES.unauthorized, "The credential has ended"),
        tell(_, text) {
          socket.send(text);
          beats?.said();
        },
        waiting: () => socket.waiting(),
        ended: (why) => endSocket(socket, why),
      });
    },
    // Listeners have nothing to say.
    message: () => undefined,
    drained: () => place?.drained(),
    closed() {
      beats?.stop();
      place?.leave();
    },
  };
}

function endSocket(socket: Socket, why: FeedEnd): void {
  if (why === "slow") socket.close(CLOSE_CODES.slow, "Messages are not read fast enough");
  if (why === "failed") socket.close(CLOSE_CODES.goingAway, "Events cannot be read now");
  // One that stopped with the gateway is closed with it.
}

function streamOf(options: EventRouteOptions, principal: Principal, since: Since): Response {
  return eventStreamAnswer(options.clock, (writer) => {
    const { drained, leave } = listen(options, principal, {
      since,
      unauthorized: () => writer.end(),
      tell: (id, text) => writer.write(id, text),
      waiting: () => writer.waiting(),
      ended: () => writer.end(),
    });
    return { drained, closed: leave };
  });
}
