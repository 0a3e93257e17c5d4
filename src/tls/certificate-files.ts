/** A certificate that somebody else makes and renews, such as a tool of the shop's own authority. */

import { statSync } from "node:fs";
import type { Log } from "../platform/log.ts";
import { readSmallFile } from "../platform/small-file.ts";
import { errorText } from "../platform/thrown.ts";
import { readServerCertificate, type ServerCertificate } from "./pem.ts";

/** A chain of certificates has a few kilobytes. */
const PEM_BYTES_MAX = 1_048_576;

/** Where they are; one file may hold both. */
export interface CertificateFilesOptions {
  /** PEM: the server's certificate, then those between it and the authority. */
  readonly certificate: string;
  readonly key: string;
  readonly log: Pick<Log, "warn">;
}

/** Reads the files again when they change; keeps to the last pair that was one. */
export class CertificateFiles {
  readonly #options: CertificateFilesOptions;
  #version = "";
  #read: ServerCertificate | undefined;
  #trouble: string | undefined;

  constructor(options: CertificateFilesOptions) {
    this.#options = options;
  }

  /** Why the files are not what is served; undefined while they are. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /**
   * The certificate to serve with now.
   * @throws Error with the reason while there was none that could be used yet
   */
  look(): ServerCertificate {
    const { log, ...files } = this.#options;
    try {
      const version = versionOf(files.certificate) + versionOf(files.key);
      if (this.#read !== undefined && version === this.#version) return this.#read;
      // First the version: a file that changes meanwhile is then read once more.
      this.#version = version;
      const pair = {
        certificate: readSmallFile(files.certificate, PEM_BYTES_MAX),
        key: readSmallFile(files.key, PEM_BYTES_MAX),
      };
      this.#read = readServerCertificate(pair, files);
      this.#trouble = undefined;
    } catch (error) {
      if (this.#read === undefined) throw error;
      this.#trouble = errorText(error);
      log.warn("the certificate files cannot be used: the certificate stays as it was", { error });
    }
    return this.#read;
  }
}

function versionOf(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined ? "none " : `${status.mtimeMs} ${status.ino} ${status.size} `;
}
