/** What tests and pictures ask a gateway with. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { registerShop, type Shop } from "./gateway.ts";

/** Seconds; one that ends in a minute is not worth sending. */
let lifetime = 900;
let granted = 0;
const refreshed: unknown[] = [];
const sent: (string | null)[] = [];

const grant = () => {
  granted += 1;
  const names = { accessToken: `access ${granted}`, refreshToken: `refresh ${granted}` };
  return Response.json({ ...names, expiresIn: lifetime });
};

describe("whoever registered a shop", () => {
  let gateway: Bun.Server<undefined>;
  let shop: Shop;
  beforeAll(async () => {
    gateway = Bun.serve({
      port: 0,
      routes: {
        "/api/v1/auth/register": grant,
        "/api/v1/auth/refresh": async (request) => {
          refreshed.push(await request.json());
          return grant();
        },
        "/api/v1/org/api-keys": () => Response.json({ key: "svc_test_key" }),
      },
      fetch(request) {
        sent.push(request.headers.get("authorization"));
        return Response.json({});
      },
    });
    shop = await registerShop(`http://127.0.0.1:${gateway.port}`);
  });
  afterAll(() => gateway.stop(true));

  test("asks with the login's token for as long as it lasts", async () => {
    sent.length = 0;
    await shop.owner.expect("GET", "/org");
    expect([sent, refreshed, shop.owner.credential]).toEqual([["Bearer access 1"], [], "access 1"]);
  });

  test("renews one that is about to end, once for all who ask at that moment", async () => {
    lifetime = 30;
    const late = await registerShop(`http://127.0.0.1:${gateway.port}`);
    lifetime = 900;
    sent.length = 0;
    refreshed.length = 0;
    await Promise.all([late.owner.expect("GET", "/org"), late.owner.expect("GET", "/devices")]);
    expect(sent).toEqual([`Bearer ${late.owner.credential}`, `Bearer ${late.owner.credential}`]);
    expect(refreshed).toHaveLength(1);
  });
});
