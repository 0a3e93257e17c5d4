import { expect, test } from "bun:test";
import { SAMPLE_FILE, sampleReceipt } from "./sample-receipt.ts";

test("the receipt that the documentation shows is the one that is printed today", async () => {
  // When it has changed on purpose: bun scripts/sample-receipt.ts
  expect(await sampleReceipt()).toBe(await Bun.file(SAMPLE_FILE).text());
});
