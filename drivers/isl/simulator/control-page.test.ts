import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rejection } from "#src/platform/testing/rejection.ts";
import { FORMS, Rig } from "./testing/rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await Rig.start("x");
});
afterEach(() => rig.end());

interface State {
  readonly open: number | null;
  readonly documents: readonly number[];
  readonly powered: boolean;
  readonly plugged: boolean;
  readonly conditions: { readonly paper: string };
}

/** States as they are sent, read one at a time. */
async function watch() {
  const ending = new AbortController();
  const answer = await rig.control("/live", { signal: ending.signal });
  const reader = answer.body?.getReader();
  let text = "";
  return {
    status: answer.status,
    async next(is: (state: State) => boolean): Promise<State> {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end < 0) {
          const chunk = await reader?.read();
          if (!chunk || chunk.done) throw new Error("the stream has ended");
          text += new TextDecoder().decode(chunk.value);
          continue;
        }
        const event = text.slice(0, end);
        text = text.slice(end + 2);
        if (!event.startsWith("data: ")) continue;
        const state = JSON.parse(event.slice(6)) as State;
        if (is(state)) return state;
      }
    },
    end: () => ending.abort(),
  };
}

describe("what is followed of a device", () => {
  test("begins with the state and goes on with each change", async () => {
    const live = await watch();
    const first = await live.next(() => true);
    expect(first).toMatchObject({ open: null, documents: [], powered: true, plugged: true });
    await rig.ask(...FORMS.x.open);
    await live.next(({ open }) => open === 1);
    await rig.ask(...FORMS.x.sale);
    await rig.ask(...FORMS.x.payment);
    await rig.ask(56);
    await live.next(({ open, documents }) => open === null && documents.join() === "1");
    await rig.fault({ kind: "paper_out" });
    await live.next(({ conditions }) => conditions.paper === "out");
    live.end();
  });

  test("tells of power and cable, which are back by themselves", async () => {
    const live = await watch();
    const body = JSON.stringify({ offMs: 20 });
    expect((await rig.control("/power", { method: "POST", body })).status).toBe(200);
    await live.next(({ powered }) => !powered);
    await rig.host.closed();
    await live.next(({ powered }) => powered);
    await rig.fault({ kind: "unplug", ms: 20 });
    await live.next(({ plugged }) => !plugged);
    await live.next(({ plugged }) => plugged);
    live.end();
  });

  test("is for so many watchers, and a place is free again when one leaves", async () => {
    const watchers = [];
    for (let count = 0; count < 16; count += 1) watchers.push(await watch());
    expect(watchers.every(({ status }) => status === 200)).toBe(true);
    expect((await rig.control("/live")).status).toBe(503);
    for (const watcher of watchers) watcher.end();
    const endsAt = performance.now() + 5_000;
    let again = await watch();
    while (again.status === 503 && performance.now() < endsAt) again = await watch();
    expect(again.status).toBe(200);
    again.end();
  });

  test("ends with the simulator", async () => {
    const live = await watch();
    await live.next(() => true);
    await rig.switchOff();
    await rejection(live.next(() => false));
  });
});

describe("the page", () => {
  test("comes with all it needs from the port itself", async () => {
    const page = await rig.control("/");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const html = await page.text();
    const wanted = [...html.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path = ""]) => path);
    expect(wanted).toContain("/page.js");
    for (const path of wanted) expect((await rig.control(path)).status).toBe(200);
    expect(html).not.toMatch(/(?:src|href)="(?:https?:|\/\/)/);
  });

  test("has buttons for faults that the port takes", async () => {
    const html = await (await rig.control("/")).text();
    const buttons = [
      ...html.matchAll(/data-path="([^"]*)" data-body='([^']*)'|data-path="([^"]*)"/g),
    ];
    expect(buttons.length).toBeGreaterThan(8);
    for (const [, path, body, bare] of buttons) {
      const answer = await rig.control(path ?? bare ?? "", {
        method: "POST",
        body: (body ?? "{}").replace(/5000/, "1"),
      });
      expect(await answer.json()).toEqual({ ok: true });
    }
  });

  test("is the only page that may call the port", async () => {
    const foreign = { headers: { origin: "https://elsewhere.example" } };
    expect((await rig.control("/books", foreign)).status).toBe(403);
    expect((await rig.control("/live", foreign)).status).toBe(403);
    const press = { ...foreign, method: "POST", body: JSON.stringify({ kind: "paper_out" }) };
    expect((await rig.control("/fault", press)).status).toBe(403);
    expect((await rig.books()).conditions.paper).toBe("ok");
  });
});
