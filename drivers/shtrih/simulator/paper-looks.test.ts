import { afterAll, beforeAll, expect, test } from "bun:test";
import { parseXml } from "../../simulator/testing/xml.ts";
import { SimulatedDevice } from "../../testing/simulated-device.ts";

/** Password of operator 1, then the tape that is printed on. */
const OPERATOR = "0100000001";

let device: SimulatedDevice;
beforeAll(async () => {
  device = await SimulatedDevice.start({
    driver: "vendorF.shtrih",
    model: "fr-k",
    timezone: "Europe/Moscow",
  });
});
afterAll(() => device.stop());

async function raw(command: number, dataHex: string): Promise<void> {
  const told = await device.run({ type: "raw_command", payload: { command, dataHex } });
  expect(told.success?.data).toMatchObject({ dataHex: "01" });
}

function text(line: string, bytes: number): string {
  return Buffer.from(line.padEnd(bytes, "\0"), "latin1").toString("hex");
}

test("a document shows wide lines, a bar code, and the logo with its dots in their order", async () => {
  const password = OPERATOR.slice(0, 8);
  // The lowest bit is the leftmost dot: a bar of four dots at the left, then nothing.
  await raw(0xc0, `${password}01${"0f".padEnd(80, "0")}`);
  await raw(0xe2, password);
  await raw(0x12, OPERATOR + text("WIDE", 20));
  await raw(0x17, OPERATOR + text("narrow", 40));
  const digits = Buffer.alloc(8);
  digits.writeBigUInt64LE(590_123_412_345n);
  await raw(0xc2, password + digits.subarray(0, 5).toString("hex"));
  await raw(0xe3, password);

  const elements = parseXml(await device.picture(1));
  const named = (content: string) => elements.find((element) => element.text === content);
  expect(named("WIDE")?.attributes.transform).toEndWith("scale(2 1)");
  expect(named("narrow")?.attributes.transform).toBeUndefined();
  expect(named("5901234123457")).toBeDefined();
  const [logo, bars] = elements.filter(({ name }) => name === "image");
  expect(logo?.attributes).toMatchObject({ width: "320", height: "1" });
  expect(bars?.attributes.width).toBe(String(3 * 95));
  const png = Buffer.from(logo?.attributes.href?.split(",")[1] ?? "", "base64");
  const at = png.indexOf("IDAT") + 4;
  const row = Bun.inflateSync(png.subarray(at + 2, at + png.readUInt32BE(at - 8) - 4));
  expect(Array.from(row.subarray(0, 3))).toEqual([0, 0xf0, 0]);
});

test("a receipt carries the fiscal sign", async () => {
  await device.run({
    type: "print_receipt",
    payload: {
      items: [{ name: "Хлеб", quantity: 2, price: 5, vatGroup: "VAT1" }],
      payments: [{ method: "cash", amount: 10 }],
    },
  });
  const texts = parseXml(await device.picture(2)).map((element) => element.text);
  expect(texts).toContain("ФП");
  expect(texts).toContain("Хлеб");
});
