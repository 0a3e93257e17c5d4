/** One printer at two addresses, as over the network and by cable, of which one works at a time. */

import { expect, test } from "bun:test";
import { SALE, TOTAL_MINOR } from "./crash/documents.ts";
import type { Place } from "./crash/place.ts";
import { countFrames, isOver, quieten } from "./crash/run.ts";
import type { ShownCommand } from "./harness/gateway.ts";
import { until } from "./harness/until.ts";
import type { World } from "./harness/world.ts";
import { COMPLETED, endOf, inWorlds, statusOf } from "./outages/scene.ts";
import { atTwoLines, MODELS, type Ways } from "./outages/two-lines.ts";

const placeAt = ({ till, database, printer }: World, deviceId: string): Place => {
  return { till, database, printer, deviceId };
};

/**
 * A frame near the end of a sale whose answer the sale needs. With its frames some of those may be counted
 * by which the state is read behind it, where the printer tells none with a document.
 */
async function lateFrame(place: Place): Promise<number> {
  // The first document of a line takes more of them on some printers.
  await countFrames(place, SALE);
  const frames = await countFrames(place, SALE);
  await quieten(place);
  const before = await place.printer.frames();
  await quieten(place);
  const ofState = (await place.printer.frames()) - before;
  return frames - ofState - 1;
}

/** Submits a sale and cuts its line once the printer has carried out that frame of it. */
async function cutAt(world: World, ways: Ways, frame: number): Promise<string> {
  const { printer, till } = world;
  const reached = (await printer.frames()) + frame;
  await printer.fault({ kind: "silent_after", at: frame, count: 100_000 });
  const { id } = await till.submit(ways.atLan, SALE.type, SALE.payload);
  const isThere = async () =>
    (await printer.frames()) >= reached || (await isOver(placeAt(world, ways.atLan), id));
  await until(`frame ${reached}`, isThere);
  ways.lan.cut();
  await printer.clear();
  return id;
}

const sellAt = (world: World, deviceId: string): Promise<ShownCommand> =>
  world.till.submit(deviceId, SALE.type, SALE.payload);

test("what is in doubt on one line is found out over the other before anything is printed there", () =>
  inWorlds(MODELS, (world) =>
    atTwoLines(world, async (ways) => {
      const frame = await lateFrame(placeAt(world, ways.atLan));
      const { documentNumber } = await world.printer.books();
      // It waits for its line, and must not be the first on it.
      const waiting = await sellAt(world, ways.atUsb);
      const id = await cutAt(world, ways, frame);
      expect(await statusOf(world, id)).toBe("processing");
      ways.usb.mend();
      const first = await world.till.wait(id);
      expect(endOf(await world.till.wait(waiting.id))).toEqual(COMPLETED);
      const isPrinted = first.status === "completed";
      if (!isPrinted) expect(endOf(first).outcome).toBe("not_printed");
      const { receipts } = await world.printer.books(documentNumber);
      expect(receipts.map(({ total }) => total)).toEqual(
        isPrinted ? [TOTAL_MINOR, TOTAL_MINOR] : [TOTAL_MINOR],
      );
      ways.lan.mend();
      const next = await sellAt(world, ways.atUsb);
      expect(endOf(await world.till.wait(next.id))).toEqual(COMPLETED);
    }),
  ));
