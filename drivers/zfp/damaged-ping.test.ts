/** A ping that noise damages behind a command that must not be carried out twice. */
import { expect, test } from "bun:test";
import type { Mark } from "#core/command/marks.ts";
import type { Line } from "#core/driver.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { cashByHand, ENTRY_KINDS } from "../testing/struck-entry.ts";

const PING = 0x09;
const STX = 0x02;

test.each(ENTRY_KINDS)(
  "$type is made once though a ping behind it is damaged",
  async ({ type, payload, stepMinor }) => {
    let damage = false;
    const over = (line: Line): Line => ({
      write: (bytes) => {
        if (damage && bytes.length === 1 && bytes[0] === PING) {
          damage = false;
          line.write(Uint8Array.of(STX));
        } else line.write(bytes);
      },
      listen: (listener) => line.listen(listener),
      close: () => line.close(),
    });
    const device = await SimulatedDevice.start({
      driver: "vendorE.zfp",
      model: "v1",
      timezone: "Europe/Sofia",
      over,
    });
    await device.fault(cashByHand("before", 100_000));
    const progress = new (class extends RecordedProgress {
      override async mark(
        ...[reached, baseline]: Parameters<RecordedProgress["mark"]>
      ): Promise<void> {
        const isFirst = !this.marks.includes(reached);
        await super.mark(reached, baseline);
        if (isFirst && reached === ("committing" satisfies Mark)) {
          damage = true;
          await device.fault({ kind: "delay", ms: 4_000, busy: false });
        }
      }
    })();
    const before = device.state();
    const told = await device.run({ type, payload, progress });
    const { cash, zNumber } = device.state();
    const made = stepMinor === 0 ? zNumber - before.zNumber : (cash - before.cash) / stepMinor;
    await device.stop();
    expect({ outcome: told.outcome, made }).toEqual({ outcome: "printed", made: 1 });
  },
);
