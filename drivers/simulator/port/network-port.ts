/** A simulated device's port on the network, or at a socket in the file system. */

import { createServer, type Server, type Socket } from "node:net";
import { type DevicePort, type PortDevice, type PortLine, UNREAD_BYTES_MAX } from "./port.ts";

/** Hosts connected at one time; further ones are turned away. */
const LINES_MAX = 4;

/** Listens on TCP; port 0 picks a free one. @throws Error of the system, such as EADDRINUSE */
export function openNetworkPort(
  address: { readonly host: string; readonly port: number },
  device: PortDevice,
): Promise<DevicePort> {
  const port = new NetworkPort(device);
  return port.listen(address);
}

/**
 * Listens on a Unix socket, which only who may write to it reaches.
 * @param path at most 107 bytes; nothing may be there yet
 * @throws Error of the system, such as EADDRINUSE
 */
export function openSocketPort(path: string, device: PortDevice): Promise<DevicePort> {
  return new NetworkPort(device).listen({ path });
}

class NetworkPort implements DevicePort {
  readonly #device: PortDevice;
  readonly #server: Server;
  readonly #lines = new Set<PortLine>();
  #isLetIn = true;

  constructor(device: PortDevice) {
    this.#device = device;
    this.#server = createServer({ noDelay: true }, (socket) => this.#admit(socket));
  }

  get number(): number {
    const address = this.#server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  listen(
    address: { readonly host: string; readonly port: number } | { readonly path: string },
  ): Promise<this> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      const ready = () => {
        this.#server.off("error", reject);
        resolve(this);
      };
      if ("path" in address) this.#server.listen(address.path, ready);
      else this.#server.listen(address.port, address.host, ready);
    });
  }

  interrupt(): void {
    this.#isLetIn = false;
    for (const line of this.#lines) line.cut();
  }

  restore(): void {
    this.#isLetIn = true;
  }

  stop(): Promise<void> {
    this.interrupt();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #admit(socket: Socket): void {
    if (this.#lines.size >= LINES_MAX || !this.#isLetIn) {
      socket.destroy();
      this.#device.turnedAway?.();
      return;
    }
    const line: PortLine = {
      get isOpen() {
        return !socket.destroyed;
      },
      send: (bytes) => {
        if (socket.destroyed) return;
        socket.write(bytes);
        if (socket.writableLength > UNREAD_BYTES_MAX) socket.destroy();
      },
      cut: () => {
        socket.destroy();
      },
    };
    this.#lines.add(line);
    const take = this.#device.connect(line);
    socket.on("data", (chunk) => {
      // Without an encoding set, a socket gives bytes only.
      if (typeof chunk !== "string") take(chunk);
    });
    // The close that follows says all there is to say about a line that broke.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#lines.delete(line));
  }
}
