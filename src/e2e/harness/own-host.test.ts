import { expect, test } from "bun:test";
import { ownPlace } from "./own-host.ts";

test("no two places have one port, though their hosts differ", () => {
  const places = Array.from({ length: 2_000 }, ownPlace);
  expect(new Set(places.map(({ port }) => port)).size).toBe(places.length);
  for (const { host, port } of places) {
    expect(host).toStartWith("127.");
    expect(port).toBeLessThan(32_768);
  }
});
