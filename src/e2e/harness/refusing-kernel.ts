/**
 * Runs a command under a filter of system calls that are refused with EPERM, as a service of systemd
 * with `SystemCallFilter=~@resources` and `SystemCallErrorNumber=EPERM` runs:
 * bun refusing-kernel.ts COMMAND ARGUMENTS...
 *
 * The filter stays with the process and its children for good.
 * https://docs.kernel.org/userspace-api/seccomp_filter.html
 */

import { dlopen, FFIType, ptr } from "bun:ffi";

/** The group @resources, as `systemd-analyze syscall-filter @resources` lists it. */
const REFUSED: Readonly<Record<string, readonly number[]>> = {
  // setpriority, sched_setparam, sched_setscheduler, setrlimit, sched_setaffinity, mbind,
  // set_mempolicy, ioprio_set, migrate_pages, move_pages, sched_setattr
  x64: [141, 142, 144, 160, 203, 237, 238, 251, 256, 279, 314],
  arm64: [140, 118, 119, 164, 122, 235, 237, 30, 238, 239, 274],
};

const PR_SET_NO_NEW_PRIVS = 38;
const PR_SET_SECCOMP = 22;
const SECCOMP_MODE_FILTER = 2;
const LOAD_NUMBER = { code: 0x20, k: 0 };
const JUMP_IF_EQUAL = 0x15;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const REFUSE_EPERM = 0x00050001;

/** `struct sock_filter` */
interface Instruction {
  readonly code: number;
  readonly k: number;
  /** Instructions to skip when it is equal. */
  readonly jt?: number;
}

function filterOf(refused: readonly number[]): Instruction[] {
  return [
    LOAD_NUMBER,
    // Behind them stands first the word that allows, then the one that refuses.
    ...refused.map((k, at) => ({ code: JUMP_IF_EQUAL, k, jt: refused.length - at })),
    { code: RETURN, k: ALLOW },
    { code: RETURN, k: REFUSE_EPERM },
  ];
}

function install(instructions: readonly Instruction[]): void {
  const filter = Buffer.alloc(8 * instructions.length);
  for (const [at, { code, k, jt = 0 }] of instructions.entries()) {
    filter.writeUInt16LE(code, 8 * at);
    filter.writeUInt8(jt, 8 * at + 2);
    filter.writeUInt32LE(k, 8 * at + 4);
  }
  const program = Buffer.alloc(16);
  program.writeUInt16LE(instructions.length, 0);
  program.writeBigUInt64LE(BigInt(ptr(filter)), 8);
  const { i32, u64, ptr: pointer } = FFIType;
  const set = dlopen("libc.so.6", { prctl: { args: [i32, u64, pointer, u64, u64], returns: i32 } });
  const on = dlopen("libc.so.6", { prctl: { args: [i32, u64, u64, u64, u64], returns: i32 } });
  if (on.symbols.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) !== 0) throw new Error("no new rights");
  if (set.symbols.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0) !== 0) {
    throw new Error("the kernel takes no filter");
  }
}

const [program = "", ...args] = process.argv.slice(2);
const refused = REFUSED[process.arch];
if (refused === undefined) throw new Error(`system calls of ${process.arch} are not known`);
install(filterOf(refused));
process.execve?.(program, [program, ...args], { ...process.env } as Record<string, string>);
