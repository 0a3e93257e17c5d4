import { describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DriverEnvironment, Line } from "#core/driver.ts";
import { openPty, type Pty } from "../simulator/port/pty.ts";
import { hasBluetooth, openBluetooth } from "./bluetooth.ts";
import { type BluetoothSockets, rfcommAddress } from "./bluetooth-sockets.ts";
import { DescriptorStream } from "./descriptor-stream.ts";

const ADDRESS = "AA:BB:CC:DD:EE:0F";
const EINPROGRESS = 115;

const setTimer: DriverEnvironment["setTimer"] = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};
/** Time flies: every wait is over at once. */
const hasty: DriverEnvironment["setTimer"] = (_ms, callback) => {
  const timer = setImmediate(callback);
  return () => clearImmediate(timer);
};

interface FakeKernel extends BluetoothSockets {
  readonly addresses: Uint8Array[];
  readonly closed: number[];
}

/** A kernel whose sockets connect as it is told; nothing here has a radio. */
function kernel(told: Partial<BluetoothSockets>): FakeKernel {
  const addresses: Uint8Array[] = [];
  const closed: number[] = [];
  return {
    addresses,
    closed,
    open: () => ({ fd: 1_000 }),
    connect(_fd, address) {
      addresses.push(address);
      return EINPROGRESS;
    },
    outcome: () => 0,
    close: (fd) => closed.push(fd),
    ...told,
  };
}

