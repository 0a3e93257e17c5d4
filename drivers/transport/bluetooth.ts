/** Lines over Bluetooth: the serial port profile (RFCOMM) of a printer that is paired already. */

import { readdirSync } from "node:fs";
import type { DriverEnvironment, Line, LineListener } from "#core/driver.ts";
import { FiscalError, type FiscalErrorCode } from "#core/errors.ts";
import { type BluetoothSockets, kernelBluetooth, rfcommAddress } from "./bluetooth-sockets.ts";
import { UNSENT_BYTES_MAX } from "./bounded-line.ts";
import { DescriptorStream } from "./descriptor-stream.ts";
import { LineInbox } from "./line-inbox.ts";

/** How long a connection attempt may take: finding a device over the air takes seconds. */
const BLUETOOTH_CONNECT_TIMEOUT_MS = 15_000;
/** How often it is asked whether an attempt has ended. */
const CONNECT_POLL_MS = 20;
/**
 * The channel that printers offer their serial port on, unless the address names another.
 * UNCONFIRMED: usual for such modules, never read from the devices' service records. The maker's
 * driver of Shtrih-M (shtrih-m/javapos_shtrih, BluetoothPort.java) asks the record for the channel of
 * service 1101h instead of naming one.
 */
const DEFAULT_CHANNEL = 1;

