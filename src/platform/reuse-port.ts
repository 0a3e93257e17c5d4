/**
 * Two servers at one port (`SO_REUSEPORT`), of which the younger one gets all new connections: the
 * kernel would share them out. Source: `man 7 socket`, SO_ATTACH_REUSEPORT_CBPF.
 */

import { dlopen, FFIType, ptr } from "bun:ffi";
import { listeningDescriptors } from "./inbound-connections.ts";

const SOL_SOCKET = 1;
const SO_ATTACH_REUSEPORT_CBPF = 51;
/** A classic BPF program of one instruction: BPF_RET | BPF_K. */
const RETURN_CONSTANT = 0x06;
const INSTRUCTION_BYTES = 8;
/** `struct sock_fprog`: a length, padding, and a pointer. */
const PROGRAM_BYTES = 16;

/**
 * Has the kernel hand new connections of a port to the second of the two sockets of this process
 * that listen there. When the first one is closed, the second one remains.
 * @returns false where that cannot be done, as on another system than Linux, or where the engine runs
 *   without its compiler and so cannot call libc
 */
export function preferSecondListener(port: number): boolean {
  const [descriptor] = listeningDescriptors(port);
  const setsockopt = load();
  if (descriptor === undefined || setsockopt === undefined) return false;
  const instruction = new DataView(new ArrayBuffer(INSTRUCTION_BYTES));
  instruction.setUint16(0, RETURN_CONSTANT, true);
  instruction.setUint32(4, 1, true);
  const program = new DataView(new ArrayBuffer(PROGRAM_BYTES));
  program.setUint16(0, 1, true);
  program.setBigUint64(8, BigInt(ptr(instruction)), true);
  const answer = setsockopt(
    ...[descriptor, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, ptr(program), PROGRAM_BYTES],
  );
  // The kernel has copied it; until then it may not be moved.
  return answer === 0 && instruction.byteLength > 0;
}

type SetSocketOption = (...options: readonly number[]) => number;

function load(): SetSocketOption | undefined {
  if (process.platform !== "linux") return undefined;
  const { i32, ptr: pointer, u32 } = FFIType;
  const setsockopt = { args: [i32, i32, i32, pointer, u32], returns: i32 } as const;
  try {
    const { symbols } = dlopen("libc.so.6", { setsockopt });
    return symbols.setsockopt as unknown as SetSocketOption;
  } catch {
    return undefined;
  }
}