function failure(opening: Promise<unknown>): Promise<unknown> {
  return opening.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("the address of a socket", () => {
  test("has family, device backwards and channel where the kernel looks for them", () => {
    const bytes = rfcommAddress(ADDRESS, 3);
    expect(Buffer.from(bytes).toString("hex")).toBe("1f000feeddccbbaa0300");
  });
});

describe("opening a Bluetooth line", () => {
  test.each([
    [97, "no Bluetooth"],
    [93, "no RFCOMM"],
    [1, "may not"],
    [24, "error 24"],
  ])("tells why there is no socket: %i", async (errno, words) => {
    const sockets = () => kernel({ open: () => ({ errno }) });
    expect(await failure(openBluetooth(ADDRESS, { setTimer, sockets }))).toMatchObject({
      code: "E100",
      message: expect.stringContaining(words),
    });
  });

  test("tells so where libc cannot be called", async () => {
    const sockets = () => {
      throw new Error("requires the JIT");
    };
    expect(await failure(openBluetooth(ADDRESS, { setTimer, sockets }))).toMatchObject({
      code: "E100",
      message: expect.stringContaining("no Bluetooth lines"),
    });
  });

  test("fails in words with this machine's kernel, which has no such device", async () => {
    const failed = await failure(openBluetooth("00:00:00:00:00:00", { setTimer: hasty }));
    expect(failed).toMatchObject({ code: expect.stringMatching(/^E10[013]$/) });
  });

  test.each([
    [111, "E100"],
    [16, "E100"],
    [104, "E100"],
    [110, "E101"],
    [112, "E103"],
    [113, "E103"],
    [19, "E103"],
    [5, "E100"],
  ])("names what connecting ended with and closes the socket: %i is %s", async (errno, code) => {
    const later = kernel({ outcome: () => errno });
    const opening = openBluetooth(ADDRESS, { setTimer, sockets: () => later });
    expect(await failure(opening)).toMatchObject({ code });
    const atOnce = kernel({ connect: () => errno });
    const refused = openBluetooth(ADDRESS, { setTimer, sockets: () => atOnce });
    expect(await failure(refused)).toMatchObject({ code });
    expect([later.closed, atOnce.closed]).toEqual([[1_000], [1_000]]);
  });

  test("gives up with E101 when nothing comes of it in time", async () => {
    const sockets = kernel({ outcome: () => undefined });
    const opening = openBluetooth(ADDRESS, { setTimer: hasty, sockets: () => sockets });
    expect(await failure(opening)).toMatchObject({ code: "E101" });
    expect(sockets.closed).toEqual([1_000]);
  });

  test("takes channel 1 unless the address names another, and no nonsense", async () => {
    const sockets = kernel({ outcome: () => 111 });
    const options = { setTimer, sockets: () => sockets };
    await failure(openBluetooth(ADDRESS, options));
    await failure(openBluetooth(`${ADDRESS}#17`, options));
    expect(sockets.addresses.map((address) => address[8])).toEqual([1, 17]);
    for (const address of ["AA:BB", `${ADDRESS}#0`, `${ADDRESS}#31`]) {
      expect(await failure(openBluetooth(address, options))).toMatchObject({ code: "E103" });
    }
  });
});

/** A connected line; a terminal stands in for the socket, as both are plain descriptors. */
async function connected(): Promise<{ line: Line; far: DescriptorStream; pty: Pty; end(): void }> {
  const pty = await openPty();
  const far = await openFarEnd(pty);
  const sockets = kernel({ open: () => ({ fd: pty.fd }), close() {} });
  const line = await openBluetooth(ADDRESS, { setTimer, sockets: () => sockets });
  return {
    line,
    far: far.stream,
    pty,
    async end() {
      line.close();
      await far.stream.release();
      closeSync(far.fd);
      await pty.close();
    },
  };
}

async function openFarEnd(pty: Pty): Promise<{ stream: DescriptorStream; fd: number }> {
  const { completeOptions, nativeSerial } = await import("./native-serial.ts");
  const options = completeOptions({ path: pty.path, baudRate: 115_200, lock: false });
  const fd = await nativeSerial().open(options);
  return { fd, stream: new DescriptorStream(fd, setTimer) };
}

describe("a Bluetooth line", () => {
  test("carries bytes both ways in order, and keeps what came before anybody listened", async () => {
    const { line, far, end } = await connected();
    for (const word of ["one ", "two ", "three"]) line.write(Buffer.from(word));
    let heard = "";
    while (heard.length < 13) heard += Buffer.from((await far.read()) ?? []).toString();
    expect(heard).toBe("one two three");
    await far.write(Buffer.from("answer"));
    const answer = await new Promise<string>((resolve, reject) => {
      line.listen({ data: (chunk) => resolve(Buffer.from(chunk).toString()), closed: reject });
    });
    expect(answer).toBe("answer");
    await end();
  });
});

describe("what a Bluetooth line has not delivered", () => {
  test("never arrives once it is closed", async () => {
    const sent = Buffer.alloc(200_000, "old");
    const { line, far, pty, end } = await connected();
    line.write(sent);
    line.close();
    // As the next line would: the far end takes from it whatever the closed one has left.
    const next = new DescriptorStream(pty.fd, setTimer);
    const written = next.write(Buffer.from("next"));
    let heard = "";
    while (!heard.endsWith("next")) heard += Buffer.from((await far.read()) ?? []).toString();
    await written;
    expect(heard.length).toBeLessThan(sent.length);
    expect(sent.toString().startsWith(heard.slice(0, -4))).toBe(true);
    await next.release();
    await end();
  });
});

describe("whether there is Bluetooth", () => {
  test("is no without an adapter, without a kernel for it, and without libc", () => {
    const folder = mkdtempSync(join(tmpdir(), "fiscald-bluetooth-"));
    expect(hasBluetooth(join(folder, "none"), () => kernel({}))).toBe(false);
    expect(hasBluetooth(folder, () => kernel({}))).toBe(false);
    rmSync(folder, { recursive: true });
    expect(hasBluetooth(tmpdir(), () => kernel({ open: () => ({ errno: 97 }) }))).toBe(false);
    const broken = () => {
      throw new Error("requires the JIT");
    };
    expect(hasBluetooth(tmpdir(), broken)).toBe(false);
  });

  test("is yes with both, and leaves no socket open", () => {
    const sockets = kernel({});
    expect(hasBluetooth("/", () => sockets)).toBe(true);
    expect(sockets.closed).toEqual([1_000]);
  });
});
