/** Of which routes the OpenAPI document says that they answer 404. */

import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { createCommandsBench } from "./commands/testing/commands-bench.ts";

const Operation = Type.Object({ responses: Type.Record(Type.String(), Type.Unknown()) });
const Document = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
});

test("a route answers 404 for an id that nobody has where the document says so, and nowhere else", async () => {
  const bench = await createCommandsBench();
  try {
    const { paths } = (await bench.client.get("/api/v1/openapi.json")).as(Document);
    // Some take a login alone.
    const callers = [bench.owner, bench.owner.as(await bench.makeKey(["all"]))];
    const asked: string[] = [];
    const others: string[] = [];
    for (const [path, operations] of Object.entries(paths)) {
      if (!path.includes("{")) continue;
      const unknown = path.replaceAll(/\{[^}]+\}/g, "none");
      for (const [method, { responses }] of Object.entries(operations)) {
        const options = ["get", "delete"].includes(method) ? {} : { body: {} };
        const calls = callers.map((one) => one.call(method.toUpperCase(), unknown, options));
        const statuses = (await Promise.all(calls)).map(({ status }) => status);
        asked.push(path);
        if (statuses.includes(404) !== "404" in responses) others.push(`${method} ${path}`);
      }
    }
    expect(asked.length).toBeGreaterThan(50);
    expect(others).toEqual([]);
  } finally {
    bench.close();
  }
});