const ADDRESS = /^((?:[0-9A-F]{2}:){5}[0-9A-F]{2})(?:#([1-9]|[12]\d|30))?$/i;

/** Error numbers of Linux, some of which the runtime has no names for. */
const ERRNO = {
  EPERM: 1,
  EACCES: 13,
  EBUSY: 16,
  ENODEV: 19,
  EPROTONOSUPPORT: 93,
  ESOCKTNOSUPPORT: 94,
  EAFNOSUPPORT: 97,
  ECONNRESET: 104,
  ETIMEDOUT: 110,
  ECONNREFUSED: 111,
  EHOSTDOWN: 112,
  EHOSTUNREACH: 113,
  EINPROGRESS: 115,
} as const;

/** Why there is no socket at all; any other number is shown. */
const NO_SOCKET: Readonly<Record<number, string>> = {
  [ERRNO.EPERM]: "this user may not open Bluetooth sockets",
  [ERRNO.EACCES]: "this user may not open Bluetooth sockets",
  [ERRNO.EPROTONOSUPPORT]: "its kernel has no RFCOMM",
  [ERRNO.ESOCKTNOSUPPORT]: "its kernel has no RFCOMM",
  [ERRNO.EAFNOSUPPORT]: "its kernel has no Bluetooth, or the service is not allowed to use it",
};

const CONNECT_ERRORS: Readonly<Record<number, readonly [FiscalErrorCode, string]>> = {
  [ERRNO.EACCES]: ["E100", "it is not paired"],
  [ERRNO.EBUSY]: ["E100", "another connection to it is open"],
  [ERRNO.ENODEV]: ["E103", "there is no Bluetooth adapter"],
  [ERRNO.ECONNRESET]: ["E100", "it broke the connection off"],
  [ERRNO.ETIMEDOUT]: ["E101", "it did not answer"],
  [ERRNO.ECONNREFUSED]: ["E100", "it refused the connection"],
  [ERRNO.EHOSTDOWN]: ["E103", "it is out of reach or switched off"],
  [ERRNO.EHOSTUNREACH]: ["E103", "it is out of reach or switched off"],
};

export interface BluetoothOptions {
  readonly setTimer: DriverEnvironment["setTimer"];
  /** The kernel's unless given. */
  readonly sockets?: () => BluetoothSockets;
}

/** Where the kernel lists the adapters. */
const ADAPTERS = "/sys/class/bluetooth";

/** True when this machine has an adapter, and a kernel that opens lines over it. */
export function hasBluetooth(
  adapters = ADAPTERS,
  sockets: () => BluetoothSockets = kernelBluetooth,
): boolean {
  try {
    if (readdirSync(adapters).length === 0) return false;
    const kernel = sockets();
    const socket = kernel.open();
    if (!("fd" in socket)) return false;
    kernel.close(socket.fd);
    return true;
  } catch {
    return false;
  }
}

/**
 * Connects to a paired device.
 * @param address AA:BB:CC:DD:EE:FF, with #channel where it is not 1
 * @throws FiscalError E100 refused, or no Bluetooth here; E101 no answer in time; E103 not in reach
 */
export async function openBluetooth(address: string, options: BluetoothOptions): Promise<Line> {
  const [, device, channel = String(DEFAULT_CHANNEL)] = ADDRESS.exec(address) ?? [];
  if (device === undefined) throw new FiscalError("E103", `${address} is no Bluetooth address`);
  const sockets = loadSockets(options);
  const socket = sockets.open();
  if (!("fd" in socket)) {
    const reason = NO_SOCKET[socket.errno] ?? `error ${socket.errno}`;
    throw new FiscalError("E100", `This appliance opens no Bluetooth lines: ${reason}`);
  }
  const { fd } = socket;
  try {
    const begun = sockets.connect(fd, rfcommAddress(device, Number(channel)));
    const errno = begun === ERRNO.EINPROGRESS ? await outcome(sockets, fd, options) : begun;
    if (errno !== 0) throw connectError(address, errno);
  } catch (error) {
    sockets.close(fd);
    throw error;
  }
  return new DescriptorLine(new DescriptorStream(fd, options.setTimer), () => sockets.close(fd));
}

function loadSockets({ sockets = kernelBluetooth }: BluetoothOptions): BluetoothSockets {
  try {
    return sockets();
  } catch (cause) {
    throw new FiscalError("E100", "This appliance opens no Bluetooth lines: libc is out of reach", {
      cause: cause instanceof Error ? cause : undefined,
    });
  }
}

async function outcome(
  sockets: BluetoothSockets,
  fd: number,
  { setTimer }: BluetoothOptions,
): Promise<number> {
  let isLate = false;
  const cancel = setTimer(BLUETOOTH_CONNECT_TIMEOUT_MS, () => {
    isLate = true;
  });
  try {
    for (;;) {
      const errno = sockets.outcome(fd);
      if (errno !== undefined) return errno;
      if (isLate) {
        const message = `The device did not answer within ${BLUETOOTH_CONNECT_TIMEOUT_MS} ms`;
        throw new FiscalError("E101", message);
      }
      await new Promise<void>((resolve) => setTimer(CONNECT_POLL_MS, resolve));
    }
  } finally {
    cancel();
  }
}

function connectError(address: string, errno: number): FiscalError {
  const [code, reason] = CONNECT_ERRORS[errno] ?? ["E100", `error ${errno}`];
  return new FiscalError(code, `Cannot reach ${address}: ${reason}`);
}

/** A connected descriptor as a line. */
class DescriptorLine implements Line {
  readonly #stream: DescriptorStream;
  readonly #inbox = new LineInbox();
  readonly #closeDescriptor: () => void;
  #unsent: Uint8Array[] = [];
  #unsentBytes = 0;
  #sending = false;

  constructor(stream: DescriptorStream, closeDescriptor: () => void) {
    this.#stream = stream;
    this.#closeDescriptor = closeDescriptor;
    void this.#hear();
  }

  write(bytes: Uint8Array): void {
    if (!this.#inbox.isOpen) return;
    this.#unsent.push(bytes.slice());
    this.#unsentBytes += bytes.length;
    if (this.#unsentBytes > UNSENT_BYTES_MAX) {
      this.#break(new Error("the device does not take what is sent"));
    } else if (!this.#sending) void this.#send();
  }

  listen(listener: LineListener): void {
    this.#inbox.listen(listener);
  }

  close(): void {
    this.#inbox.close();
    void this.#release();
  }

  async #hear(): Promise<void> {
    for (;;) {
      const chunk = await this.#stream.read();
      if (chunk === undefined) break;
      if (!this.#inbox.hear(chunk)) break;
    }
    this.#break(new Error("the device hung up"));
  }

  async #send(): Promise<void> {
    this.#sending = true;
    try {
      for (let next = this.#unsent.shift(); next !== undefined; next = this.#unsent.shift()) {
        await this.#stream.write(next);
        this.#unsentBytes -= next.length;
      }
    } catch (error) {
      this.#break(error);
    } finally {
      this.#sending = false;
    }
  }

  #break(cause: unknown): void {
    this.#unsent = [];
    void this.#release();
    this.#inbox.lose(cause);
  }

  async #release(): Promise<void> {
    if (this.#stream.released) return;
    await this.#stream.release();
    this.#closeDescriptor();
  }
}
