/** The channel between a controller and the gateway; in-process for the one inside the executable. */

import type { ToController, ToGateway } from "#core/controller/messages.ts";

/** A controller's channel to the gateway: it sends, and is given what comes. */
export interface GatewayChannel {
  /** What is sent while it is not connected is lost. */
  send(message: ToGateway): void;
  listen(listener: (message: ToController) => void): void;
  /** True from the gateway's welcome until the connection ends. */
  readonly isConnected: boolean;
}

/** The other end of it, which the gateway holds. */
export interface GatewayEnd {
  send(message: ToController): void;
  listen(listener: (message: ToGateway) => void): void;
}

/**
 * A channel inside the process. Messages arrive in order, each in a turn of its own after the sender
 * has returned, as over a socket; they are plain data and are not copied.
 */
export function createInProcessChannel(): { controller: GatewayChannel; gateway: GatewayEnd } {
  const toGateway = createPipe<ToGateway>();
  const toController = createPipe<ToController>();
  return {
    controller: { send: toGateway.send, listen: toController.listen, isConnected: true },
    gateway: { send: toController.send, listen: toGateway.listen },
  };
}

function createPipe<Message>() {
  let listener: ((message: Message) => void) | undefined;
  const early: Message[] = [];
  return {
    send(message: Message): void {
      queueMicrotask(() => {
        if (listener) listener(message);
        else early.push(message);
      });
    },
    listen(next: (message: Message) => void): void {
      listener = next;
      for (const message of early.splice(0)) next(message);
    },
  };
}
