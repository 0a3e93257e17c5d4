import { beforeEach, describe, expect, test } from "bun:test";
import type { DriverSession } from "#core/driver.ts";
import type { DriverId } from "#core/driver-id.ts";
import { isLineFault } from "#core/errors.ts";
import { findDriver } from "../registry.ts";
import { FakeEnvironment } from "../testing/fake-environment.ts";
import { type MemoryLine, memoryLinePair } from "../transport/memory.ts";
import { encodeReply, type Generation, NAK, RequestDecoder, STATUS_BYTES } from "./frame.ts";

const STEP_MS = 50;

/** A device that only answers identification and refuses all else. */
function answerAs(
  line: MemoryLine,
  generation: Generation,
  { stale = 0, ...identity }: { readonly [command: number]: string; readonly stale?: number },
): void {
  const decoder = new RequestDecoder(generation);
  /** Frames whose numbers it takes for that of its last one, as another host may have sent it. */
  let repeats = stale;
  line.listen({
    data(chunk) {
      for (const event of decoder.push(chunk)) {
        if (event.kind !== "request") {
          line.write(Uint8Array.of(NAK));
          continue;
        }
        const { seq, command } = event;
        const isRepeat = repeats > 0;
        if (isRepeat) repeats -= 1;
        const data = Buffer.from(identity[command] ?? (generation === "long" ? "-112000\t" : ""));
        const status = new Uint8Array(STATUS_BYTES[generation]).fill(0x80);
        // A repeat of the last answer, which was one to another command.
        line.write(
          encodeReply(generation, { seq, command: isRepeat ? 49 : command, data, status }),
        );
      }
    },
    closed() {},
  });
}

function x(model: string, serial: string): string {
  return ["0", model, "1.00BG", "25OCT18", "1230", "FFFF", "00000000", serial, "02577430", ""].join(
    "\t",
  );
}

const KNOWN: readonly (readonly [string, Generation, Record<number, string>, string])[] = [
  ["X", "long", { 90: x("FP-700X", "DT577430") }, "DT577430"],
  ["X with a model ending in XR", "long", { 90: x("FP-700XR", "DA577430") }, "DA577430"],
  ["RO-X by its serial number", "long", { 90: x("DP-05", "DB4500002769") }, "DB4500002769"],
  [
    "RO-X by command 123 where 90 tells nothing",
    "long",
    { 123: "0\tDB4500002769\t6000594228\tSC EXEMPLU SRL\t" },
    "DB4500002769",
  ],
  ["P", "short", { 90: "FP-800,1.00BG 23NOV18 1000,FFFF,00000000,DT518315,02518315" }, "DT518315"],
  ["C", "short", { 90: "DP-25,1.00BG 23NOV18 1000,FFFF,00000000,DT636533,02636533" }, "DT636533"],
];

/** Short answers of the other makers: the driver, the answer, and what it says. */
const MAKERS: readonly (readonly [DriverId, string, readonly (string | null)[]])[] = [
  [
    "vendorB.isl",
    "CompactM ONL01-4.01BG 29-10-2018 11:34,FFFF,00,6,DY408097,36543869",
    ["DY408097", "CompactM", "ONL01-4.01BG", "36543869", "Daisy"],
  ],
  [
    "vendorB.isl",
    "eXpert SX ONL01-4.01BG 29-10-2018 11:34,FFFF,00,6,DY408097,36543869",
    ["DY408097", "eXpert SX", "ONL01-4.01BG", "36543869", "Daisy"],
  ],
  [
    "vendorB.isl",
    "ONL01-4.01BG 29-10-2018 11:34,FFFF,00,6,DY408097,36543869",
    ["DY408097", null, "ONL01-4.01BG", "36543869", "Daisy"],
  ],
  [
    "vendorC.isl",
    "A1,KL,5101.1811.0.3 16Nov18 15:00,FFFF,0000,ED311662,44311662",
    ["ED311662", "A1", "5101.1811.0.3", "44311662", "Eltrade"],
  ],
  [
    "vendorD.isl",
    "1.00 20Feb19 1000,FFFF,0000,06,IN015013,54015013,284013400000000",
    ["IN015013", null, "1.00", "54015013", "Incotex"],
  ],
];

const UNKNOWN: readonly (readonly [string, Generation, Record<number, string>])[] = [
  ["another maker's device", "short", { 90: "A1,KL1,1.0 01JAN20 1000,FFFF,0,ED123456,44123456" }],
  ["a model it does not know", "long", { 90: x("QX-1", "DT577430") }],
  ["a serial number of another form", "long", { 90: x("FP-700X", "ZZ577430") }],
];

