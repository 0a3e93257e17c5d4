/** A certificate that somebody else makes and renews, such as a tool of the shop's own authority. */

import type { Log } from "../platform/log.ts";
import { readSmallFile } from "../platform/small-file.ts";
import { errorText } from "../platform/thrown.ts";
import { isSamePair, readServerCertificate, type ServerCertificate } from "./pem.ts";

/** A chain of certificates has a few kilobytes. */
const PEM_BYTES_MAX = 1_048_576;

/** Where they are; one file may hold both. */
export interface CertificateFilesOptions {
  /** PEM: the server's certificate, then those between it and the authority. */
  readonly certificate: string;
  readonly key: string;
  readonly log: Pick<Log, "warn">;
}

/**
 * Reads the files at each look, and keeps to the last pair that was one. They are small, and neither
 * their times nor their size tell that somebody was let in who may read them.
 */
export class CertificateFiles {
  readonly #options: CertificateFilesOptions;
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
      const pair = {
        certificate: readSmallFile(files.certificate, PEM_BYTES_MAX),
        key: readSmallFile(files.key, PEM_BYTES_MAX),
      };
      if (this.#read === undefined || !isSamePair(pair, this.#read)) {
        this.#read = readServerCertificate(pair, files);
      }
      this.#trouble = undefined;
    } catch (error) {
      if (this.#read === undefined) throw error;
      const trouble = errorText(error);
      // A look is made every few seconds.
      if (trouble !== this.#trouble) {
        log.warn("the certificate files cannot be used: the certificate stays as it was", {
          error,
        });
      }
      this.#trouble = trouble;
    }
    return this.#read;
  }
}
