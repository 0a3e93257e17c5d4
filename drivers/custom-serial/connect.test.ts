/** Which profile drives a device, and what is no device of this protocol at all. */

import { describe, expect, test } from "bun:test";
import { FakeEnvironment, RecordedProgress } from "../testing/fake-environment.ts";
import { type MemoryLine, memoryLinePair } from "../transport/memory.ts";
import { ACK, encodeFrame, FrameDecoder } from "./frame.ts";
import { customDriver } from "./index.ts";
import { ProfileSet } from "./profile-set.ts";

const GEN3_ANSWERS: Readonly<Record<string, string>> = {
  "1016": "000",
  "1012": "0",
  "1013": "Q3X-F RT REL. 6.00",
  "1008": "7200012345",
  "1020": "01",
  "1104": "00070001",
  "1001": "1503241305",
  "1017": "1503241300000600000010010",
  "1209": "000000",
  "1010": "00000010000",
};

/** A device that answers each command by its first four digits, or refuses it, and all others. */
function answering(device: MemoryLine, answers: Readonly<Record<string, string>>): string[] {
  const asked: string[] = [];
  const decoder = new FrameDecoder();
  device.listen({
    data(chunk) {
      for (const event of decoder.push(chunk)) {
        if (event.kind !== "frame") continue;
        asked.push(event.body);
        const code = event.body.slice(0, 4);
        const answer = answers[code];
        const isRefusal = answer?.startsWith("ERR");
        const body = answer === undefined ? "ERR01" : isRefusal ? answer : code + answer;
        device.write(Uint8Array.of(ACK, ...encodeFrame({ counter: event.counter, body })));
      }
    },
    closed() {},
  });
  return asked;
}

interface Scene {
  readonly answers?: Readonly<Record<string, string>>;
  readonly files?: readonly unknown[];
  readonly profile?: string;
}

async function connect({ answers = GEN3_ANSWERS, files = [], profile }: Scene) {
  const [host, device] = memoryLinePair();
  const asked = answering(device, answers);
  const environment = new FakeEnvironment({ timezone: "Europe/Rome" });
  const sources = files.map((value, index) => ({ source: `${index}.json`, value }));
  const driver = customDriver(ProfileSet.of(sources));
  const named = profile === undefined ? environment : Object.assign(environment, { profile });
  const connecting = driver.connect(host, named).then(
    (session) => ({ session, error: undefined }),
    (error: { code: string; message: string }) => ({ session: undefined, error }),
  );
  await environment.advance(120_000);
  const { session, error } = await connecting;
  const identified = environment.logged.find(({ sentence }) => sentence === "device identified");
  const { profile: used } = Object(identified?.fields) as { profile?: string };
  return { session, error, used, asked, environment };
}

