import { afterEach, describe, expect, test } from "bun:test";
import { ACK, framed, misreckoned, NACK, pay, Rig, sale } from "./testing/host.ts";

let rig: Rig;
afterEach(() => rig.end());

const COFFEE = sale("Coffee", 250);
const isSold = () => rig.books().openDocument?.total ?? 0;

/** Frames as they were reckoned by hand from the manual's description. */
const RECKONED = [
  { counter: "00", command: "1001", hex: "0230303031303031333803" },
  { counter: "01", command: "1109", hex: "0230313031313039343803" },
  { counter: "07", command: "3003", hex: "0230373033303033343903" },
  { counter: "15", command: "2003", hex: "0231353032303033343703" },
  { counter: "16", command: "2002", hex: "0231363032303032343703" },
  { counter: "20", command: "70081", hex: "023230303730303831303203" },
  {
    counter: "05",
    command: "33011000002000001" + "06Coffee" + "000000250" + "00",
    hex: "0230353033333031313030303030323030303030313036436f666665653030303030303235303030393703",
  },
] as const;

describe("frames", () => {
  test.each(RECKONED)("$command under $counter is taken as reckoned", async (frame) => {
    rig = await Rig.start("gen3");
    expect(Buffer.from(framed(frame.counter, frame.command), "latin1").toString("hex")).toBe(
      frame.hex,
    );
    rig.host.send(Buffer.from(frame.hex, "hex").toString("latin1"));
    expect(await rig.host.take(1)).toBe(ACK);
  });

  test("may come byte by byte, and several at once", async () => {
    rig = await Rig.start("gen3");
    for (const byte of framed("01", COFFEE)) rig.host.send(byte);
    expect(await rig.host.take(1)).toBe(ACK);
    rig.host.send(ACK);
    expect(await rig.answer("01")).toBe("3301");
    rig.host.send(framed("02", COFFEE) + framed("03", COFFEE));
    expect(await rig.host.take(2)).toBe(ACK + ACK);
    expect(isSold()).toBe(750);
  });

  test("may follow junk, and a frame that was given up half way", async () => {
    rig = await Rig.start("gen3");
    rig.host.send(`\r\nabc\u0015${framed("01", COFFEE).slice(0, 9)}${framed("02", "1016")}`);
    expect(await rig.host.take(1)).toBe(ACK);
    rig.host.send(ACK);
    expect(await rig.answer("02")).toBe("1016000");
  });

  test.each([
    ["a wrong checksum", misreckoned(framed("01", COFFEE))],
    ["no command", "\u00020100\u0003"],
    ["another identifier", framed("01", COFFEE).replace("\u0002010", "\u0002011")],
    ["a counter that is no number", framed("0A", COFFEE)],
    ["a character above 7Dh", framed("01", sale("Caf\u007e", 250))],
    ["an accent", framed("01", sale("Caf\u00e9", 250))],
    ["a control character", framed("01", sale("a\u0001b", 250))],
    ["more than a frame can hold", framed("01", `3301${"1".repeat(1_000_000)}`)],
  ])("with %s is refused with NACK and not carried out", async (_, frame) => {
    rig = await Rig.start("gen3");
    rig.host.send(frame);
    expect(await rig.host.take(1)).toBe(NACK);
    rig.host.send(ACK);
    expect(await rig.ask("1016")).toBe("000");
    expect(rig.books().openDocument).toBeNull();
  });
});

describe("counters", () => {
  test("that are the last one again are refused with NACK, whatever they count", async () => {
    rig = await Rig.start("gen3");
    await rig.do(COFFEE);
    rig.host.send(framed("01", COFFEE));
    expect(await rig.host.take(1)).toBe(NACK);
    rig.host.send(framed("01", "1016"));
    expect(await rig.host.take(1)).toBe(NACK);
    expect(isSold()).toBe(250);
  });

  test("of 00 are taken again and again", async () => {
    rig = await Rig.start("gen3");
    rig.host.send(framed("00", COFFEE) + framed("00", COFFEE));
    expect(await rig.host.take(2)).toBe(ACK + ACK);
    expect(isSold()).toBe(500);
  });

  test("may leave numbers out", async () => {
    rig = await Rig.start("gen3");
    rig.host.send(framed("42", "1016") + framed("07", "1016"));
    expect(await rig.host.take(2)).toBe(ACK + ACK);
  });

  test("are remembered from one connection to the next", async () => {
    rig = await Rig.start("gen3");
    await rig.do(COFFEE);
    await rig.reconnect();
    rig.host.send(framed("01", COFFEE));
    expect(await rig.host.take(1)).toBe(NACK);
  });

  test("are lost with the power: the frame of before is then carried out again", async () => {
    rig = await Rig.start("gen3");
    await rig.do(COFFEE);
    await rig.fault({ kind: "power_loss", when: "before" });
    rig.host.send(framed("02", "1016"));
    await rig.host.closed();
    await rig.reconnect();
    rig.host.send(framed("01", COFFEE));
    expect(await rig.host.take(1)).toBe(ACK);
    expect(isSold()).toBe(500);
  });

  test("of a frame that was refused are free to be used again", async () => {
    rig = await Rig.start("gen3");
    rig.host.send(misreckoned(framed("01", COFFEE)));
    expect(await rig.host.take(1)).toBe(NACK);
    rig.host.send(framed("01", COFFEE));
    expect(await rig.host.take(1)).toBe(ACK);
  });
});

