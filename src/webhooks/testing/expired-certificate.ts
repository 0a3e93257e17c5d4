/** A certificate whose time is over. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Certificate, ENDPOINT_NAME } from "./https-endpoint.ts";

/** Of `openssl ca`, the only command of every version that takes the dates. */
const CONFIG = `
[authority]
database = index
new_certs_dir = .
serial = serial
default_md = sha256
policy = policy
x509_extensions = extensions
[policy]
commonName = supplied
[extensions]
basicConstraints = CA:TRUE
subjectAltName = DNS:${ENDPOINT_NAME},IP:127.0.0.1
`;

/** Makes one that was good for the first day of 2020; it is its own authority. */
export function makeExpiredCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-expired-"));
  const openssl = (...args: readonly string[]): void => {
    const { exitCode, stderr } = Bun.spawnSync(["openssl", ...args], { cwd: folder });
    if (exitCode !== 0) throw new Error(stderr.toString());
  };
  for (const [file, text] of Object.entries({ config: CONFIG, index: "", serial: "01\n" })) {
    writeFileSync(join(folder, file), text);
  }
  openssl(
    ...["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-subj", `/CN=${ENDPOINT_NAME}`, "-keyout", "key.pem", "-out", "request.pem"],
  );
  openssl(
    ...["ca", "-batch", "-notext", "-selfsign", "-config", "config", "-name", "authority"],
    ...["-startdate", "20200101000000Z", "-enddate", "20200102000000Z"],
    ...["-keyfile", "key.pem", "-in", "request.pem", "-out", "cert.pem"],
  );
  const caFile = join(folder, "cert.pem");
  return {
    caFile,
    key: readFileSync(join(folder, "key.pem")),
    cert: readFileSync(caFile),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
