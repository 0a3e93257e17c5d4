/** What the gateway does by itself from time to time. */

import { GUESSES_KEPT_MS } from "#core/guesses.ts";
import {
  ALERT_HISTORY_KEPT_MS,
  COMMANDS_KEPT_MS,
  CONNECTION_HISTORY_KEPT_MS,
  DELIVERIES_KEPT_MS,
  EVENTS_KEPT_MS,
} from "#core/limits.ts";
import { keepTime, lookAtAgeingTime } from "../queue/kept-time.ts";
import type { Foundation } from "./parts.ts";

/** How often it is looked whether the clock was set. */
const CLOCK_LOOK_MS = 5_000;
const TIME_KEPT_INTERVAL_MS = 60_000;
const PURGE_INTERVAL_MS = 3_600_000;
/** The first purge waits until the start is over, and what tills have to send after a power cut. */
const FIRST_PURGE_MS = 30_000;
/** Between the parts of one purge, for the work of everybody else. */
const PURGE_GAP_MS = 20;

/** What is purged of, and the times by which it is; UTC milliseconds. */
interface Purged {
  readonly stores: Foundation["stores"];
  /** By which rows grow old. */
  readonly aged: number;
  readonly now: number;
  readonly counted: number;
}

interface Purge {
  readonly of: keyof Foundation["stores"];
  /** @returns true while more may be left */
  readonly some: (purged: Purged) => boolean;
}

const keptFor = ({ aged, now }: Purged, ms: number) => ({ until: aged - ms, now });

const PURGES: readonly Purge[] = [
  {
    of: "appliance",
    some({ stores, counted }) {
      stores.appliance.endForgotten(counted);
      return false;
    },
  },
  { of: "idempotency", some: ({ stores, counted }) => stores.idempotency.purge(counted) },
  { of: "users", some: ({ stores, aged }) => stores.users.purgeSessions(aged) },
  { of: "passwordCodes", some: ({ stores, aged }) => stores.passwordCodes.purge(aged) },
  {
    of: "guesses",
    some: ({ stores, counted }) => stores.guesses.purge(counted - GUESSES_KEPT_MS),
  },
  { of: "commands", some: (one) => one.stores.commands.purge(keptFor(one, COMMANDS_KEPT_MS)) },
  { of: "events", some: (one) => one.stores.events.purge(keptFor(one, EVENTS_KEPT_MS)) },
  {
    of: "connectionEvents",
    some: (one) => one.stores.connectionEvents.purge(keptFor(one, CONNECTION_HISTORY_KEPT_MS)),
  },
  {
    of: "alertHistory",
    some: ({ stores, aged }) => stores.alertHistory.purge(aged - ALERT_HISTORY_KEPT_MS),
  },
  {
    of: "webhookDeliveries",
    some: (one) => one.stores.webhookDeliveries.purge(keptFor(one, DELIVERIES_KEPT_MS)),
  },
];

/** What a watch over other writers uses. */
interface Watched {
  readonly database: {
    readonly others: Pick<Foundation["database"]["others"], "look" | "onChange">;
  };
  readonly loss: Pick<Foundation["loss"], "onLook">;
  readonly log: Pick<Foundation["log"], "error">;
}

/**
 * Calls back when another process, such as the command line at the box, changed the database: within
 * a second, whatever else happens.
 */
export function watchOtherWriters({ database, loss, log }: Watched, onChange: () => void): void {
  let hasChanged = false;
  /** Why it cannot be read; undefined when it can. Looks come each second. */
  let unread: string | undefined;
  database.others.onChange(() => {
    hasChanged = true;
  });
  loss.onLook(() => {
    try {
      database.others.look();
      unread = undefined;
      const isNews = hasChanged;
      hasChanged = false;
      if (isNews) onChange();
    } catch (error) {
      hasChanged = true;
      const why = String(error);
      if (unread !== why) log.error("database not readable", { error });
      unread = why;
    }
  });
}

/** Looks whether the clock was set, and keeps the counted time for the next start. */
export function watchClock(
  foundation: Pick<Foundation, "stores" | "writer" | "clock" | "time" | "timers" | "log">,
  look: () => void,
): void {
  const { stores, writer, clock, time, timers, log } = foundation;
  let keepAt = 0;
  const tick = (): void => {
    look();
    if (clock.elapsed() >= keepAt) {
      keepAt = clock.elapsed() + TIME_KEPT_INTERVAL_MS;
      writer
        .run(() => keepTime(stores.appliance, time), "later")
        .catch((error: unknown) => log.error("counted time not kept", { error }));
    }
    timers.set("clock", clock.now() + CLOCK_LOOK_MS, tick);
  };
  tick();
}

/** Removes what has expired, soon and then every hour, in parts so that no submission waits for long. */
export function purgeRegularly(
  foundation: Pick<
    Foundation,
    "stores" | "writer" | "clock" | "time" | "timers" | "log" | "stopping"
  >,
): void {
  const { stores, writer, clock, time, timers, log, stopping } = foundation;
  const again = (ms: number): void => {
    if (!stopping.aborted) timers.set("purge", clock.now() + ms, () => void purge());
  };
  /** One that fails stops none of the others, nor undoes it: each is an operation of its own. */
  const purgeOne = async (purge: Purge): Promise<boolean> => {
    try {
      return await writer.run(() => {
        // A clock that was set far ahead must not cost what is kept for long.
        const aged = lookAtAgeingTime(stores.appliance, clock, time);
        return purge.some({ stores, aged, now: clock.now(), counted: time.now() });
      });
    } catch (error) {
      log.error("expired entries not removed", { of: purge.of, error });
      return false;
    }
  };
  let isUnderWay = false;
  const purge = async (): Promise<void> => {
    try {
      // What the part before has changed lies scattered: of many parts it would take long.
      if (isUnderWay) writer.foldLog();
    } catch (error) {
      log.error("log of the database not folded", { error });
    }
    isUnderWay = (await Promise.all(PURGES.map(purgeOne))).includes(true);
    again(isUnderWay ? PURGE_GAP_MS : PURGE_INTERVAL_MS);
  };
  again(FIRST_PURGE_MS);
}
