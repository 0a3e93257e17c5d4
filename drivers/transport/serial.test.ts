import { dlopen, FFIType } from "bun:ffi";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SerialPortStream } from "@serialport/stream";
import type { DriverEnvironment, Line } from "#core/driver.ts";
import { DEADLINE_MS } from "#src/platform/testing/deadline.ts";
import { openPty, type Pty } from "../simulator/port/pty.ts";
import { DescriptorStream } from "./descriptor-stream.ts";
import { openSerial } from "./serial.ts";
import { SerialBinding } from "./serial-binding.ts";

const setTimer: DriverEnvironment["setTimer"] = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};
const environment = { setTimer };

/** The device's end of a cable. */
let pty: Pty;
let device: DescriptorStream;
let isPulled: boolean;

beforeEach(async () => {
  await plug();
});
afterEach(() => pull());

async function plug(): Promise<void> {
  pty = await openPty();
  device = new DescriptorStream(pty.fd, setTimer);
  isPulled = false;
}

async function pull(): Promise<void> {
  if (isPulled) return;
  isPulled = true;
  await device.release();
  await pty.close();
}

function open(settings: Partial<Parameters<typeof openSerial>[0]> = {}): Promise<Line> {
  return openSerial({ path: pty.path, ...settings }, environment);
}

function failure(opening: Promise<unknown>): Promise<unknown> {
  return opening.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function loss(line: Line): Promise<Error> {
  return new Promise((resolve) => {
    line.listen({ data() {}, closed: resolve });
  });
}

/** The process's descriptors of a terminal's host end. */
function openDescriptors(path: string): number[] {
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === path;
      } catch {
        // The descriptor of the folder that was listed.
        return false;
      }
    });
}

function copyDescriptor(fd: number): number {
  const library = dlopen("libc.so.6", { dup: { args: [FFIType.i32], returns: FFIType.i32 } });
  const copy = library.symbols.dup(fd);
  library.close();
  return copy;
}

/** Collects what a line hears until there is so much of it. */
function hear(line: Line, length: number): Promise<Buffer> {
  const heard: Buffer[] = [];
  let total = 0;
  return new Promise((resolve, reject) => {
    line.listen({
      data(chunk) {
        heard.push(Buffer.from(chunk));
        total += chunk.length;
        if (total >= length) resolve(Buffer.concat(heard));
      },
      closed: reject,
    });
  });
}

async function deviceHears(length: number): Promise<Buffer> {
  const heard: Uint8Array[] = [];
  for (let total = 0; total < length; ) {
    const chunk = await device.read();
    if (chunk === undefined) throw new Error("the line broke");
    heard.push(chunk);
    total += chunk.length;
  }
  return Buffer.concat(heard);
}

/** Bytes of which every neighbourhood differs, all 256 values among them. */
function pattern(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let index = 0; index < length; index += 1) bytes[index] = (index * 7 + (index >> 8)) & 0xff;
  return bytes;
}

describe("a serial line", () => {
  test("carries bytes both ways, whatever their values", async () => {
    const line = await open();
    line.write(pattern(512));
    expect(await deviceHears(512)).toEqual(pattern(512));
    const heard = hear(line, 512);
    await device.write(pattern(512));
    expect(await heard).toEqual(pattern(512));
    line.close();
  });

  test("sends in the order of the writes", async () => {
    const line = await open();
    const words = Array.from({ length: 500 }, (_, index) => `${index};`);
    for (const word of words) line.write(Buffer.from(word));
    const text = words.join("");
    expect((await deviceHears(text.length)).toString()).toBe(text);
    line.close();
  });

  test("keeps what came before anybody listened", async () => {
    const line = await open();
    await device.write(Buffer.from("early"));
    expect((await hear(line, 5)).toString()).toBe("early");
    line.close();
  });

  test("throws away what the port received before it was opened", async () => {
    await device.write(Buffer.from("of an earlier time"));
    const line = await open();
    await device.write(Buffer.from("now"));
    expect((await hear(line, 3)).toString()).toBe("now");
    line.close();
  });

  test("carries 1 MB each way at the same time, to the byte", async () => {
    const line = await open();
    const bytes = pattern(1_048_576);
    const heard = hear(line, bytes.length);
    const received = deviceHears(bytes.length);
    line.write(bytes);
    await device.write(bytes);
    expect((await heard).equals(bytes)).toBe(true);
    expect((await received).equals(bytes)).toBe(true);
    line.close();
  });

  test("is cut when a device floods a line that nobody listens to", async () => {
    const line = await open();
    const flood = device.write(pattern(200_000));
    // The port can be had again as soon as the line has let go of it.
    await untilFree();
    expect(await loss(line)).toMatchObject({ code: "E102" });
    await pull();
    await flood;
  });

  test("is cut when the device takes nothing of what is sent", async () => {
    const line = await open();
    const lost = loss(line);
    line.write(new Uint8Array(5 * 1_048_576));
    expect(await lost).toMatchObject({ code: "E102" });
  });

  test("tells once, with E102, that the cable was pulled, even to a late listener", async () => {
    const line = await open();
    const told: Error[] = [];
    const lost = new Promise<void>((resolve) => {
      line.listen({
        data() {},
        closed(error) {
          told.push(error);
          resolve();
        },
      });
    });
    await pull();
    await lost;
    line.write(Buffer.from("nobody hears this"));
    expect(await loss(line)).toMatchObject({ code: "E102" });
    expect(told).toHaveLength(1);
    line.close();
    line.close();
  });

  test("delivers nothing after it was closed that had not left before", async () => {
    const sent = pattern(200_000);
    const line = await open();
    line.write(sent);
    line.close();
    const next = await open();
    next.write(Buffer.from("next"));
    const heard: Uint8Array[] = [];
    while (!Buffer.concat(heard).toString().endsWith("next")) heard.push(await deviceHears(1));
    const before = Buffer.concat(heard).subarray(0, -4);
    expect(before.length).toBeLessThan(sent.length);
    expect(before.equals(sent.subarray(0, before.length))).toBe(true);
    next.close();
  });

  test("says nothing after it was closed", async () => {
    const line = await open();
    let said = 0;
    line.listen({ data: () => (said += 1), closed: () => (said += 1) });
    line.close();
    await device.write(Buffer.from("too late"));
    await pull();
    expect(said).toBe(0);
  });
});

