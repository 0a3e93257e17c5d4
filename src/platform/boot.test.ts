import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { currentBoot } from "./boot.ts";

const KERNEL = "/proc/sys/kernel/random/boot_id";
const HIDDEN = "/proc/there-is-no-such-file";
const TOLD = "0123456789abcdef0123456789abcdef";

const upSeconds = (): number => Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]);

describe("the boot of the machine", () => {
  test("is told by the kernel, whatever the environment says", () => {
    const id = readFileSync(KERNEL, "utf8").trim().replaceAll("-", "");
    expect(currentBoot({})?.id).toBe(id);
    expect(currentBoot({ BOOT_ID: TOLD })?.id).toBe(id);
  });

  test("is told by the service's unit where the kernel's word is hidden", () => {
    expect(currentBoot({ BOOT_ID: TOLD }, HIDDEN)?.id).toBe(TOLD);
  });

  test.each([undefined, "", "of today", `${TOLD} ${TOLD}`])("is not known by %p", (told) => {
    expect(currentBoot({ BOOT_ID: told }, HIDDEN)).toBeUndefined();
  });

  test("has the age that the kernel tells, sleep included", () => {
    const boot = currentBoot({});
    const before = upSeconds();
    const seconds = (boot?.uptime() ?? 0) / 1_000;
    // That of the file is cut to hundredths.
    expect(seconds).toBeGreaterThanOrEqual(before);
    expect(seconds).toBeLessThan(upSeconds() + 0.01);
  });
});
