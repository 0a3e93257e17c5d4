import { beforeEach, expect, test } from "bun:test";
import type { PlaceView } from "../backup/place-view.ts";
import { FakeClock } from "../platform/clock.ts";
import { PlaceLooks } from "./place-looks.ts";

const NAS = "/mnt/nas/fiscald";

interface Begun {
  readonly folder: string;
  readonly end: (view: PlaceView | Error) => void;
  isKilled: boolean;
}

let clock: FakeClock;
let begun: Begun[];
let looks: PlaceLooks;
beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 10, 28));
  begun = [];
  looks = new PlaceLooks({
    clock,
    begin(folder) {
      const { promise: seen, resolve, reject } = Promise.withResolvers<PlaceView>();
      const end = (view: PlaceView | Error) =>
        view instanceof Error ? reject(view) : resolve(view);
      const one: Begun = { folder, end, isKilled: false };
      begun.push(one);
      const kill = (): void => {
        one.isKilled = true;
      };
      return { seen, kill };
    },
  });
});

function viewOf(freeBytes: number): PlaceView {
  return { kept: [], freeBytes, fault: null, unready: null };
}

test("asks a place once for all who ask meanwhile, and anew for who asks later", async () => {
  const [one, other] = [looks.look(NAS), looks.look(NAS)];
  begun[0]?.end(viewOf(1));
  expect([await one, await other]).toEqual([viewOf(1), viewOf(1)]);
  const later = looks.look(NAS);
  begun[1]?.end(viewOf(2));
  expect([await later, begun.length]).toEqual([viewOf(2), 2]);
});

test("waits five seconds for a place, and then tells what was seen there last", async () => {
  const first = looks.look(NAS);
  begun[0]?.end(viewOf(1));
  await first;
  const second = looks.look(NAS);
  await clock.advanceAsync(5_000);
  const fault = `${NAS} does not answer: look whether the disk or network it lies on works`;
  const late = { ...viewOf(1), fault, unready: fault };
  expect([await second, begun[1]?.isKilled]).toEqual([late, true]);
  // Its process waits for the disk: nobody waits for it, no other one is begun, and other places are asked.
  expect([await looks.look(NAS), begun.length]).toEqual([late, 2]);
  const stick = looks.look("/media/SHOP/fiscald");
  begun[2]?.end(viewOf(3));
  expect(await stick).toEqual(viewOf(3));
  begun[1]?.end(new Error("its process ended with 137"));
  await clock.advanceAsync(0);
  const again = looks.look(NAS);
  begun[3]?.end(viewOf(4));
  expect([await again, begun[3]?.folder]).toEqual([viewOf(4), NAS]);
});

test("tells that a look came to nothing, and what was seen before", async () => {
  const look = looks.look(NAS);
  begun[0]?.end(new Error("its process ended with 1"));
  expect(await look).toMatchObject({ kept: [], fault: expect.stringContaining("ended with 1") });
});
