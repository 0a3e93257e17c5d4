import { expect, test } from "bun:test";
import type { paths } from "../../client/index.ts";
import { findHeard } from "./heard-as.ts";

type Page = paths["/api/v1/commands"]["get"]["responses"]["200"]["content"]["application/json"];

/** Requests on pages of two, the last of which may be followed by others. */
function list(keys: readonly string[], isEndless = false) {
  return async (startAfter: string | undefined): Promise<Page> => {
    const from = startAfter === undefined ? 0 : keys.indexOf(startAfter) + 1;
    const shown = keys.slice(from, from + 2);
    const commands = shown.map((key) => ({ id: `cmd_${key}`, idempotencyKey: key }));
    const hasMore = isEndless || from + 2 < keys.length;
    return { commands, hasMore, lastId: shown.at(-1) ?? "" } as unknown as Page;
  };
}

test("a wish is looked for to the end of the list", async () => {
  expect(await findHeard("e", list(["a", "b", "c", "d", "e"]))).toBe("cmd_e");
  expect(await findHeard("f", list(["a", "b", "c", "d", "e"]))).toBeNull();
});

test("nobody knows of a wish that is not among the first of a list without end", async () => {
  expect(await findHeard("c", list(["a", "b"], true))).toBeUndefined();
});
