/**
 * A simulated device's serial port: a pseudo-terminal under a lasting name, as udev gives one to a
 * USB adapter. Pulling the cable takes the name away and hangs up; plugging it in again makes
 * another terminal under the same name.
 */

import { lstatSync, readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { DescriptorStream } from "../../transport/descriptor-stream.ts";
import { type DevicePort, type PortDevice, type PortLine, UNREAD_BYTES_MAX } from "./port.ts";
import { openPty, type Pty } from "./pty.ts";

/** The name is taken by something that is no symbolic link of ours to replace. */
export class SymlinkTaken extends Error {
  override readonly name = "SymlinkTaken";
}

/**
 * Makes a terminal and a symlink to it.
 * @throws SymlinkTaken, or the error of the system
 */
export async function openPtyPort(symlink: string, device: PortDevice): Promise<DevicePort> {
  requireFree(symlink);
  const port = new PtyPort(symlink, device);
  await port.plug();
  return port;
}

class PtyPort implements DevicePort {
  /** A terminal has none. */
  readonly number = 0;
  readonly #symlink: string;
  readonly #device: PortDevice;
  #cable: Cable | undefined;
  /** The cable is being pulled or put back: one after another. */
  #moving: Promise<void> = Promise.resolve();
  #isOut = false;

  constructor(symlink: string, device: PortDevice) {
    this.#symlink = symlink;
    this.#device = device;
  }

  async plug(): Promise<void> {
    const pty = await openPty();
    this.#cable = new Cable(pty, this.#device, () => {
      this.interrupt();
      this.restore();
    });
    pointSymlink(this.#symlink, pty.path);
  }

  interrupt(): void {
    this.#isOut = true;
    const cable = this.#cable;
    if (cable === undefined) return;
    this.#cable = undefined;
    removeSymlink(this.#symlink, cable.path);
    const pulled = cable.pull();
    this.#move(() => pulled);
  }

  restore(): void {
    this.#isOut = false;
    this.#move(async () => {
      if (this.#isOut || this.#cable) return;
      await this.plug();
      // Pulled again while it was on its way in.
      if (this.#isOut) this.interrupt();
    });
  }

  async stop(): Promise<void> {
    this.interrupt();
    await this.#moving;
    // A cable that was on its way in has pulled itself out meanwhile.
    await this.#moving;
  }

  #move(step: () => Promise<void>): void {
    this.#moving = this.#moving.then(step);
  }
}

/** One terminal as the device's line to whichever host has it open. */
class Cable implements PortLine {
  readonly path: string;
  readonly #pty: Pty;
  readonly #stream: DescriptorStream;
  readonly #cut: () => void;
  #unsent: Uint8Array[] = [];
  #unsentBytes = 0;
  #sending = false;
  #pulled = false;

  constructor(pty: Pty, device: PortDevice, cut: () => void) {
    this.path = pty.path;
    this.#pty = pty;
    this.#cut = cut;
    this.#stream = new DescriptorStream(pty.fd, device.setTimer);
    void this.#hear(device.connect(this));
  }

  get isOpen(): boolean {
    return !this.#pulled;
  }

  send(bytes: Uint8Array): void {
    // A cable has no flow control: what a host leaves unread is lost, and the device never knows.
    if (this.#pulled || this.#unsentBytes + bytes.length > UNREAD_BYTES_MAX) return;
    this.#unsent.push(bytes);
    this.#unsentBytes += bytes.length;
    if (!this.#sending) void this.#send();
  }

  cut(): void {
    if (!this.#pulled) this.#cut();
  }

  /** Ends the terminal; nothing is sent or heard any more from the moment of the call. */
  async pull(): Promise<void> {
    this.#pulled = true;
    await this.#stream.release();
    await this.#pty.close();
  }

  async #hear(take: (chunk: Uint8Array) => void): Promise<void> {
    for (;;) {
      const chunk = await this.#stream.read();
      if (chunk === undefined || this.#pulled) return;
      take(chunk);
    }
  }

  async #send(): Promise<void> {
    this.#sending = true;
    for (let next = this.#unsent.shift(); next !== undefined; next = this.#unsent.shift()) {
      // False when the cable was pulled meanwhile: the rest is lost with it.
      if (!(await this.#stream.write(next))) return;
      this.#unsentBytes -= next.length;
    }
    this.#sending = false;
  }
}

function requireFree(symlink: string): void {
  const found = lstatSync(symlink, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink()) return;
  throw new SymlinkTaken(`${symlink} is there already and is no symlink`);
}

/** Points the name at a terminal, without a moment in which it is half made. */
function pointSymlink(symlink: string, target: string): void {
  const fresh = `${symlink}.${process.pid}`;
  rmSync(fresh, { force: true });
  symlinkSync(target, fresh);
  renameSync(fresh, symlink);
}

/** Takes the name away, unless another simulator has it by now. */
function removeSymlink(symlink: string, target: string): void {
  try {
    if (readlinkSync(symlink) === target) rmSync(symlink);
  } catch {
    // It is gone already.
  }
}
