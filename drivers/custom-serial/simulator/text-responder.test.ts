import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Rig } from "./testing/host.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await Rig.start("xonxoff");
});
afterEach(() => rig.end());

/** Sends text, and waits until the device has carried out so many commands of it. */
async function send(text: string, commands: number): Promise<void> {
  const frames = rig.books().frames + commands;
  const endsAt = performance.now() + 5_000;
  rig.host.send(text);
  while (rig.books().frames < frames) {
    if (performance.now() > endsAt) throw new Error("the device did not hear everything");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("the text language", () => {
  test("sells, pays and closes without a word", async () => {
    await send('"BREAD"2*750H3R"MILK"120H1R=1000H1T', 4);
    await send("\r\n620H3T", 1);
    expect(rig.books().receipts).toMatchObject([
      {
        total: 1_620,
        items: [
          { name: "BREAD", price: 750, quantity: 2_000 },
          { name: "MILK", price: 120, quantity: 1_000 },
        ],
        payments: [
          { method: "cash", amount: 1_000 },
          { method: "card", amount: 620 },
        ],
      },
    ]);
    expect(rig.host.pending).toBe("");
  });

  test("takes words apart wherever they are cut", async () => {
    for (const letter of '"A B"1.5*200H1R1T') rig.host.send(letter);
    await send("", 2);
    expect(rig.books().receipts).toMatchObject([{ total: 300, items: [{ name: "A B" }] }]);
  });

  test("changes lines by amount and percent, and takes the last one back", async () => {
    await send("1000H1R10.001M1000H1R100H3M1000H1R50H7M1000H1R0M1T", 9);
    expect(rig.books().receipts).toMatchObject([{ total: 2_850 }]);
  });

  test("cancels, moves cash, reports and prints texts", async () => {
    await send("1000H1Rk", 2);
    await send('5000H10M2000H11Mj"Hello"@J1f1F', 7);
    expect(rig.books()).toMatchObject({ cash: 3_000, zNumber: 1, cancelled: [{ total: 1_000 }] });
    expect(await rig.paper()).toContain("Hello");
  });

  test("returns what an earlier receipt sold", async () => {
    await send("1000H1R1T", 2);
    await send('"0001-0001-15-03-24-7200067890"104M1000H1R1T', 3);
    expect(rig.books().receipts).toMatchObject([
      { kind: "sale" },
      { kind: "storno", total: 1_000 },
    ]);
  });

  test("passes over what it does not know or does not do", async () => {
    await send("1T7Q9R1000H1R", 4);
    expect(rig.books().openDocument).toMatchObject({ total: 1_000 });
    expect(rig.host.pending).toBe("");
  });

  test("keeps no more of an endless text than it can use", async () => {
    await send(`"${"x".repeat(1_000_000)}"100H1R`, 1);
    expect(rig.books().openDocument).toBeNull();
  });
});
