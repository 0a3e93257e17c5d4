/**
 * What a gateway leaves behind that was started, set up and stopped: done once, for as many tests as
 * begin with that. Each has all of it in a folder of its own, and changes no more than that.
 */

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Box } from "./box.ts";
import { type Registration, register, startGateway } from "./gateway.ts";

const MODE_BITS = 0o777;
/** A third of what the owner's login lasts: two thirds are left for the test. */
const KEPT_MS = 300_000;

/** A file or a folder that a gateway has left. */
interface Left {
  /** Below the folder that the state directory is in; a folder stands before what is in it. */
  readonly path: string;
  readonly mode: number;
  /** Absent of a folder. */
  readonly bytes?: Uint8Array;
}

/** All of it, and who was registered. */
interface LeftShop {
  readonly all: readonly Left[];
  readonly registration: Registration;
}

let kept: { readonly shop: Promise<LeftShop>; readonly since: number } | undefined;

/**
 * Puts a shop into an empty folder, as `state` there, with what its gateway keeps beside it.
 * @returns whom the gateway knows that is started on it
 */
export async function layShop(folder: string): Promise<Registration> {
  const now = performance.now();
  if (kept === undefined || now - kept.since > KEPT_MS) kept = { shop: setUp(), since: now };
  const { all, registration } = await kept.shop;
  for (const { path, mode, bytes } of all) {
    const place = join(folder, path);
    if (bytes === undefined) mkdirSync(place, { mode });
    else writeFileSync(place, bytes, { mode });
  }
  return registration;
}

async function setUp(): Promise<LeftShop> {
  const box = new Box();
  try {
    const gateway = box.keep(await startGateway(box.stateDir));
    const registration = await register(gateway.url);
    await gateway.stop();
    return { all: take(box.folder), registration };
  } finally {
    await box.clear();
  }
}

function take(folder: string): readonly Left[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  return names.map((path) => {
    const place = join(folder, path);
    const stats = statSync(place);
    const mode = stats.mode & MODE_BITS;
    return stats.isDirectory() ? { path, mode } : { path, mode, bytes: readFileSync(place) };
  });
}
