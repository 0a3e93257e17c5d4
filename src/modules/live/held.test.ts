/** Live routes of a device of which a person has to answer a question first. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { UNKNOWN } from "../commands/testing/commands-bench.ts";
import { createLiveBench, type LiveBench, RESULTS, rowOf } from "./testing/live-bench.ts";

/** What ends or prints something on the device. */
const HELD = [
  ...["POST void-open", "POST print-duplicate", "POST non-fiscal", "POST reversal"],
  ...["POST reports/x", "POST reports/z"],
];

let bench: LiveBench;
let asked: string;
beforeEach(async () => {
  bench = await createLiveBench();
  asked = await bench.queued();
  await bench.marked(asked, "baseline");
  await bench.marked(asked, "committing");
  await bench.finish(asked, UNKNOWN);
});
afterEach(() => bench.close());

const question = () =>
  `a person must first say whether the document of ${asked} was printed, in the portal or by ` +
  "fiscald command resolve";

test("a read goes on, anything that waits for a person is refused at once", async () => {
  const known = bench.rows().commands;
  for (const name of HELD) {
    const { refusal, body } = await bench.ask(rowOf(name));
    expect([name, refusal]).toEqual([name, "503 SERVICE_UNAVAILABLE"]);
    expect(body).toMatchObject({
      error: {
        message: `Not done: ${question()}. Nothing was queued`,
        details: {
          ...{ errorCode: "E500", outcome: "not_printed" },
          errorMessage: `The command cannot begin: ${question()}`,
        },
      },
    });
  }
  expect(bench.rows().commands).toBe(known);
  const read = await bench.answered(rowOf("GET info"), {
    success: true,
    data: RESULTS.get_info ?? {},
  });
  expect(read.status).toBe(200);
});

test("it goes on once the person has answered", async () => {
  await bench.till.post(`/api/v1/commands/${asked}/resolve`, { outcome: "not_printed" });
  const slip = await bench.answered(rowOf("POST print-duplicate"), { success: true, data: {} });
  expect(slip.status).toBe(200);
});

test("one that was waiting when the question came up is told what it waited for", async () => {
  await bench.till.post(`/api/v1/commands/${asked}/resolve`, { outcome: "not_printed" });
  await bench.atRest();
  const before = await bench.queued();
  await bench.marked(before, "baseline");
  await bench.marked(before, "committing");
  const slip = bench.ask(rowOf("POST print-duplicate"));
  await bench.atRest();
  await bench.finish(before, UNKNOWN);
  asked = before;
  await bench.clock.advanceAsync(30_000);
  const { refusal, body } = await slip;
  expect(refusal).toBe("503 SERVICE_UNAVAILABLE");
  const message = `Not done: Cancelled before it was sent: ${question()}`;
  expect(body).toMatchObject({ error: { message, details: { errorCode: "E903" } } });
});