describe("a device", () => {
  test("tells what it is, and is driven by the profile of its model", async () => {
    const { session, used, asked } = await connect({});
    expect(session?.info).toEqual({
      serialNumber: "7200012345",
      firmwareVersion: null,
      fiscalMemorySerialNumber: "7200012345",
      manufacturer: "Custom",
      model: "Q3X-F RT REL. 6.00",
      charsPerLine: 32,
      reversalTenders: ["cash", "card", "check", "coupons"],
    });
    expect(used).toBe("custom-rt-gen3");
    // Nothing but questions was sent, the first of them to bring the counters in step.
    expect(asked).toEqual(["1016", "1013", "1008", "1020", "1104", "1001"]);
  });

  test("is driven by the user's profile for its model before ours", async () => {
    const files = [{ id: "mine", extends: "custom-rt-gen3", models: ["Q3X-F RT"] }];
    expect((await connect({ files })).used).toBe("mine");
  });

  test("is driven by the profile that it was registered with, whatever its model", async () => {
    const files = [{ id: "mine", extends: "custom-rt-gen3", models: ["Q3X-F RT"] }];
    expect((await connect({ files, profile: "custom-rt-gen2" })).used).toBe("custom-rt-gen2");
  });

  test("of an unknown model is driven by what it can tell, and the log says so", async () => {
    const newer = { ...GEN3_ANSWERS, "1013": "SOMETHING NEW" };
    const { used, environment } = await connect({ answers: newer });
    expect(used).toBe("custom-rt-gen3");
    expect(environment.logged.some(({ level }) => level === "warn")).toBe(true);
    const older = Object.fromEntries(Object.entries(newer).filter(([code]) => code !== "1017"));
    expect((await connect({ answers: older })).used).toBe("custom-rt-gen2");
    // One that refuses by its state has the command.
    expect((await connect({ answers: { ...newer, "1017": "ERR21" } })).used).toBe("custom-rt-gen3");
  });

  test("is not reached with a profile that is missing or faulty, and the reason is told", async () => {
    const missing = await connect({ profile: "nobody" });
    expect(missing.error).toMatchObject({ code: "E201", message: "There is no profile nobody" });
    const files = [{ id: "mine", extends: "custom-rt-gen3", colour: "red" }];
    const faulty = await connect({ files, profile: "mine" });
    expect(faulty.error).toMatchObject({
      code: "E201",
      message: "The profile mine (0.json) is faulty: colour: Unexpected property",
    });
    expect([...missing.asked, ...faulty.asked]).toEqual([]);
  });

  test.each([
    ["that is silent", undefined, "E101"],
    ["that refuses every frame", Uint8Array.of(0x15), "E101"],
    ["that answers with noise", Uint8Array.of(0xff, 0x00, 0x41), "E101"],
    ["that speaks another protocol", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"), "E200"],
  ])("%s is told so", async (_, answer, code) => {
    const [host, other] = memoryLinePair();
    const environment = new FakeEnvironment();
    const connecting = customDriver().connect(host, environment);
    const outcome = connecting.catch((error: { code: string }) => error.code);
    other.listen({ data: () => answer && other.write(answer), closed() {} });
    await environment.advance(60_000);
    expect(await outcome).toBe(code);
  });

  test("that does not say what it is is tried again", async () => {
    expect((await connect({ answers: { "1016": "000" } })).error?.code).toBe("E902");
  });
});

describe("the serial port of a device", () => {
  test("has the settings of its profile, 19200 7O1 first where none is named", () => {
    const driver = customDriver();
    const [first, ...others] = driver.serialSettings?.() ?? [];
    expect(first).toMatchObject({ baudRate: 19_200, dataBits: 7, parity: "odd", stopBits: 1 });
    expect(others).toContainEqual(expect.objectContaining({ baudRate: 9_600, dataBits: 8 }));
    expect(driver.serialSettings?.("custom-xonxoff")).toEqual([
      { baudRate: 9_600, dataBits: 8, parity: "none", stopBits: 1, flow: "xonxoff" },
    ]);
  });
});

/** The last document is no fiscal one. */
const NONE = { "1017": "1503241300000000000000000" };

describe("a device that tells nothing of its last receipt", () => {
  test.each([
    ["refuses to as it stands", { "1017": "ERR21", "1003": "ERR21" }, "E301"],
    ["refuses one question as it stands, and lacks the other", { "1017": "ERR16" }, "E306"],
    [
      "has printed no receipt, and refuses the other as it stands",
      { ...NONE, "1003": "ERR21" },
      "E301",
    ],
    ["has printed no receipt, and always refuses the other", { ...NONE, "1003": "ERR05" }, "E201"],
    ["refuses both questions, whatever its state", { "1017": "ERR05", "1003": "ERR05" }, "E201"],
    ["lacks both questions", {}, "E201"],
  ])("%s", async (_, told, code) => {
    const { "1017": _told, ...silent } = GEN3_ANSWERS;
    const { session, environment } = await connect({ answers: { ...silent, ...told } });
    if (session === undefined) throw new Error("not connected");
    const question = { id: "cmd_1", type: "get_last_receipt_info", payload: {} } as const;
    const asking = session
      .execute({ ...question, original: undefined }, new RecordedProgress())
      .catch((error: { code: string }) => error.code);
    await environment.advance(60_000);
    expect<unknown>(await asking).toBe(code);
  });
});
