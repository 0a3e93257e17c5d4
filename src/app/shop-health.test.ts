import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../config/load-config.ts";
import { FakeClock } from "../platform/clock.ts";
import { watchUpdate } from "./shop-health.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "fiscald-health-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("an update that lies broken off is looked for now and then, however often health is asked", () => {
  const home = join(root, "usr/local/lib/fiscald");
  mkdirSync(home, { recursive: true });
  const clock = new FakeClock();
  const flags = new Map([["state.dir", join(root, "var/lib/fiscald")]] as const);
  const { config } = loadConfig({ flags, file: undefined }, { environment: {}, pid: 0 });
  const look = watchUpdate({ config, clock });
  expect(look()).toEqual({});
  writeFileSync(join(home, "under-way"), "from=1.0.0\nto=1.1.0\n");
  clock.advance(1_999);
  expect(look()).toEqual({});
  clock.advance(1);
  expect(look()).toMatchObject({ update: { status: "degraded" } });
});
