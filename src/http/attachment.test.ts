import { expect, test } from "bun:test";
import { rejection } from "../platform/testing/rejection.ts";
import { attachment } from "./attachment.ts";

const CHUNK = "x".repeat(65_536);

/** A file of chunks, which tells how many were asked for and whether it was ended. */
function file(chunks: number, { fault, method = "GET" }: { fault?: Error; method?: string } = {}) {
  const seen = { asked: 0, ended: false, faults: [] as unknown[] };
  async function* parts(): AsyncGenerator<string, void> {
    try {
      for (; seen.asked < chunks; ) {
        seen.asked += 1;
        yield CHUNK;
      }
      if (fault) throw fault;
    } finally {
      seen.ended = true;
    }
  }
  const answer = attachment(new Request("http://localhost/a.txt", { method }), {
    ...{ contentType: "text/plain", fileName: "a.txt", parts: parts() },
    onFault: (error) => seen.faults.push(error),
  });
  return { seen, answer };
}

test("a file is sent whole", async () => {
  const { seen, answer } = file(3);
  expect((await answer.text()).length).toBe(3 * CHUNK.length);
  expect(seen).toEqual({ asked: 3, ended: true, faults: [] });
});

test("an empty file is sent", async () => {
  expect(await file(0).answer.text()).toBe("");
});

test("a file is made no faster than it is read, and no further once nobody reads", async () => {
  const { seen, answer } = file(1_000);
  const reader = answer.body?.getReader();
  await reader?.read();
  // The next chunk waits for the reader; none after it is made.
  expect(seen.asked).toBeLessThanOrEqual(3);
  await reader?.cancel();
  expect(seen.ended).toBe(true);
  expect(seen.asked).toBeLessThanOrEqual(3);
});

test("nothing of a file is made for who asks for its head", async () => {
  const { seen, answer } = file(1_000, { method: "HEAD" });
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="a.txt"');
  // As the router does, for the length.
  expect(await answer.text()).toBe("");
  expect(seen.asked).toBe(0);
});

test("a file that breaks off ends its answer in a fault, which is told", async () => {
  const fault = new Error("disk");
  const { seen, answer } = file(2, { fault });
  expect((await rejection(answer.text())).message).toContain("disk");
  expect(seen.faults).toEqual([fault]);
});