/** Opens and closes the port as soon as that can be done. */
async function untilFree(): Promise<void> {
  const endsAt = performance.now() + DEADLINE_MS;
  for (;;) {
    const line = await open().catch(() => undefined);
    line?.close();
    if (line) return;
    if (performance.now() > endsAt) throw new Error("the port was never let go of");
    await new Promise<void>((resolve) => setTimer(2, resolve));
  }
}

describe("opening a serial port", () => {
  test("takes speeds that no standard names, and other settings", async () => {
    for (const baudRate of [300, 9_600, 123_456, 250_000, 4_000_000]) {
      const line = await open({ baudRate, parity: "even", dataBits: 7, stopBits: 2 });
      line.close();
    }
  });

  test("sets the speed that was asked for", async () => {
    const port = new SerialPortStream({
      binding: new SerialBinding(setTimer),
      path: pty.path,
      baudRate: 123_456,
      autoOpen: false,
    });
    await new Promise<void>((resolve, reject) => {
      port.open((error) => (error === null ? resolve() : reject(error)));
    });
    expect(await port.port?.getBaudRate()).toEqual({ baudRate: 123_456 });
    await port.port?.update({ baudRate: 9_600 });
    expect(await port.port?.getBaudRate()).toEqual({ baudRate: 9_600 });
    await new Promise<void>((resolve) => port.close(() => resolve()));
  });

  test("is refused with E100 while somebody has the port, and not afterwards", async () => {
    const line = await open();
    expect(await failure(open())).toMatchObject({
      code: "E100",
      message: `${pty.path} is in use by another program`,
    });
    line.close();
    const next = await open();
    next.close();
  });

  test("can be opened again at once, though a copy of its descriptor lives on", async () => {
    const line = await open();
    // The runtime keeps such a copy of its own, for as long as it likes.
    const copies = openDescriptors(pty.path).map(copyDescriptor);
    try {
      line.close();
      (await open()).close();
    } finally {
      copies.forEach(closeSync);
    }
    expect(copies).not.toBeEmpty();
  });

  test("fails with E103 where there is no port, or something else", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fiscald-serial-"));
    const file = join(folder, "file");
    writeFileSync(file, "");
    for (const path of [join(folder, "port"), file, folder]) {
      expect(await failure(openSerial({ path }, environment))).toMatchObject({ code: "E103" });
    }
    rmSync(folder, { recursive: true });
  });

  test("fails with E100 where the device is no terminal", async () => {
    const opening = openSerial({ path: "/dev/null" }, environment);
    expect(await failure(opening)).toMatchObject({ code: "E100" });
  });

  test("leaves no descriptor behind, 200 times, whichever side ends it", async () => {
    const descriptors = () => readdirSync("/proc/self/fd").length;
    const cycle = async (index: number): Promise<void> => {
      const line = await open();
      line.write(Buffer.from("x"));
      await deviceHears(1);
      if (index % 4 !== 0) line.close();
      else {
        const lost = loss(line);
        await pull();
        await lost;
        await plug();
      }
    };
    await cycle(1);
    const before = descriptors();
    for (let index = 0; index < 200; index += 1) await cycle(index);
    // The last one that was closed here is gone when the port can be had again.
    await untilFree();
    const endsAt = performance.now() + DEADLINE_MS;
    while (descriptors() > before && performance.now() < endsAt) {
      await new Promise<void>((resolve) => setTimer(2, resolve));
    }
    expect(descriptors()).toBeLessThanOrEqual(before);
  });
});
