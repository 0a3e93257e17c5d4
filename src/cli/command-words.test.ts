/** What the terminal tells of commands and their amounts, beside a gateway on a clock of its own. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { UNKNOWN } from "../modules/commands/testing/commands-bench.ts";
import { createTerminalBench, type TerminalBench } from "./testing/terminal-bench.ts";

let bench: TerminalBench;
beforeEach(async () => {
  bench = await createTerminalBench();
});
afterEach(() => bench.close());

const setCurrency = (currency: string) => bench.owner.patch("/api/v1/org", { currency });
const saleOf = (number: number) => ({
  success: true,
  fiscalId: String(number),
  data: { receiptNumber: String(number), totalAmount: 3, change: 0 },
});
const printed = async (number: number) => {
  const id = await bench.queued();
  await bench.finish(id, saleOf(number));
  return id;
};

describe("an amount", () => {
  test("keeps the currency that it was printed in, whatever the shop's is now", async () => {
    const inLei = await printed(13);
    await setCurrency("EUR");
    expect((await bench.run("status")).out).toContain("no. 13, 3.00 RON, ");
    const inEuro = await printed(14);
    await setCurrency("RON");
    expect((await bench.run("status")).out).toContain("no. 14, 3.00 EUR, ");
    expect((await bench.run("command show", inLei)).out).toContain("1 line, 3.00 RON, cash 3.00");
    expect((await bench.run("command show", inEuro)).out).toContain("1 line, 3.00 EUR, cash 3.00");
  });

  test("of what was not printed has the shop's currency of that time, or none", async () => {
    const refused = async () => {
      const id = await bench.queued();
      await bench.finish(id, { ...UNKNOWN, data: { outcome: "not_printed" } });
      bench.clock.advance(1_000);
      return id;
    };
    const first = await refused();
    expect((await bench.run("command show", first)).out).toContain("3.00 RON,");
    await setCurrency("EUR");
    const second = await refused();
    await setCurrency("RON");
    expect((await bench.run("command show", second)).out).toContain("3.00 EUR,");
    expect((await bench.run("command show", first)).out).toContain("3.00 RON,");
    // Of one that an older version accepted before the shop's first change it is told nowhere.
    bench.database.sqlite.exec("UPDATE commands SET currency = NULL");
    expect((await bench.run("command show", first)).out).toContain("1 line, 3.00, cash");
  });
});

test("the last receipt of a printer may be one that a person settled", async () => {
  await printed(20);
  bench.clock.advance(1_000);
  const id = await bench.queued();
  await bench.finish(id, UNKNOWN);
  expect((await bench.run("status")).out).toContain("no. 20, 3.00 RON");
  await bench.run("command resolve --fiscal-id 21", id, "printed");
  expect((await bench.run("status")).out).toContain("no. 21, 3.00 RON");
  const told = JSON.parse((await bench.run("status --json")).out);
  expect(told.shops[0].devices[0].lastReceipt).toMatchObject({
    ...{ commandId: id, fiscalId: "21", total: 3, currency: "RON" },
  });
});

test("the last receipt of a printer is not one of a clock that was ahead", async () => {
  bench.clock.advance(3 * 86_400_000);
  await printed(9);
  bench.clock.jumpTo(bench.clock.now() - 3 * 86_400_000);
  await printed(10);
  await printed(11);
  expect((await bench.run("status")).out).toContain("no. 11, 3.00 RON");
});

test("a cash movement is shown with its amount, and settled without a number", async () => {
  const id = await bench.queued("cash_in", { amount: 20, description: "Change" });
  await bench.marked(id, "committing");
  await bench.finish(id, UNKNOWN);
  const { out, text } = await bench.run("command show", id);
  expect(out).toContain("\nAmount        20.00 RON, Change\n");
  expect(text).toContain(
    "Progress the amount was about to be sent, so the printer may have booked",
  );
  expect(out).toMatch(new RegExp(` command resolve ${id} printed --state-dir `));
  expect(out).not.toContain("--fiscal-id");
  expect((await bench.run("command list")).out).toMatch(/ unknown {2}cash_in +20\.00 /);
  const listed = async (...filter: readonly string[]) => {
    const { out } = await bench.run("command list --json", ...filter);
    return JSON.parse(out).map((one: { id: string }) => one.id);
  };
  expect(await listed("--status", "unknown", "--type", "cash_in")).toEqual([id]);
  expect(await listed("--status", "printed")).toEqual([]);
  const numbered = await bench.run("command resolve --fiscal-id 77", id, "printed");
  expect([numbered.code, numbered.err]).toEqual([
    2,
    "fiscald: --fiscal-id is for receipts and Z reports: a cash_in has no number\n",
  ]);
  expect((await bench.run("command resolve", id, "printed")).code).toBe(0);
  expect(await listed("--status", "printed")).toEqual([id]);
  expect(await listed("--status", "not printed")).toEqual([]);
  expect(await listed("--status", "unknown")).toEqual([]);
});

test("a list takes the types that it shows, also in brief and cut", async () => {
  const id = await printed(13);
  for (const type of ["print_receipt", "receipt", "recei…"]) {
    const { out } = await bench.run("command list --type", type);
    expect([type, out]).toEqual([type, expect.stringContaining(id)]);
  }
  const several = await bench.run("command list --type", "get_header…");
  expect(several.err).toContain("It may be any of get_header_footer_capabilities, get_header_fo");
  expect((await bench.run("command list --status lost")).err).toContain("unknown, printed, not pr");
});

test("a command that timed out waits no longer", async () => {
  await bench.queued();
  const id = await bench.queued();
  expect((await bench.run("command show", id)).text).toContain("Progress it waits for its turn;");
  await bench.clock.advanceAsync(181_000);
  await bench.atRest();
  const { text } = await bench.run("command show", id);
  expect(text).toContain("Status timeout");
  expect(text).toContain("Progress its turn never came; nothing was sent");
});

test("what the printer told too late is shown, and leads from the alert to its command", async () => {
  const id = await bench.queued();
  const begun = bench.clock.now();
  await bench.clock.advanceAsync(181_000);
  await bench.finish(id, saleOf(49));
  // The terminal's token is by the machine's clock.
  bench.clock.jumpTo(begun);
  const { text } = await bench.run("command show", id);
  expect(text).toContain("Status timeout");
  expect(text).toContain("Printer says it was printed as number 49, told at ");
  const lead = new RegExp(` command show ${id} --state-dir `);
  const listed = await bench.run("alert list");
  expect([listed.err, listed.out]).toEqual(["", expect.stringMatching(lead)]);
  expect((await bench.run("status")).out).toMatch(lead);
});
