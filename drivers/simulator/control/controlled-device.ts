/** What the control port reads and changes of a device. */

import type { DeviceMemory } from "../books/memory.ts";
import type { ChangeFeed } from "../change-feed.ts";
import type { Engine } from "../engine.ts";
import type { FaultPlan } from "../faults.ts";
import type { PaperLayout } from "../paper/layout.ts";

/** A running simulated device, as the control port needs it. */
export interface ControlledDevice {
  readonly memory: DeviceMemory;
  readonly engine: Engine;
  readonly faults: FaultPlan;
  readonly layout: PaperLayout;
  readonly changes: ChangeFeed;
  readonly driver: string;
  readonly model: string;
}
