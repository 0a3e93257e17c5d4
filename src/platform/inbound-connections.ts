/**
 * The connections that a port of this process has accepted, and ending one of them. The HTTP server
 * tells of a connection only when a whole request head has come over it, so the descriptors are
 * looked through instead. Source: `man 2 getpeername`, `man 2 shutdown`, `man 7 ip`, `man 7 ipv6`.
 */

import { dlopen, FFIType } from "bun:ffi";
import { fstatSync, readdirSync, readFileSync } from "node:fs";

const DESCRIPTORS = "/proc/self/fd";
/** Looked through where the list of descriptors cannot be read, for want of a descriptor. */
const DESCRIPTOR_MAX = 65_536;
const AF_INET = 2;
const AF_INET6 = 10;
const SHUT_RDWR = 2;
/** Length of `struct sockaddr_storage`. */
const ADDRESS_BYTES = 128;

/** One accepted connection. */
export interface InboundConnection {
  /** Its alone, for as long as it lives and after. */
  readonly id: string;
  /** The peer's address; IPv4 inside IPv6 as IPv4. */
  readonly address: string;
  readonly descriptor: number;
}

/** The connections of one port. */
export interface InboundConnections {
  list(): InboundConnection[];
  /** Ends a connection of the list that was just made; the server then closes its descriptor. */
  end(connection: InboundConnection): void;
}

/** Undefined where libc cannot be called. */
export function inboundConnections(port: number): InboundConnections | undefined {
  const libc = load();
  if (libc === undefined) return undefined;
  const address = new Uint8Array(ADDRESS_BYTES);
  const length = new Uint32Array(1);
  const read = (what: "getsockname" | "getpeername", descriptor: number): boolean => {
    length[0] = ADDRESS_BYTES;
    return libc[what](descriptor, address, length) === 0;
  };
  return {
    list() {
      const found: InboundConnection[] = [];
      for (const descriptor of descriptors()) {
        if (!read("getsockname", descriptor) || portOf(address) !== port) continue;
        // The listening socket has no peer.
        if (!read("getpeername", descriptor)) continue;
        const peer = addressOf(address);
        const inode = peer === undefined ? undefined : inodeOf(descriptor);
        if (peer === undefined || inode === undefined) continue;
        found.push({ id: `${inode} ${peer} ${portOf(address)}`, address: peer, descriptor });
      }
      return found;
    },
    end: ({ descriptor }) => void libc.shutdown(descriptor, SHUT_RDWR),
  };
}

/** The sockets that listen at a port; none where libc cannot be called. */
export function listeningDescriptors(port: number): number[] {
  const listens = listensAt(port);
  return listens === undefined ? [] : [...descriptors()].filter(listens);
}

/** Tells whether a descriptor is a socket that listens at a port; undefined without libc. */
export function listensAt(port: number): ((descriptor: number) => boolean) | undefined {
  const libc = load();
  if (libc === undefined) return undefined;
  const address = new Uint8Array(ADDRESS_BYTES);
  const length = new Uint32Array(1);
  return (descriptor) => {
    length[0] = ADDRESS_BYTES;
    if (libc.getsockname(descriptor, address, length) !== 0 || portOf(address) !== port) {
      return false;
    }
    length[0] = ADDRESS_BYTES;
    return libc.getpeername(descriptor, address, length) !== 0;
  };
}

/** How many descriptors this process may have; undefined where the system does not tell. */
export function descriptorLimit(): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** Undefined where libc cannot be called; each opening of it would be compiled anew. */
let libc: ReturnType<typeof open>;

function load() {
  libc ??= open();
  return libc;
}

function open() {
  const nameOf = { args: [FFIType.i32, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 } as const;
  const shutdown = { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } as const;
  try {
    return dlopen("libc.so.6", { getsockname: nameOf, getpeername: nameOf, shutdown }).symbols;
  } catch {
    return undefined;
  }
}

function descriptors(): Iterable<number> {
  try {
    return readdirSync(DESCRIPTORS).map(Number);
  } catch {
    return Array.from({ length: DESCRIPTOR_MAX }, (_, descriptor) => descriptor);
  }
}

/** Undefined when it was closed meanwhile. */
function inodeOf(descriptor: number): number | undefined {
  try {
    return fstatSync(descriptor).ino;
  } catch {
    return undefined;
  }
}

/** Family in the machine's order of bytes, the rest in the network's. */
function familyOf(address: Uint8Array): number {
  return (address[0] ?? 0) + (address[1] ?? 0) * 256;
}

/** Undefined when it is the name of another kind of socket. */
function portOf(address: Uint8Array): number | undefined {
  const family = familyOf(address);
  if (family !== AF_INET && family !== AF_INET6) return undefined;
  return (address[2] ?? 0) * 256 + (address[3] ?? 0);
}

function addressOf(address: Uint8Array): string | undefined {
  switch (familyOf(address)) {
    case AF_INET:
      return address.subarray(4, 8).join(".");
    case AF_INET6: {
      const bytes = address.subarray(8, 24);
      const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255;
      if (isMapped) return bytes.subarray(12).join(".");
      const groups = Array.from({ length: 8 }, (_, index) =>
        ((bytes[index * 2] ?? 0) * 256 + (bytes[index * 2 + 1] ?? 0)).toString(16),
      );
      return groups.join(":");
    }
    default:
      return undefined;
  }
}
