import { afterEach, expect, test } from "bun:test";
import { QueryObserver } from "@tanstack/react-query";
import { queries } from "./queries.ts";
import { readAgain } from "./recovery.ts";

const KEY = ["/api/v1/today", {}];
let leave: () => void;

afterEach(() => {
  leave();
  queries.clear();
});

/** What was read before, and is being read anew by a question that nobody answers; the next one is. */
function hangs(): void {
  let asked = 0;
  const observer = new QueryObserver<string>(queries, {
    ...{ queryKey: KEY, initialData: "as it was", staleTime: 0 },
    queryFn() {
      asked += 1;
      return asked === 1 ? new Promise<string>(() => undefined) : "as it is";
    },
  });
  leave = observer.subscribe(() => undefined);
}

test("what was being read once more when an outage began is asked again behind it", async () => {
  hangs();
  await readAgain(true);
  expect(queries.getQueryData<string>(KEY)).toBe("as it is");
});

test("behind a hiccup the answer to what is being read may still come", async () => {
  hangs();
  await readAgain(false);
  expect(queries.getQueryData<string>(KEY)).toBe("as it was");
});

test("so is what waits for a page that nobody answers", async () => {
  let asked = 0;
  const page = () => {
    asked += 1;
    return asked === 1 ? new Promise<string>(() => undefined) : "as it is";
  };
  const inner = { queryKey: ["/api/v1/receipts", { after: "" }], queryFn: page };
  const observer = new QueryObserver<string>(queries, {
    queryKey: KEY,
    queryFn: () => queries.fetchQuery(inner),
  });
  leave = observer.subscribe(() => undefined);
  await Promise.resolve();
  await readAgain(true);
  expect(queries.getQueryData<string>(KEY)).toBe("as it is");
}, 5_000);