describe("the host's acknowledgement", () => {
  test.each(["gen3", "gen2"] as const)("is waited for before %s answers", async (model) => {
    rig = await Rig.start(model);
    rig.host.send(framed("01", "1016"));
    expect(await rig.host.take(1)).toBe(ACK);
    // Damaged frames are answered at once, so that nothing can have been on its way before.
    rig.host.send("\u0002\u0003");
    expect(await rig.host.take(1)).toBe(NACK);
    expect(rig.host.pending).toBe("");
    rig.host.send(ACK);
    expect(await rig.answer("01")).toBe("1016000");
  });

  test("of an answer is not wanted and does no harm", async () => {
    rig = await Rig.start("gen3");
    await rig.do("1016");
    rig.host.send(ACK + ACK);
    rig.host.send(framed("50", "1016"));
    expect(await rig.host.take(1)).toBe(ACK);
    rig.host.send("\u0002\u0003");
    expect(await rig.host.take(1)).toBe(NACK);
    expect(rig.host.pending).toBe("");
  });

  test("that never comes leaves the command carried out and untold", async () => {
    rig = await Rig.start("gen3");
    rig.host.send(framed("70", COFFEE));
    expect(await rig.host.take(1)).toBe(ACK);
    expect(isSold()).toBe(250);
    expect(await rig.ask("1016")).toBe("100");
  });
});

describe("faults of the line", () => {
  test("silent_after carries out and says nothing; the frame sent again gets NACK", async () => {
    rig = await Rig.start("gen3");
    await rig.fault({ kind: "silent_after" });
    rig.host.send(framed("01", COFFEE) + framed("01", COFFEE));
    expect(await rig.host.take(1)).toBe(NACK);
    expect(isSold()).toBe(250);
  });

  test("silent loses the frame; sent again, it is taken", async () => {
    rig = await Rig.start("gen3");
    await rig.fault({ kind: "silent" });
    rig.host.send(framed("01", COFFEE) + framed("01", COFFEE));
    expect(await rig.host.take(1)).toBe(ACK);
    expect(isSold()).toBe(250);
  });

  test("drop_before and drop_after cut the line on either side of carrying out", async () => {
    rig = await Rig.start("gen3");
    await rig.fault({ kind: "drop_before" });
    rig.host.send(framed("01", COFFEE));
    await rig.host.closed();
    expect(isSold()).toBe(0);
    await rig.reconnect();
    await rig.fault({ kind: "drop_after" });
    rig.host.send(framed("01", COFFEE));
    await rig.host.closed();
    expect(isSold()).toBe(250);
  });

  test("garble acknowledges, and spoils the checksum of the answer", async () => {
    rig = await Rig.start("gen3");
    await rig.fault({ kind: "garble" });
    rig.host.send(framed("01", "1016"));
    expect(await rig.host.take(1)).toBe(ACK);
    rig.host.send(ACK);
    const frame = await rig.host.takeThrough("\u0003");
    expect(frame.slice(0, -3)).toBe("\u00020101016000");
    expect(frame).not.toBe(framed("01", "1016000"));
  });

  test("garble makes a bare answer no ASCII, as a parity bit would", async () => {
    rig = await Rig.start("gen2");
    await rig.fault({ kind: "garble" });
    rig.host.send(framed("01", "1016"));
    await rig.host.take(1);
    rig.host.send(ACK);
    expect(await rig.host.take(7)).toBe("\u00b1016000");
  });

  test("delay acknowledges at once and answers late, whenever the host confirms", async () => {
    rig = await Rig.start("gen3");
    await rig.fault({ kind: "delay", ms: 30 });
    rig.host.send(framed("01", COFFEE));
    expect(await rig.host.take(1)).toBe(ACK);
    expect(isSold()).toBe(250);
    rig.host.send(ACK);
    expect(await rig.answer("01")).toBe("3301");
  });

  test("hold keeps acknowledgement and answer back until they are released", async () => {
    rig = await Rig.start("gen3");
    await rig.fault({ kind: "hold" });
    rig.host.send(framed("01", COFFEE));
    rig.host.send("\u0002\u0003");
    expect(await rig.host.take(1)).toBe(NACK);
    expect(isSold()).toBe(250);
    await rig.clear();
    expect(await rig.host.take(1)).toBe(ACK);
    rig.host.send(ACK);
    expect(await rig.answer("01")).toBe("3301");
  });
});

describe("a receipt over a bare line", () => {
  test("is the same as over a framed one", async () => {
    rig = await Rig.start("gen2");
    await rig.do(COFFEE, pay("01", 500), "3011", "3013");
    expect(rig.books().receipts[0]).toMatchObject({ total: 250, change: 250 });
  });
});
