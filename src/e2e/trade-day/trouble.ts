/** What befalls a device on a day, drawn by dice, and the person who sets it right again. */

import type { Dice } from "#drivers/testing/dice.ts";
import { oneIn, pick } from "./baskets.ts";
import type { Shop } from "./shop.ts";
import type { ShopDevice } from "./shop-device.ts";

/** A kind of trouble, as the simulator takes it, with the bounds of what is drawn. */
type Trouble = (dice: Dice) => Readonly<Record<string, unknown>>;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** The longest that power or cable are away. */
const AWAY_MS_MAX = 2 * MINUTE_MS;
/** The longest answer; drivers give up on devices that are slower than that. */
const DELAY_MS_MAX = 8 * SECOND_MS;

/** Trouble that strikes one frame and is over by itself. */
const ON_THE_LINE: Readonly<Record<string, Trouble>> = {
  drop_before: () => ({ kind: "drop_before" }),
  drop_after: () => ({ kind: "drop_after" }),
  garble: () => ({ kind: "garble" }),
  delay: (dice) => ({ kind: "delay", ms: 1 + dice(DELAY_MS_MAX), busy: oneIn(dice, 2) }),
  silent: (dice) => ({ kind: "silent", count: 1 + dice(12) }),
  silent_after: (dice) => ({ kind: "silent_after", count: 1 + dice(5) }),
  power_loss: (dice) => ({
    kind: "power_loss",
    when: pick(dice, ["before", "after"]),
    offMs: oneIn(dice, 3) ? 0 : dice(AWAY_MS_MAX),
  }),
  unplug: (dice) => ({
    kind: "unplug",
    when: pick(dice, ["before", "after"]),
    ms: oneIn(dice, 3) ? 0 : dice(AWAY_MS_MAX),
  }),
};

/** Trouble that lasts until a person sees to it. */
const FOR_A_PERSON: Readonly<Record<string, Trouble>> = {
  paper_low: () => ({ kind: "paper_low" }),
  paper_out: (dice) => ({ kind: "paper_out", mode: pick(dice, ["refused", "registered"]) }),
  cover_open: () => ({ kind: "cover_open" }),
};

/** One errand in so many meets trouble of each sort. */
const LINE_CHANCES = 5;
const PERSON_CHANCES = 25;
/** One errand in so many finds the gateway being restarted. */
const RESTART_CHANCES = 80;
/** Trouble strikes one of so many frames, counted from the errand's first. */
const FRAMES = 18;
/** A person comes soon, or so late that the document was given up meanwhile. */
const SOON_MS = 4 * MINUTE_MS;
const LATE_MS = 14 * MINUTE_MS;
/** The gateway is stopped so long after an errand begins, at most. */
const RESTART_WITHIN_MS = 700;

/** The bad luck of one device on one day. */
export class BadLuck {
  /** What befell, by kind. */
  readonly counts = new Map<string, number>();
  #isOver = false;

  constructor(
    private readonly shop: Shop,
    private readonly device: ShopDevice,
    private readonly dice: Dice,
  ) {}

  /** Draws what will befall the errand that is about to begin. */
  async strike(): Promise<void> {
    const { dice } = this;
    if (this.#isOver) return;
    if (oneIn(dice, LINE_CHANCES)) {
      await this.#befall(pick(dice, Object.values(ON_THE_LINE)));
    }
    if (oneIn(dice, PERSON_CHANCES)) {
      await this.#befall(pick(dice, Object.values(FOR_A_PERSON)));
      this.#later(dice(oneIn(dice, 4) ? LATE_MS : SOON_MS), () => this.device.mend());
    }
    if (oneIn(dice, RESTART_CHANCES)) {
      this.#count("gateway_restart");
      this.#later(dice(RESTART_WITHIN_MS), () => this.shop.restart());
    }
  }

  /** Nothing befalls any more, and what still waits to is called off. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.device.mend();
  }

  async #befall(trouble: Trouble): Promise<void> {
    const fault = trouble(this.dice);
    this.#count(String(fault.kind));
    await this.device.fault({ ...fault, at: 1 + this.dice(FRAMES) });
  }

  #later(ms: number, what: () => Promise<void>): void {
    const { time } = this.shop;
    time.clock.setTimer(ms, () => {
      if (!this.#isOver) time.inBackground(what());
    });
  }

  #count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }
}
