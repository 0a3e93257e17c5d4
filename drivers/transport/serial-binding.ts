/**
 * Serial ports on Bun, behind the interface of the serialport project:
 *
 *   SerialPortStream ── SerialBinding ── native functions      open, settings, modem lines, close
 *                            └────────── DescriptorStream      bytes
 */

import type {
  BindingInterface,
  BindingPortInterface,
  BindingsErrorInterface,
  OpenOptions,
  PortInfo,
  PortStatus,
  SetOptions,
  UpdateOptions,
} from "@serialport/bindings-interface";
import type { DriverEnvironment } from "#core/driver.ts";
import { DescriptorStream } from "./descriptor-stream.ts";
import { completeOptions, nativeSerial } from "./native-serial.ts";
import { unlockPort } from "./port-lock.ts";
import { listSerialPorts } from "./serial-ports.ts";

/** Opens ports for a `SerialPortStream`. */
export class SerialBinding implements BindingInterface<SerialBindingPort> {
  readonly #setTimer: DriverEnvironment["setTimer"];

  constructor(setTimer: DriverEnvironment["setTimer"]) {
    this.#setTimer = setTimer;
  }

  async list(): Promise<PortInfo[]> {
    return listSerialPorts().map((port) => ({
      path: port.path,
      manufacturer: port.manufacturer ?? undefined,
      serialNumber: port.serialNumber ?? undefined,
      pnpId: port.byId ?? undefined,
      locationId: port.location ?? undefined,
      productId: port.productId ?? undefined,
      vendorId: port.vendorId ?? undefined,
    }));
  }

  /** @throws Error whose text alone says why, as the native functions give no codes */
  async open(options: OpenOptions): Promise<SerialBindingPort> {
    const complete = completeOptions(options);
    const fd = await nativeSerial().open(complete);
    return new SerialBindingPort(fd, complete, this.#setTimer);
  }
}

/** One open port. */
class SerialBindingPort implements BindingPortInterface {
  readonly openOptions: Required<OpenOptions>;
  readonly #stream: DescriptorStream;
  readonly #fd: number;
  /** What a reader asked too little of; chunks are as long as the kernel's buffers were full. */
  #rest: Uint8Array = NOTHING;

  constructor(
    fd: number,
    openOptions: Required<OpenOptions>,
    setTimer: DriverEnvironment["setTimer"],
  ) {
    this.#fd = fd;
    this.openOptions = openOptions;
    this.#stream = new DescriptorStream(fd, setTimer);
  }

  get isOpen(): boolean {
    return !this.#stream.released;
  }

  async close(): Promise<void> {
    this.#requireOpen();
    await this.#stream.release();
    // Bytes that cannot leave any more would hold up the closing for as long as the driver waits.
    await nativeSerial()
      .flush(this.#fd)
      .catch(() => {
        // A port whose device is gone has nothing left to throw away.
      });
    unlockPort(this.#fd);
    await nativeSerial().close(this.#fd);
  }

  async read(
    buffer: Buffer,
    offset: number,
    length: number,
  ): Promise<{ buffer: Buffer; bytesRead: number }> {
    this.#requireOpen();
    const chunk = this.#rest.length > 0 ? this.#rest : await this.#stream.read();
    if (!this.isOpen) throw canceled();
    if (chunk === undefined) throw new Error("the device hung up");
    const bytesRead = Math.min(length, chunk.length);
    buffer.set(chunk.subarray(0, bytesRead), offset);
    this.#rest = chunk.subarray(bytesRead);
    return { buffer, bytesRead };
  }

  async write(buffer: Buffer): Promise<void> {
    this.#requireOpen();
    const isWritten = await this.#stream.write(buffer);
    if (!isWritten) throw canceled();
  }

  async update({ baudRate }: UpdateOptions): Promise<void> {
    this.#requireOpen();
    await nativeSerial().update(this.#fd, { baudRate });
  }

  async set(options: SetOptions): Promise<void> {
    this.#requireOpen();
    await nativeSerial().set(this.#fd, options);
  }

  async get(): Promise<PortStatus> {
    this.#requireOpen();
    return nativeSerial().get(this.#fd);
  }

  async getBaudRate(): Promise<{ baudRate: number }> {
    this.#requireOpen();
    return nativeSerial().getBaudRate(this.#fd);
  }

  async flush(): Promise<void> {
    this.#requireOpen();
    await nativeSerial().flush(this.#fd);
  }

  async drain(): Promise<void> {
    this.#requireOpen();
    await nativeSerial().drain(this.#fd);
  }

  #requireOpen(): void {
    if (!this.isOpen) throw canceled();
  }
}

const NOTHING = new Uint8Array();

/** How the interface wants to hear that a port was closed under a read or a write. */
function canceled(): BindingsErrorInterface {
  return Object.assign(new Error("the port was closed"), { canceled: true });
}
