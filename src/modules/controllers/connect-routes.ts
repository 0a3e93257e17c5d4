/** `GET /controllers/connect`: the WebSocket of the apps next to devices. */

import type { Principal } from "#core/access.ts";
import type { ControllerIdentity } from "#core/controller/controller.ts";
import { CONTROLLER_SUBPROTOCOL } from "#core/controller/messages.ts";
import { CONTROLLER_ID_PATTERN, CONTROLLER_TEXT_MAX } from "#core/limits.ts";
import { scopedRoutes, type WatchAccess } from "../../http/access.ts";
import { refusals, switching } from "../../http/answers.ts";
import { handshakeFlag, handshakeText, query } from "../../http/query.ts";
import { type Socket, type SocketHandler, takeSocket } from "../../http/socket.ts";
import type { Log } from "../../platform/log.ts";
import { type ControllerService, requireRemote, TAKEN_NAME } from "./service.ts";

/** The gateway's side of one connection. */
export interface ControllerLink {
  /** A text came. */
  hear(text: string): void;
  /** The connection is over. */
  closed(end: { readonly code: number; readonly reason: string }): void;
  /** The credential that opened it is no longer valid. */
  accessEnded(): void;
}

export interface ConnectRouteOptions {
  readonly service: Pick<ControllerService, "nameOf">;
  readonly watchAccess: WatchAccess;
  readonly log: Log;
  /** Takes in the controller at the other end of a line. */
  takeIn(line: Pick<Socket, "send" | "close">, identity: ControllerIdentity): ControllerLink;
}

const FAILED = 1011;

/** The route. */
export function connectRoutes(options: ConnectRouteOptions) {
  return scopedRoutes("devices:write", "Controllers").get(
    "/controllers/connect",
    (context) => {
      const { principal, query: said } = context;
      requireRemote(said.controllerId);
      const { orgId } = principal;
      const identity: ControllerIdentity = {
        ...{ orgId, controllerId: said.controllerId },
        name: said.name || options.service.nameOf(orgId, said.controllerId),
        ...{ appVersion: said.appVersion, deviceModel: said.deviceModel },
        osVersion: said.osVersion,
        locationId: said.locationId || undefined,
        reportsMarks: said.marks,
      };
      return takeSocket(context, handlerOf(options, principal, identity), CONTROLLER_SUBPROTOCOL);
    },
    {
      query: query({
        controllerId: handshakeText({ pattern: CONTROLLER_ID_PATTERN, isRequired: true }),
        name: handshakeText({ maxLength: CONTROLLER_TEXT_MAX }),
        appVersion: handshakeText({ maxLength: CONTROLLER_TEXT_MAX }),
        deviceModel: handshakeText({ maxLength: CONTROLLER_TEXT_MAX }),
        osVersion: handshakeText({ maxLength: CONTROLLER_TEXT_MAX }),
        locationId: handshakeText({ maxLength: CONTROLLER_TEXT_MAX }),
        marks: handshakeFlag(),
      }),
      detail: {
        summary: "Connect a controller",
        description:
          `A WebSocket, subprotocol ${CONTROLLER_SUBPROTOCOL}; JSON texts both ways, of at most ` +
          "256 KiB to the gateway. With marks=1 the controller reports how far a document is; " +
          "of one that does not, no failure is believed to mean that nothing was printed. " +
          "Connecting again under the same name ends the first connection. The gateway ends it " +
          "with 4400 (too many messages that make no sense), 4401 (the credential has ended, " +
          "which for an access token is when it expires), 4408 (silent for 45 s, or too slow to " +
          "read), 4409 (replaced), 4429 (too many messages) or 1001 (it stops: come again).",
        responses: {
          ...switching("A controller's connection"),
          ...refusals({ 409: TAKEN_NAME }),
        },
      },
    },
  );
}

function handlerOf(
  { takeIn, watchAccess, log }: ConnectRouteOptions,
  principal: Principal,
  identity: ControllerIdentity,
): SocketHandler {
  let link: ControllerLink | undefined;
  let access: ReturnType<WatchAccess> | undefined;
  return {
    opened(socket) {
      try {
        link = takeIn(socket, identity);
      } catch (error) {
        // As when the database cannot be read.
        log.error("controller not taken in", { controllerId: identity.controllerId, error });
        socket.close(FAILED, "The gateway failed; connect again");
        return;
      }
      access = watchAccess(principal, () => link?.accessEnded());
    },
    message(text) {
      if (access?.isOpen()) link?.hear(text);
    },
    closed(code, reason) {
      access?.leave();
      link?.closed({ code, reason });
    },
  };
}
