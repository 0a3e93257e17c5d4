/** After a theft: the key that signs logins is renewed, and the former one opens nothing. */

import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabase } from "#db/connection.ts";
import { createStores } from "#db/stores/index.ts";
import { createAccessTokens } from "../modules/auth/access-tokens.ts";
import { systemClock } from "../platform/clock.ts";
import { Box } from "./harness/box.ts";
import { ApiClient, registerShop, startGateway } from "./harness/gateway.ts";
import { executable } from "./harness/program.ts";
import { runToEnd } from "./harness/run-to-end.ts";

const box = new Box();
afterAll(() => box.clear());

/** What a thief reads on the disk: the signing key, and the shop's id. */
function readDisk() {
  const database = openDatabase(join(box.stateDir, "fiscald.db"));
  try {
    const { appliance, organizations } = createStores(database);
    const orgId = organizations.list()[0]?.id ?? "";
    return { secret: appliance.find("token.secret") ?? "", orgId };
  } finally {
    database.close();
  }
}

test("end-sessions and a restart refuse tokens forged with the former key, and keep tills", async () => {
  const gateway = box.keep(await startGateway(box.stateDir));
  const { owner, key, email, password } = await registerShop(gateway.url);
  const { secret, orgId } = readDisk();
  const forge = (signedBy: string) =>
    createAccessTokens(Buffer.from(signedBy, "hex"), systemClock).issueForBox({
      orgId,
      scope: "devices:read",
    });
  const status = async (url: string, credential: string | undefined) =>
    (await new ApiClient(url, credential).call("GET", "/devices")).status;
  // What the command is for: with the stolen key anybody gets in.
  expect(await status(gateway.url, await forge(secret))).toBe(200);

  const ended = await runToEnd([
    ...[await executable(), "user", "end-sessions", "--state-dir", box.stateDir],
  ]);
  expect([ended.code, ended.out]).toEqual([0, expect.stringContaining("restart the gateway")]);
  expect(await status(gateway.url, owner.credential)).toBe(401);
  await gateway.kill();
  const { url } = box.keep(await startGateway(box.stateDir));
  expect(await status(url, await forge(secret))).toBe(401);
  expect(await status(url, owner.credential)).toBe(401);
  // The same by the key of now, so that it is the key that decides; and whoever belongs there.
  expect(await status(url, await forge(readDisk().secret))).toBe(200);
  expect(await status(url, key)).toBe(200);
  const login = await new ApiClient(url).call("POST", "/auth/login", {
    body: { email, password },
  });
  expect(login.status).toBe(200);
});
