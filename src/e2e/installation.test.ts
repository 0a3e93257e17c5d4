/** Which installation a gateway is, as it tells controllers: results are owed to that one alone. */

import { expect, test } from "bun:test";
import { ScriptedController } from "../modules/controllers/testing/scripted-controller.ts";
import type { World } from "./harness/world.ts";
import { copyState, meanwhile, putStateBack } from "./outages/restored.ts";
import { inWorld } from "./outages/scene.ts";

async function installationOf({ gateway, till }: World): Promise<string | undefined> {
  const { credential = "" } = till;
  const app = await ScriptedController.connect(gateway.url, { credential });
  app.close();
  return app.welcome.installationId;
}

test("it is the same at each start, and another one behind a copy that was put back", () =>
  inWorld({}, async (world) => {
    const first = await installationOf(world);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    await meanwhile(world, copyState(world));
    expect(await installationOf(world)).toBe(first);
    for (let start = 0; start < 2; start += 1) await meanwhile(world, async () => undefined);
    expect(await installationOf(world)).toBe(first);
    await meanwhile(world, putStateBack(world));
    const restored = await installationOf(world);
    expect(restored).toMatch(/^[0-9a-f]{32}$/);
    expect(restored).not.toBe(first);
    await meanwhile(world, async () => undefined);
    expect(await installationOf(world)).toBe(restored);
  }));
