/** When certificate files are read again. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority, issueCertificate } from "./authority.ts";
import { CertificateFiles } from "./certificate-files.ts";
import type { KeyAndCertificate } from "./pem.ts";

const DAY_MS = 86_400_000;
const BYTES = 4_096;
const MADE_AT = new Date(2026, 0, 15);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-files-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("files that time and size tell nothing of are read again, and a fault is told once", async () => {
  const validity = { notBefore: Date.now() - DAY_MS, notAfter: Date.now() + DAY_MS };
  const authority = await createAuthority({ name: "Shop", domains: ["local"], validity });
  const pairOf = (name: string): Promise<KeyAndCertificate> =>
    issueCertificate(authority, { domains: [name], addresses: [], validity });
  const paths = { certificate: join(folder, "c.pem"), key: join(folder, "k.pem") };
  const put = (path: string, text: string): void => {
    writeFileSync(path, text.padEnd(BYTES, "\n"));
    utimesSync(path, MADE_AT, MADE_AT);
  };
  const [first, second] = [await pairOf("first.local"), await pairOf("second.local")];
  put(paths.certificate, first.certificate);
  put(paths.key, first.key);
  const told: unknown[] = [];
  const files = new CertificateFiles({
    ...paths,
    log: { warn: (_, about) => void told.push(about) },
  });
  expect(files.look().names).toEqual(["first.local"]);

  put(paths.certificate, second.certificate);
  for (const _ of [1, 2, 3]) expect(files.look().names).toEqual(["first.local"]);
  expect(files.trouble).toBe("the private key is not that of the certificate");
  expect(told).toHaveLength(1);

  put(paths.key, second.key);
  expect(files.look().names).toEqual(["second.local"]);
  expect(files.trouble).toBeUndefined();
});
