import { describe, expect, test } from "bun:test";
import { createClient } from "./client.ts";
import { answer } from "./gateway-error.ts";
import {
  printed,
  queued,
  refusal,
  SALE,
  type Scripted,
  ScriptedGateway,
} from "./testing/scripted-gateway.ts";
import { thrownBy } from "./testing/thrown-by.ts";

const LOGIN = { email: "owner@shop.example", password: "a long password" };
const session = (number: number) => () =>
  Response.json({ accessToken: `access-${number}`, refreshToken: `refresh-${number}` });
const list = () => Response.json([]);
const expired = () => refusal(401, "TOKEN_EXPIRED");

function bench(...script: readonly Scripted[]) {
  const gateway = new ScriptedGateway(...script);
  const client = createClient({
    url: "http://gateway.example",
    login: LOGIN,
    fetch: gateway.fetch,
    timing: gateway.timing,
  });
  return { gateway, devices: () => answer(client.api.GET("/api/v1/devices")), client };
}
const paths = (gateway: ScriptedGateway) =>
  gateway.asked.map(({ path, headers }) => {
    const token = headers.get("authorization")?.replace("Bearer ", "");
    return [path.replace("/api/v1/", ""), token].filter(Boolean).join(" as ");
  });

describe("a user", () => {
  test("logs in once, for all that is asked at the same time and later", async () => {
    const { gateway, devices } = bench(session(1), list, list, list);
    await Promise.all([devices(), devices()]);
    await devices();
    expect(paths(gateway)).toEqual([
      "auth/login",
      "devices as access-1",
      "devices as access-1",
      "devices as access-1",
    ]);
    expect(JSON.parse(gateway.asked[0]?.body ?? "")).toEqual(LOGIN);
  });

  test("renews what has expired, and asks once more with the same body", async () => {
    const { gateway, client } = bench(session(1), expired, session(2), () =>
      Response.json({ id: "org" }),
    );
    await answer(client.api.PATCH("/api/v1/org", { body: { name: "Corner" } }));
    expect(paths(gateway)).toEqual([
      "auth/login",
      "org as access-1",
      "auth/refresh",
      "org as access-2",
    ]);
    expect(gateway.asked[3]?.body).toBe('{"name":"Corner"}');
  });

  test("renews once for all that find it expired", async () => {
    const { gateway, devices } = bench(session(1), list, expired, expired, session(2), list, list);
    await devices();
    await Promise.all([devices(), devices()]);
    expect(paths(gateway).filter((path) => path.startsWith("auth"))).toEqual([
      "auth/login",
      "auth/refresh",
    ]);
  });

  test("logs in again when the session has ended", async () => {
    const ended = () => refusal(401, "UNAUTHORIZED");
    const { gateway, devices } = bench(session(1), expired, ended, session(2), list);
    await devices();
    expect(paths(gateway).at(-1)).toBe("devices as access-2");
  });

  test("is told that the password is wrong, and may try again", async () => {
    const wrong = () => refusal(401, "UNAUTHORIZED");
    const { devices } = bench(wrong, session(1), list);
    const refused: unknown = await devices().catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "UNAUTHORIZED", status: 401 });
    expect(await devices()).toEqual([]);
  });

  test.each<[string, readonly Scripted[]]>([
    ["to the login", ["silence"]],
    ["to the renewal", [session(1), expired, expired, "silence"]],
  ])("is told when no answer comes %s, and the next request logs in anew", async (_, script) => {
    const { gateway, devices } = bench(...script, session(2), list);
    const [one, other] = await Promise.all([thrownBy(devices()), thrownBy(devices())]);
    for (const { code, isTemporary } of [one, other]) {
      expect([code, isTemporary]).toEqual(["UNREACHABLE", true]);
    }
    expect(gateway.timing.now()).toBe(15_000);
    await devices();
    expect(paths(gateway).slice(-2)).toEqual(["auth/login", "devices as access-2"]);
  });

  test.each<[string, Scripted]>([
    ["silence", "silence"],
    ["a 200 of something else", () => Response.json({ ok: true })],
    ["a 204", () => new Response(null, { status: 204 })],
  ])("prints all the same when all that its first login got was %s", async (_, fault) => {
    const { gateway, client } = bench(fault, session(1), queued, printed);
    expect((await client.print(SALE)).outcome).toBe("printed");
    expect(gateway.left).toBe(0);
  });

  test("who takes back its request while it logs in waits no longer; the others do", async () => {
    const stop = new AbortController();
    const leave = () => {
      stop.abort(new Error("closed"));
      return session(1)();
    };
    const { gateway, client, devices } = bench(leave, list);
    const left = client.print(SALE, { signal: stop.signal }).catch((error: unknown) => error);
    const stayed = devices();
    expect(await left).toEqual(new Error("closed"));
    expect(await stayed).toEqual([]);
    expect(paths(gateway)).toEqual(["auth/login", "devices as access-1"]);
  });
});
