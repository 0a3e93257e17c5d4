import { describe, expect, test } from "bun:test";
import { DOUBTS } from "#core/command/doubt.ts";
import type { DeviceInfo } from "#core/device/device.ts";
import { FINE_STATUS } from "#core/device/testing/fine-status.ts";
import type { DriverCommand, Resolution } from "#core/driver.ts";
import { rejection } from "#src/platform/testing/rejection.ts";
import { RecordedProgress } from "../testing/fake-environment.ts";
import { byType, type CommandOn } from "./command.ts";
import { KeptFacts } from "./kept-facts.ts";
import type { SlipOnDevice } from "./left-slip.ts";
import { TableSession } from "./table-session.ts";

interface Device {
  readonly facts: { readonly info: DeviceInfo };
  readonly kept: KeptFacts<undefined>;
}

const INFO = {
  serialNumber: "DT577430",
  firmwareVersion: null,
  fiscalMemorySerialNumber: null,
  manufacturer: null,
  model: null,
};
const CASH_IN: CommandOn<Device> = {
  type: "cash_in",
  execute: async ({ progress }) => {
    await progress.mark("baseline", { sumMinor: 5 });
    return { data: { cashBalance: null } };
  },
  resolve: async () => ({ outcome: "not_printed", reason: "read" }),
};
const PRINT_RECEIPT: CommandOn<Device> = {
  type: "print_receipt",
  execute: () => Promise.reject(new RangeError("not printed here")),
  resolve: () => Promise.reject(new RangeError("not asked for here")),
};
const OPEN_DRAWER: CommandOn<Device> = {
  type: "open_drawer",
  execute: async () => ({ data: {} }),
};

const NO_SLIP: SlipOnDevice = {
  environment: { log() {} },
  readOpen: async () => undefined,
  close: () => Promise.reject(new RangeError("none is open")),
};

const kept = new KeptFacts<undefined>({ now: () => 0 });

const session = new TableSession<Device>({
  device: { facts: { info: INFO }, kept },
  commands: byType([CASH_IN, PRINT_RECEIPT, OPEN_DRAWER]),
  family: "protocol P",
  readStatus: async () => FINE_STATUS,
  slip: NO_SLIP,
  close() {},
});

function commandOf(type: DriverCommand["type"]): DriverCommand {
  return { id: "cmd_1", type, payload: {}, original: undefined };
}

describe("a session", () => {
  test("stores with each baseline which device it was read of", async () => {
    const progress = new RecordedProgress();
    await session.execute(commandOf("cash_in"), progress);
    expect(progress.baseline).toEqual({ sumMinor: 5, serialNumber: "DT577430" });
  });

  test("has no command types but those of the table", async () => {
    const run = session.execute(commandOf("z_report"), new RecordedProgress());
    expect(await rejection(run)).toMatchObject({
      code: "E201",
      message: "z_report is not supported by devices of protocol P",
    });
  });

  test("asks the device of a command in doubt only when it is the same device", async () => {
    const evidence = { mark: "committing", baseline: { serialNumber: "DT577430" } } as const;
    expect(await session.resolve(commandOf("cash_in"), evidence)).toMatchObject({ reason: "read" });
  });

  const NOT_SENT: Resolution = {
    outcome: "not_printed",
    reason: "The device was exchanged before any of it was sent",
  };
  const UNKNOWN: Resolution = { outcome: "unknown", doubt: DOUBTS.otherDevice() };
  test.each([
    ["a document without lines", "print_receipt", { mark: "baseline" }, NOT_SENT],
    // The mark that came before the first line may be lost with the process.
    ["one that may have lines", "print_receipt", { mark: "baseline", mayBeFurther: true }, UNKNOWN],
    ["one with lines", "print_receipt", { mark: "opened" }, UNKNOWN],
    ["cash that was not sent", "cash_in", { mark: "baseline", mayBeFurther: true }, NOT_SENT],
    ["cash that may have been", "cash_in", { mark: "committing" }, UNKNOWN],
  ] as const)("leaves a device alone that was put in place of it: %s", async (_, type, ...told) => {
    const [progress, verdict] = told;
    const evidence = { ...progress, baseline: { serialNumber: "DT000001" } };
    expect(await session.resolve(commandOf(type), evidence)).toEqual(verdict);
  });

  test("tells with the state the number of the last Z report, where it is known", async () => {
    expect(await session.readStatus()).toEqual(FINE_STATUS);
    kept.noteZNumber(7);
    expect(await session.readStatus()).toEqual({ ...FINE_STATUS, lastZNumber: 7 });
  });

  test("tells nothing of a device as it came", async () => {
    const ESC = "\u001b[2J";
    const hostile = new TableSession<Device>({
      device: {
        facts: { info: { ...INFO, model: `${ESC}M20`, firmwareVersion: "v".repeat(999) } },
        kept: new KeptFacts({ now: () => 0 }),
      },
      commands: byType<CommandOn<Device>>([
        {
          type: "get_operators",
          execute: async () => ({
            data: { operators: [{ operatorId: 1, name: `Ana${ESC}\n\u202eX` }] },
            fiscalId: `12\u0000`,
          }),
        },
      ]),
      family: "protocol P",
      readStatus: () => Promise.reject(new RangeError("not asked for here")),
      slip: NO_SLIP,
      close() {},
    });
    expect(hostile.info).toMatchObject({ model: "[2JM20", firmwareVersion: "v".repeat(255) });
    expect(await hostile.execute(commandOf("get_operators"), new RecordedProgress())).toEqual({
      data: { operators: [{ operatorId: 1, name: "Ana [2J X" }] },
      fiscalId: "12",
    });
  });

  test("cannot tell of a command that nothing on the device proves", async () => {
    const evidence = { mark: "committing", baseline: { serialNumber: "DT577430" } } as const;
    expect(await session.resolve(commandOf("open_drawer"), evidence)).toEqual({
      outcome: "unknown",
      doubt: {
        ...{ code: "not_told", params: {} },
        text: "The device does not tell what became of open_drawer",
      },
    });
  });
});
