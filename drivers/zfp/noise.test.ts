/** Noise on the line around a command that must not be carried out twice. */
import { expect, test } from "bun:test";
import type { Mark } from "#core/command/marks.ts";
import type { Line } from "#core/driver.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { SimulatedDevice } from "../testing/simulated-device.ts";
import { cashByHand, ENTRY_KINDS } from "../testing/struck-entry.ts";

const PING = 0x09;
const STX = 0x02;

/** What noise makes of what is written behind the mark: the frame first, then the pings. */
const NOISES: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array | undefined])[] = [
  ["a ping behind it is damaged", ([first]) => (first === PING ? Uint8Array.of(STX) : undefined)],
  ["noise comes before its frame", (bytes) => Uint8Array.of(STX, ...bytes)],
];
const CASES = ENTRY_KINDS.flatMap((entry) =>
  NOISES.map(([what, damaged]) => ({ ...entry, what, damaged })),
);

test.each(CASES)(
  "$type is made once though $what",
  async ({ type, payload, stepMinor, damaged }) => {
    let isNoisy = false;
    const over = (line: Line): Line => ({
      write: (bytes) => {
        const other = isNoisy ? damaged(bytes) : undefined;
        if (other) isNoisy = false;
        line.write(other ?? bytes);
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
          isNoisy = true;
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
