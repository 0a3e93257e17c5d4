/** The file that keeps a second gateway away is removed: one gateway is left all the same. */

import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rejection } from "../platform/testing/rejection.ts";
import { boxForEachTest } from "./harness/box-for-each-test.ts";
import { startGateway } from "./harness/gateway.ts";

const box = boxForEachTest();

const start = async () => box.keep(await startGateway(box.stateDir));
const inState = (name: string): string => join(box.stateDir, name);
const textOf = (name: string): string => readFileSync(inState(name), "utf8").trim();

test("the gateway whose lock file was removed ends, and the second one goes on", async () => {
  const first = await start();
  rmSync(inState("fiscald.lock"));
  const second = await start();
  expect(await first.exited).toBe(3);
  expect(first.output()).toContain("fiscald.lock was removed");
  expect((await fetch(`${second.url}/ready`)).status).toBe(200);
  // What the first one leaves behind is the second one's.
  expect([textOf("fiscald.pid"), textOf("fiscald.url")]).toEqual([`${second.pid}`, second.url]);
  expect((await rejection(start())).message).toContain(`process ${second.pid}`);
  expect(await second.stop()).toBe(0);
});

test("so does one that is alone, and the next start goes on", async () => {
  const first = await start();
  rmSync(inState("fiscald.lock"));
  writeFileSync(inState("fiscald.lock"), "");
  expect(await first.exited).toBe(3);
  expect((await fetch(`${(await start()).url}/ready`)).status).toBe(200);
});
