import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchDevice } from "./index.ts";
import { watchArrival } from "./serial-arrival.ts";

let root: string;
let path: string;
const ends: (() => void)[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "fiscald-arrival-"));
  path = join(root, "serial/by-id/printer");
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  rmSync(root, { recursive: true });
});

/** Resolves when the port is there. */
function arrival(): { arrived: Promise<void>; calls: () => number } {
  let calls = 0;
  const arrived = new Promise<void>((resolve) => {
    ends.push(
      watchArrival(path, () => {
        calls += 1;
        resolve();
      }),
    );
  });
  return { arrived, calls: () => calls };
}

describe("the arrival of a port", () => {
  test("is told when its name appears", async () => {
    mkdirSync(join(root, "serial/by-id"), { recursive: true });
    const { arrived } = arrival();
    writeFileSync(join(root, "serial/by-id/another"), "");
    symlinkSync("/dev/null", path);
    await arrived;
  });

  test("is told when the folders above it appear with it", async () => {
    const { arrived } = arrival();
    mkdirSync(join(root, "serial"));
    mkdirSync(join(root, "serial/by-id"));
    symlinkSync("/dev/null", path);
    await arrived;
  });

  test("is told after its folders went and came", async () => {
    mkdirSync(join(root, "serial/by-id"), { recursive: true });
    const { arrived } = arrival();
    rmSync(join(root, "serial"), { recursive: true });
    mkdirSync(join(root, "serial/by-id"), { recursive: true });
    symlinkSync("/dev/null", path);
    await arrived;
  });

  test("is told once", async () => {
    mkdirSync(join(root, "serial/by-id"), { recursive: true });
    const { arrived, calls } = arrival();
    const second = arrival();
    symlinkSync("/dev/null", path);
    await Promise.all([arrived, second.arrived]);
    rmSync(path);
    const third = arrival();
    symlinkSync("/dev/null", path);
    await third.arrived;
    expect(calls()).toBe(1);
  });

  test("is not told of a port that is there: it cannot be opened for another reason", () => {
    path = "/dev/null";
    const { calls } = arrival();
    expect(calls()).toBe(0);
  });

  test("is watched for serial devices, by the path in their address", async () => {
    mkdirSync(join(root, "serial/by-id"), { recursive: true });
    const connectionParams = { address: `${path}?baud=9600` };
    const arrived = new Promise<void>((resolve) => {
      ends.push(watchDevice({ transport: "serial", connectionParams }, resolve));
    });
    symlinkSync("/dev/null", path);
    await arrived;
    const tcp = { transport: "tcp", connectionParams: { host: "h", port: 1 } } as const;
    watchDevice(tcp, () => {
      throw new Error("told of a network");
    })();
  });
});
