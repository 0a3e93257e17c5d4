/** In-process publish and subscribe of what is stored. Publishers know none of the subscribers. */

import type { StoredEvent } from "#core/events.ts";

export type Subscriber = (stored: StoredEvent) => void;

export interface EventBus {
  publish(stored: StoredEvent): void;
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
    publish(stored) {
      for (const subscriber of subscribers) {
        try {
          subscriber(stored);
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
