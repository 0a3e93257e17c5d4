import { expect, test } from "bun:test";
import { sampleSale } from "./sample-documents.ts";
import { SimulatedDevice, type SimulatedPort } from "./simulated-device.ts";

const SALE = sampleSale({ vatGroups: ["VAT2", "VAT1"], hasDiscount: true });
const FAULTS = [
  { kind: "silent", count: 4 },
  { kind: "garble" },
  { kind: "power_loss", when: "after", offMs: 1_500 },
];
const FRAMES = 8;

/** Prints with one fault after another. @returns what came of it and how long it took */
async function history(port: SimulatedPort) {
  const device = await SimulatedDevice.start({
    driver: "vendorA.isl",
    model: "x",
    timezone: "Europe/Sofia",
    port,
  });
  try {
    const startedAt = device.time.now();
    const lived: unknown[] = [];
    for (const fault of FAULTS) {
      for (let at = 1; at <= FRAMES; at += 1) {
        const begun = () => device.fault({ ...fault, at });
        const { outcome, error, recovered } = await device.run({ ...SALE, begun });
        await device.clear();
        const passedMs = device.time.now() - startedAt;
        const { bytesSent } = device;
        lived.push({ at, outcome, recovered, code: error?.code, passedMs, bytesSent });
      }
    }
    return { lived, books: device.books() };
  } finally {
    await device.stop();
  }
}

test("what is done to a device comes to the same each time, to the byte and millisecond", async () => {
  const [one, other, onTcp] = [
    await history("memory"),
    await history("memory"),
    await history("tcp"),
  ];
  expect(other).toEqual(one);
  expect(onTcp).toEqual(one);
  expect(one.lived.length).toBe(FAULTS.length * FRAMES);
});
