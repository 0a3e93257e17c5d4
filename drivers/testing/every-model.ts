/** Every model that can be simulated, for suites that hold for all drivers and devices. */

import { profileOfModel } from "#core/device/simulated-models.ts";
import type { DriverId } from "#core/driver-id.ts";
import type { SimulatedModel } from "../simulator/family.ts";
import { SIMULATORS } from "../simulator/registry.ts";

/** A kind of device, and how it is driven. */
export interface ModelUnderTest {
  readonly driver: DriverId;
  readonly model: string;
  readonly timezone: string;
  /** What the simulator's own data says of it. */
  readonly simulated: SimulatedModel;
  /** The profile that it is registered with; undefined where the device tells what it is. */
  readonly profile: string | undefined;
  /** Warnings stand in its status that fail no command. */
  readonly isWarned?: boolean;
  /** It tells of documents late, or prints them for long. */
  readonly isSlow?: boolean;
}

/** All models of all drivers. */
export const EVERY_MODEL: readonly ModelUnderTest[] = [...SIMULATORS].flatMap(([driver, models]) =>
  [...models].map(([model, simulated]) => ({
    driver,
    model,
    timezone: simulated.timezone,
    simulated,
    profile: profileOfModel(model),
  })),
);

/** Those of them that can show warnings for weeks, with all of these up. */
export const WARNED_MODELS: readonly ModelUnderTest[] = EVERY_MODEL.flatMap((kind) =>
  kind.simulated.warned ? [{ ...kind, simulated: kind.simulated.warned, isWarned: true }] : [],
);

/** Those of them that may be slower than they are by themselves, at their slowest. */
export const SLOW_MODELS: readonly ModelUnderTest[] = EVERY_MODEL.flatMap((kind) =>
  kind.simulated.slow ? [{ ...kind, simulated: kind.simulated.slow, isSlow: true }] : [],
);

/** True for a device that takes commands and answers none, so that nothing is ever certain. */
export function isMute({ profile }: ModelUnderTest): boolean {
  return profile !== undefined;
}
