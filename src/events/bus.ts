/** In-process publish and subscribe. Publishers know none of the subscribers. */

import type { GatewayEvent } from "#core/events.ts";

export type Subscriber = (event: GatewayEvent) => void;

export interface EventBus {
  publish(event: GatewayEvent): void;
  /** @returns ends the subscription */
  subscribe(subscriber: Subscriber): () => void;
}

/**
 * Makes a bus.
 * @param onError told of a subscriber that threw; the others still hear the event
 */
export function createEventBus(onError: (error: unknown) => void): EventBus {
  const subscribers = new Set<Subscriber>();
  return {
    publish(event) {
      for (const subscriber of subscribers) {
        try {
          subscriber(event);
        } catch (error) {
          onError(error);
        }
      }
    },
    subscribe(subscriber) {
      subscribers.add(subscriber);
      return () => {
        subscribers.delete(subscriber);
      };
    },
  };
}
