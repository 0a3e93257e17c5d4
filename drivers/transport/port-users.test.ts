import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { portUser, type UserFolders } from "./port-users.ts";

let folder: string;
let folders: UserFolders;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "port-users-"));
  folders = { proc: join(folder, "proc"), locks: join(folder, "lock") };
  mkdirSync(folders.proc);
  mkdirSync(folders.locks);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A process with a file open. */
function run(id: number, program: string, file: string): void {
  const fds = join(folders.proc, String(id), "fd");
  mkdirSync(fds, { recursive: true });
  writeFileSync(join(folders.proc, String(id), "comm"), `${program}\n`);
  symlinkSync("/dev/null", join(fds, "0"));
  symlinkSync(file, join(fds, "3"));
}

test("a port that nothing has open is free", () => {
  run(12, "cat", "/dev/ttyS1");
  expect(portUser("/dev/ttyS0", folders)).toBeUndefined();
});

test("a port that a process has open is used by it, by whatever name it is asked for", () => {
  const port = join(folder, "ttyUSB0");
  writeFileSync(port, "");
  symlinkSync(port, join(folder, "usb-adapter"));
  run(12, "minicom", port);
  expect(portUser(join(folder, "usb-adapter"), folders)).toBe("minicom (process 12)");
});

test("a port that this process has open is not used by another", () => {
  run(process.pid, "fiscald", "/dev/ttyS0");
  expect(portUser("/dev/ttyS0", folders)).toBeUndefined();
});

test("both ends of a pseudo-terminal may be with one program", () => {
  run(12, "simulator", "/dev/pts/7");
  expect(portUser("/dev/pts/7", folders)).toBeUndefined();
});

test("the port of the system's console is used", () => {
  writeFileSync(
    join(folders.proc, "consoles"),
    "tty0                 -WU (EC  p  )    4:1\nttyS0                -W- (E   p a)    4:64\n",
  );
  expect(portUser("/dev/ttyS0", folders)).toBe("the system's console");
  expect(portUser("/dev/ttyS1", folders)).toBeUndefined();
});

test("a lock file counts as long as its process lives", () => {
  writeFileSync(join(folders.locks, "LCK..ttyS0"), "        12\n");
  expect(portUser("/dev/ttyS0", folders)).toBeUndefined();
  run(12, "gammu", "/dev/null");
  expect(portUser("/dev/ttyS0", folders)).toBe("gammu (process 12)");
});

test("a machine without these folders has no users", () => {
  expect(portUser("/dev/ttyS0", { proc: "/nowhere", locks: "/nowhere" })).toBeUndefined();
});
