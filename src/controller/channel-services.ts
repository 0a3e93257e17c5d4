/** What a controller answers to the gateway besides commands: lines to look at, and searches. */

import type { ToController } from "#core/controller/messages.ts";
import type { DetectDevices } from "#core/device/detection.ts";
import type { TraceEntry } from "#core/device/trace.ts";
import type { Log } from "../platform/log.ts";
import type { GatewayChannel } from "./channel.ts";
import type { LineTrace } from "./line-trace.ts";

export interface ChannelServicesOptions {
  readonly channel: GatewayChannel;
  readonly log: Log;
  /** What passed on a device's line; undefined when the device is not served here. */
  traceOf(deviceId: string): LineTrace | undefined;
  /** Absent where there is nothing to search. */
  readonly detect: DetectDevices | undefined;
}

type Request = Extract<ToController, { readonly requestId: string }>;

/** Searches that may run at the same time; each asks at every port. */
const SEARCHES_MAX = 4;

export class ChannelServices {
  readonly #o: ChannelServicesOptions;
  /** Ends a viewer's look at a line, by request. */
  readonly #views = new Map<string, () => void>();
  readonly #searches = new Map<string, AbortController>();

  constructor(options: ChannelServicesOptions) {
    this.#o = options;
  }

  hear(message: Request): void {
    switch (message.type) {
      case "trace.follow":
        this.#follow(message);
        return;
      case "trace.end":
        this.#views.get(message.requestId)?.();
        this.#views.delete(message.requestId);
        return;
      case "detect.begin":
        void this.#search(message);
        return;
      case "detect.end":
        this.#searches.get(message.requestId)?.abort();
        return;
      default:
        message satisfies never;
    }
  }

  /**
   * Ends everything that is under way, and tells nothing more of it: whoever asked is gone, and the
   * gateway that is met next may number its requests from the beginning.
   */
  stop(): void {
    for (const leave of this.#views.values()) leave();
    this.#views.clear();
    for (const search of this.#searches.values()) search.abort();
    this.#searches.clear();
  }

  #follow({ requestId, deviceId }: Extract<Request, { type: "trace.follow" }>): void {
    const { channel } = this.#o;
    const show = (entries: readonly TraceEntry[], ended: boolean): void =>
      channel.send({ type: "trace.entries", requestId, entries, ended });
    const trace = this.#o.traceOf(deviceId);
    const leave = trace?.follow({
      entry: (entry) => show([entry], false),
      ended: () => {
        this.#views.delete(requestId);
        show([], true);
      },
    });
    if (!trace || !leave) {
      show([], true);
      return;
    }
    this.#views.set(requestId, leave);
    show(trace.entries(), false);
  }

  async #search(message: Extract<Request, { type: "detect.begin" }>): Promise<void> {
    const { requestId, target, drivers, orgId, registered } = message;
    const { channel, detect, log } = this.#o;
    if (!detect) return this.#fail(requestId, "This controller cannot search for devices");
    if (this.#searches.size >= SEARCHES_MAX) return this.#fail(requestId, "Searches are running");
    const search = new AbortController();
    this.#searches.set(requestId, search);
    const isAwaited = () => this.#searches.get(requestId) === search;
    try {
      const report = await detect({
        ...{ target, drivers, orgId, registered, signal: search.signal },
        onProgress(probing) {
          if (isAwaited()) channel.send({ type: "detect.progress", requestId, probing });
        },
      });
      if (isAwaited()) channel.send({ type: "detect.report", requestId, report });
    } catch (error) {
      log.error("search for devices failed", { error });
      if (!isAwaited()) return;
      this.#fail(requestId, "The search failed; the controller's log has the details");
    } finally {
      if (isAwaited()) this.#searches.delete(requestId);
    }
  }

  #fail(requestId: string, reason: string): void {
    this.#o.channel.send({ type: "detect.failed", requestId, reason });
  }
}
