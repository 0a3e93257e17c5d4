import { expect, test } from "bun:test";
import { rejection } from "../platform/testing/rejection.ts";
import { gatewayPlace } from "./gateway-place.ts";
import { listDevices, refusalOf } from "./gateway-requests.ts";

/** What is at the other end of the address, and the words for it where the devices are listed. */
async function listedAt(answer: () => Response): Promise<{ origin: string; thrown: unknown }> {
  using other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  const { port } = other;
  const place = placeAt(Number(port));
  const thrown = await listDevices(place).catch((error: unknown) => error);
  return { origin: place.origin, thrown };
}

const placeAt = (port: number) =>
  gatewayPlace({
    ...{ url: new URL(`http://127.0.0.1:${port}`), key: "fdk_x", controllerId: "tablet" },
    about: {},
  });

test("a page of a proxy is called no gateway, as where a connection is refused", async () => {
  const page = () => new Response("<html>Bad gateway</html>", { status: 502 });
  const { origin, thrown } = await listedAt(page);
  expect(thrown).toEqual(new Error(`What answers at ${origin} is no gateway (502)`));
  using proxy = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: page });
  const at = placeAt(Number(proxy.port));
  expect(await refusalOf(at)).toBe(`What answers at ${at.origin} is no gateway (502)`);
});

test("a list of something else is called no gateway's", async () => {
  const { origin, thrown } = await listedAt(() => Response.json([{ id: 1 }]));
  expect(thrown).toEqual(new Error(`What answers at ${origin} is no gateway (200)`));
});

test("what the gateway refuses is told in its own words", async () => {
  const error = { code: "FORBIDDEN", message: "The key lacks the scope devices" };
  const { thrown } = await listedAt(() => Response.json({ error }, { status: 403 }));
  expect(thrown).toEqual(new Error("The key lacks the scope devices"));
});

test("a gateway that is not there is called out of reach", async () => {
  const gone = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const place = placeAt(Number(gone.port));
  await gone.stop(true);
  expect((await rejection(listDevices(place))).message).toMatch(/^The gateway cannot be reached: /);
});
