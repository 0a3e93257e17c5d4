/** What the queue works with. */

import type { Stores } from "#db/stores/index.ts";
import type { Writer } from "#db/writer.ts";
import type { Clock } from "../platform/clock.ts";
import type { CountedTime } from "../platform/counted-time.ts";
import type { Log } from "../platform/log.ts";
import type { ControllerPort, QueueTimes } from "./ports.ts";
import type { RecordKeeper } from "./record-keeper.ts";
import type { TimerQueue } from "./timer-queue.ts";

export interface QueueOptions {
  readonly stores: Stores;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly time: CountedTime;
  readonly log: Log;
  readonly timers: TimerQueue;
  readonly times: QueueTimes;
  readonly records: RecordKeeper;
  readonly controllers: ControllerPort;
  /** Why no commands are taken for now, as where the disk is full; none ever is unless given. */
  readonly closed?: () => string | undefined;
}
