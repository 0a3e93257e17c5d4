/**
 * What the gateway asks a controller over its channel besides commands: what passes on a device's line,
 * and a search for devices. Nothing of it outlives the connection.
 */

import { type ControllerKey, isSameController } from "#core/controller/controller.ts";
import type { ToController, ToGateway } from "#core/controller/messages.ts";
import type { DetectionReport, DetectionRequest } from "#core/device/detection.ts";
import type { LineViewer } from "#core/device/trace.ts";
import { ApiError } from "#core/errors.ts";
import { REMOTE_SEARCH_MS } from "#core/limits.ts";
import type { Clock } from "../platform/clock.ts";

/** What a controller answers to a request that is no command. */
export type ChannelAnswer = Extract<ToGateway, { readonly requestId: string }>;

export interface ChannelRequestsOptions {
  readonly clock: Pick<Clock, "setTimer">;
  /** @returns false when the controller is not connected */
  send(key: ControllerKey, message: ToController): boolean;
}

/** Requests that may be open at all controllers together. */
const OPEN_MAX = 256;

interface Open {
  readonly key: ControllerKey;
  hear(message: ChannelAnswer): void;
  /** No more answers come. */
  gone(): void;
  /** The one who asked wants no more. */
  hangUp(): void;
}

export class ChannelRequests {
  readonly #clock: ChannelRequestsOptions["clock"];
  readonly #send: ChannelRequestsOptions["send"];
  readonly #open = new Map<string, Open>();
  #number = 0;

  constructor({ clock, send }: ChannelRequestsOptions) {
    this.#clock = clock;
    this.#send = send;
  }

  /** An answer came. One that nobody waits for, or of another controller, is dropped. */
  hear(key: ControllerKey, message: ChannelAnswer): void {
    const open = this.#open.get(message.requestId);
    if (open && isSameController(open.key, key)) open.hear(message);
  }

  /** A controller is gone, and with it every answer that it owes. */
  lost(key: ControllerKey): void {
    for (const open of [...this.#open.values()]) if (isSameController(open.key, key)) open.gone();
  }

  /** Hangs up everywhere, as at shutdown: searches still report what they found until then. */
  stop(): void {
    for (const open of [...this.#open.values()]) open.hangUp();
  }

  /**
   * Shows what passes on a device's line: first what its controller keeps of it, then each new
   * entry. A viewer that is never shown anything is told that it ended.
   * @returns ends it
   */
  watchLine(key: ControllerKey, deviceId: string, viewer: LineViewer): () => void {
    let hasBegun = false;
    const requestId = this.#begin(key, {
      hear(message) {
        if (message.type !== "trace.entries") return;
        if (hasBegun) for (const entry of message.entries) viewer.entry(entry);
        else if (!message.ended) viewer.begin(message.entries);
        hasBegun = true;
        if (message.ended) end();
      },
      gone: () => end(),
      hangUp: () => end(),
    });
    const end = (): void => {
      if (requestId !== undefined && this.#open.delete(requestId)) viewer.ended();
    };
    if (
      requestId === undefined ||
      !this.#send(key, { type: "trace.follow", requestId, deviceId })
    ) {
      if (requestId === undefined) viewer.ended();
      end();
      return () => undefined;
    }
    return () => {
      if (this.#open.delete(requestId)) this.#send(key, { type: "trace.end", requestId });
    };
  }

  /**
   * Has a controller look for devices; a remote one has a limit.
   * @throws ApiError SERVICE_UNAVAILABLE when it is not connected, goes meanwhile, cannot search or
   * does not come to an end
   */
  detect(key: ControllerKey, request: DetectionRequest): Promise<DetectionReport> {
    const { signal, target, drivers, orgId, registered, onProgress } = request;
    const { promise, resolve, reject } = Promise.withResolvers<DetectionReport>();
    const requestId = this.#begin(key, {
      hear(message) {
        if (message.type === "detect.progress") onProgress?.(message.probing);
        if (message.type === "detect.report") end(() => resolve(message.report));
        if (message.type === "detect.failed") end(() => reject(unavailable(message.reason)));
      },
      gone: () => end(() => reject(unavailable("The controller is not connected"))),
      hangUp: () => hangUp(),
    });
    // The controller ends the search and reports what it found until then.
    const hangUp = (): void => {
      if (requestId !== undefined) this.#send(key, { type: "detect.end", requestId });
    };
    let cancelTimer = (): void => undefined;
    const end = (answer: () => void): void => {
      if (requestId === undefined || !this.#open.delete(requestId)) return;
      cancelTimer();
      signal.removeEventListener("abort", hangUp);
      answer();
    };
    if (requestId === undefined) return Promise.reject(unavailable("Too many requests are open"));
    const named = {
      ...(drivers ? { drivers } : {}),
      ...(orgId === undefined ? {} : { orgId }),
      ...(registered ? { registered } : {}),
    };
    if (!this.#send(key, { type: "detect.begin", requestId, target, ...named })) {
      end(() => reject(unavailable("The controller is not connected")));
      return promise;
    }
    if (key.orgId !== null) {
      cancelTimer = this.#clock.setTimer(REMOTE_SEARCH_MS, () => {
        hangUp();
        end(() => reject(unavailable("The controller did not end its search")));
      });
    }
    signal.addEventListener("abort", hangUp, { once: true });
    if (signal.aborted) hangUp();
    return promise;
  }

  /** @returns the request's id; undefined when too many are open */
  #begin(key: ControllerKey, handlers: Omit<Open, "key">): string | undefined {
    if (this.#open.size >= OPEN_MAX) return undefined;
    this.#number += 1;
    const requestId = `req_${this.#number}`;
    this.#open.set(requestId, { key, ...handlers });
    return requestId;
  }
}

function unavailable(message: string): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", message);
}
