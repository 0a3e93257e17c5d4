/**
 * A serial server may take the frame of a Z report or cash movement, lose its connection, and pass
 * on the first question of the next one before that frame. Every verdict is read behind more than
 * one answer, so what the frame does is counted by then.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Mark } from "#core/command/marks.ts";
import type { DriverCommand, DriverSession, Line } from "#core/driver.ts";
import { isLineFault } from "#core/errors.ts";
import { findDriver } from "./registry.ts";
import { EVERY_MODEL, isMute } from "./testing/every-model.ts";
import { RecordedProgress } from "./testing/fake-environment.ts";
import { SimulatedDevice } from "./testing/simulated-device.ts";
import { cashByHand, ENTRY_KINDS } from "./testing/struck-entry.ts";

/** In the drawer at first, for all withdrawals. */
const FLOAT_MINOR = 1_000_000;

/** Lines that a resolution may need. */
const LINES_MAX = 3;

/** Tells when the frame that makes the entry is about to go out. */
class ToldProgress extends RecordedProgress {
  constructor(private readonly committing: () => void) {
    super();
  }

  override async mark(...[mark, baseline]: Parameters<RecordedProgress["mark"]>): Promise<void> {
    await super.mark(mark, baseline);
    if (mark === ("committing" satisfies Mark)) this.committing();
  }
}

/** A serial server that keeps back what comes over a line once it is told to. */
class SlowServer {
  readonly #old: Line;
  #isKeeping = false;
  #kept: Uint8Array[] = [];

  constructor(old: Line) {
    this.#old = old;
  }

  /** The line that is kept back; the server still has its bytes when it ends. */
  get oldLine(): Line {
    return {
      write: (bytes) => {
        if (this.#isKeeping) this.#kept.push(bytes.slice());
        else this.#old.write(bytes);
      },
      listen: (listener) => this.#old.listen(listener),
      close() {},
    };
  }

  keep(): void {
    this.#isKeeping = true;
  }

  /** A line of which the first question is passed on before what was kept back. */
  newLine(line: Line): Line {
    return {
      write: (bytes) => {
        line.write(bytes);
        for (const kept of this.#kept.splice(0)) this.#old.write(kept);
      },
      listen: (listener) => line.listen(listener),
      close: () => line.close(),
    };
  }
}

for (const kind of EVERY_MODEL.filter((one) => !isMute(one))) {
  describe(`on a device of ${kind.driver}, ${kind.model}`, () => {
    let device: SimulatedDevice;
    beforeAll(async () => {
      device = await SimulatedDevice.start(kind);
      await device.fault(cashByHand("before", FLOAT_MINOR));
    });
    afterAll(() => device.stop());

    const connect = async (line: Line): Promise<DriverSession> => {
      const driver = findDriver(kind.driver);
      if (!driver) throw new RangeError(`no driver ${kind.driver}`);
      return device.time.run(driver.connect(line, device.environment()));
    };

    /** Asks as the controller does: a line fault is followed by the next line. */
    const resolve = async (server: SlowServer, command: DriverCommand, told: RecordedProgress) => {
      for (let attempt = 1; ; attempt += 1) {
        const line = server.newLine(await device.openLine());
        try {
          const session = await connect(line);
          const keep = async () => undefined;
          return await device.time.run(session.resolve(command, told.evidence(), keep));
        } catch (fault) {
          if (!isLineFault(fault) || attempt === LINES_MAX) throw fault;
        } finally {
          line.close();
        }
      }
    };

    test.each(ENTRY_KINDS)(
      "a $type that comes behind the first question of the next line is not told as not made",
      async ({ type, payload }) => {
        const server = new SlowServer(await device.openLine());
        const progress = new ToldProgress(() => server.keep());
        const command: DriverCommand = { id: "cmd_1", type, payload, original: undefined };
        const first = await connect(server.oldLine);
        const { cash, zNumber } = device.books();
        await device.time.run(first.execute(command, progress)).catch(() => undefined);
        first.close();
        expect(progress.marks.at(-1)).toBe("committing");

        const told = await resolve(server, command, progress);
        const after = device.books();
        const isMade = after.cash !== cash || after.zNumber !== zNumber;
        expect({ isMade, outcome: told.outcome }).not.toEqual({
          isMade: true,
          outcome: "not_printed",
        });
      },
    );
  });
}
