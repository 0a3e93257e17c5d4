/**
 * A line that stalls while a Z report or cash movement is on it, as over a wireless network, through a
 * serial server or on a machine that is busy: the answer comes late, is taken, and nobody is asked.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Mark } from "#core/command/marks.ts";
import type { Line } from "#core/driver.ts";
import { DocumentInDoubt } from "#core/errors.ts";
import { LIVE_Z_REPORT_WAIT_MS } from "#core/limits.ts";
import { EVERY_MODEL, isMute } from "./testing/every-model.ts";
import { RecordedProgress } from "./testing/fake-environment.ts";
import { SimulatedDevice } from "./testing/simulated-device.ts";
import { cashByHand, ENTRY_KINDS } from "./testing/struck-entry.ts";

/** In the drawer at first, for all withdrawals. */
const FLOAT_MINOR = 1_000_000;
const DAY_MINOR = 500;
/** Longer than a device is asked in vain, where what it is sent may be sent again. */
const STALL_MS = 5_000;
/** Longer than a command may take where nothing is heard of it. */
const WORKING_MS = 25_000;
/** What it takes to connect anew and ask what became of a Z report. */
const INQUIRY_MS = 20_000;

/** Which way nothing passes for a while. */
const WAYS = [
  { way: "what the device says", holdsRequests: false },
  { way: "both ways", holdsRequests: true },
] as const;

interface Stall {
  readonly holdsRequests: boolean;
  readonly isForGood?: boolean;
}

/** The network of a device: once it is told to, it stalls at the next frame, for a while or for good. */
class StallingNetwork {
  readonly #wait: (ms: number, callback: () => void) => void;
  readonly #kept: (() => void)[] = [];
  #holdsRequests = false;
  #isForGood = false;
  #state: "passes" | "will stall" | "stalls" = "passes";

  constructor(wait: (ms: number, callback: () => void) => void) {
    this.#wait = wait;
  }

  stallAtFrame({ holdsRequests, isForGood = false }: Stall): void {
    this.#holdsRequests = holdsRequests;
    this.#isForGood = isForGood;
    this.#state = "will stall";
  }

  /** A line that leads through it. */
  over(line: Line): Line {
    return {
      write: (bytes) => {
        // A single byte only asks whether somebody is there.
        if (this.#state === "will stall" && bytes.length > 1) this.#stall();
        const copy = bytes.slice();
        this.#pass(() => line.write(copy), this.#holdsRequests);
      },
      listen: ({ data, closed }) =>
        line.listen({ data: (chunk) => this.#pass(() => data(chunk), true), closed }),
      close: () => line.close(),
    };
  }

  #stall(): void {
    this.#state = "stalls";
    if (this.#isForGood) return;
    this.#wait(STALL_MS, () => {
      this.#state = "passes";
      for (const send of this.#kept.splice(0)) send();
    });
  }

  #pass(send: () => void, isHeld: boolean): void {
    if (isHeld && this.#state === "stalls") this.#kept.push(send);
    else send();
  }
}

/** Strikes behind the mark of what is made by its one next frame. */
class StruckProgress extends RecordedProgress {
  readonly #strike: () => void;

  constructor(strike: () => void) {
    super();
    this.#strike = strike;
  }

  override async mark(...[reached, baseline]: Parameters<RecordedProgress["mark"]>): Promise<void> {
    const isFirst = !this.marks.includes(reached);
    await super.mark(reached, baseline);
    if (isFirst && reached === ("committing" satisfies Mark)) this.#strike();
  }
}

for (const kind of EVERY_MODEL.filter((one) => !isMute(one))) {
  describe(`on a device of ${kind.driver}, ${kind.model}`, () => {
    let device: SimulatedDevice;
    const network = new StallingNetwork((...timer) => device.environment().setTimer(...timer));
    beforeAll(async () => {
      device = await SimulatedDevice.start({ ...kind, over: (line) => network.over(line) });
      await device.fault(cashByHand("before", FLOAT_MINOR));
    });
    afterAll(() => device.stop());

    for (const { way, holdsRequests } of WAYS) {
      test.each(ENTRY_KINDS)(`a $type is told as made when ${way} comes late`, async (entry) => {
        // A day without anything may have nothing to close.
        await device.fault(cashByHand("before", DAY_MINOR));
        const progress = new StruckProgress(() => network.stallAtFrame({ holdsRequests }));
        const before = device.state();
        const { type, payload, stepMinor } = entry;
        const session = await device.connect();
        const command = { id: "cmd_1", type, payload, original: undefined };
        const told = await session.execute(command, progress);
        const { cash, zNumber } = device.state();
        const made = stepMinor === 0 ? zNumber - before.zNumber : (cash - before.cash) / stepMinor;
        expect(made).toBe(1);
        if (type === "z_report") expect(told.data).toMatchObject({ reportNumber: zNumber });
        // What came late, maybe more than once, is no answer to the next question.
        expect(await session.readStatus()).toMatchObject({ errors: [] });
        session.close();
      });
    }

    // A CUSTOM device has no word for it: its profile says how long it is waited for.
    if (kind.driver !== "custom.serial") {
      test("cash is told as moved when that takes the device long, and it says so", async () => {
        const strike = () => device.fault({ kind: "delay", ms: WORKING_MS, busy: true });
        const progress = new StruckProgress(() => void strike());
        const { cash } = device.state();
        const told = await device.run({ type: "cash_in", payload: { amount: 5 }, progress });
        expect(told).toMatchObject({ outcome: "printed", recovered: false });
        expect(device.state().cash).toBe(cash + DAY_MINOR);
      });
    }

    test("a Z report is in doubt while somebody waits for it, where the device dies behind it", async () => {
      await device.fault(cashByHand("before", DAY_MINOR));
      let struckAt = 0;
      const progress = new StruckProgress(() => {
        struckAt = device.time.now();
        network.stallAtFrame({ holdsRequests: true, isForGood: true });
      });
      const session = await device.connect();
      const command = { id: "cmd_1", type: "z_report", payload: {}, original: undefined } as const;
      const told = await session.execute(command, progress).catch((error: unknown) => error);
      expect(told).toBeInstanceOf(DocumentInDoubt);
      expect(device.time.now() - struckAt).toBeLessThan(LIVE_Z_REPORT_WAIT_MS - INQUIRY_MS);
      session.close();
    });
  });
}