describe("connecting", () => {
  let environment: FakeEnvironment;
  let device: MemoryLine;
  let host: MemoryLine;

  beforeEach(() => {
    environment = new FakeEnvironment();
    [host, device] = memoryLinePair();
  });

  /** Connects, letting as much time pass as it takes. */
  async function connect(
    id: DriverId = "vendorA.isl",
  ): Promise<{ session?: DriverSession; error?: { code?: string } }> {
    const outcome: { session?: DriverSession; error?: { code?: string } } = {};
    const driver = findDriver(id);
    if (!driver) throw new RangeError("no driver");
    driver.connect(host, environment).then(
      (session) => Object.assign(outcome, { session }),
      (error) => Object.assign(outcome, { error }),
    );
    for (let step = 0; step < 200 && Object.keys(outcome).length === 0; step += 1) {
      await environment.advance(STEP_MS);
    }
    return outcome;
  }

  for (const [what, generation, identity, serialNumber] of KNOWN) {
    test(`knows ${what}`, async () => {
      answerAs(device, generation, identity);
      const { session, error } = await connect();
      expect(error).toBeUndefined();
      expect(session?.info.serialNumber).toBe(serialNumber);
    });
  }

  test("tells nothing as it came of a device that says more than who it is", async () => {
    const firmware = `1.00\u001b[2J\r\n${"x".repeat(300)}`;
    answerAs(device, "long", { 90: x("FP-700X", "DT577430").replace("1.00BG", firmware) });
    const { session } = await connect();
    expect(session?.info.firmwareVersion).toBe(`1.00 [2J ${"x".repeat(246)}`);
    [host, device] = memoryLinePair();
    answerAs(device, "long", { 90: x("QX-1\u001b[2J", "DT577430") });
    const { error } = await connect();
    expect(String(error)).toContain("QX-1 [2J");
  });

  for (const [id, answer, expected] of MAKERS) {
    test(`knows ${answer} as a device of ${id}`, async () => {
      answerAs(device, "short", { 90: answer });
      const { session, error } = await connect(id);
      expect(error).toBeUndefined();
      const { serialNumber, model, firmwareVersion, fiscalMemorySerialNumber, manufacturer } =
        session?.info ?? {};
      expect([
        serialNumber,
        model,
        firmwareVersion,
        fiscalMemorySerialNumber,
        manufacturer,
      ]).toEqual([...expected]);
    });
  }

  test("refuses the devices of one maker to the drivers of the others with E200", async () => {
    for (const [id, answer] of MAKERS) {
      for (const other of ["vendorA.isl", "vendorB.isl", "vendorC.isl", "vendorD.isl"] as const) {
        if (other === id) continue;
        [host, device] = memoryLinePair();
        answerAs(device, "short", { 90: answer });
        expect((await connect(other)).error).toMatchObject({ code: "E200" });
      }
    }
  });

  for (const [what, generation, identity] of UNKNOWN) {
    test(`refuses ${what} with E200`, async () => {
      answerAs(device, generation, identity);
      expect((await connect()).error).toMatchObject({ code: "E200" });
    });
  }

  test("refuses what speaks another protocol with E200", async () => {
    device.listen({
      data: () => device.write(Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")),
      closed() {},
    });
    expect((await connect()).error).toMatchObject({ code: "E200" });
  });

  test.each([
    ["never answers", undefined],
    ["refuses every frame", Uint8Array.of(NAK)],
    ["answers with noise", Uint8Array.of(0xff, 0x00, 0x41)],
  ])("tells of a device that %s with E101, which is tried again", async (_, answer) => {
    device.listen({ data: () => answer && device.write(answer), closed() {} });
    const { error } = await connect();
    expect(error).toMatchObject({ code: "E101" });
    expect(isLineFault(error)).toBe(true);
  });

  test.each([
    ["long", "-112000\t"],
    ["short", ""],
  ] as const)(
    "tries a device of %s frames again that refuses to tell what it is",
    async (generation, refusal) => {
      answerAs(device, generation, { 90: refusal });
      const { error } = await connect();
      expect(error).toMatchObject({ code: "E902" });
      expect(isLineFault(error)).toBe(true);
    },
  );

  test("tells of a line that breaks with E102", async () => {
    device.close();
    expect((await connect()).error).toMatchObject({ code: "E102" });
  });

  test.each([
    ["long", x("FP-700X", "DT577430"), "DT577430"],
    ["short", "FP-800,1.00BG 23NOV18 1000,FFFF,00000000,DT518315,02518315", "DT518315"],
  ] as const)(
    "knows a device at once that takes the numbers of the first %s questions for its last ones",
    async (generation, answer, serial) => {
      const connectTo = async (stale: number) => {
        [host, device] = memoryLinePair();
        environment = new FakeEnvironment();
        const startedAt = environment.now();
        answerAs(device, generation, { 90: answer, stale });
        const { session } = await connect();
        return { serial: session?.info.serialNumber, tookMs: environment.now() - startedAt };
      };
      const usual = await connectTo(0);
      expect(usual.serial).toBe(serial);
      for (const stale of [1, 2, 3]) {
        expect({ stale, ...(await connectTo(stale)) }).toEqual({ stale, ...usual });
      }
    },
  );
});
