/** A file for a browser, and how it is sent: compressed, with an ETag and a policy. */

/** A file as it was compressed when it was built. */
export interface PageFile {
  /** With the character set where it is text. */
  readonly contentType: string;
  /** In quotes; another for other content. */
  readonly etag: string;
  /** True where the name changes with the content, so that whoever has it need not ask again. */
  readonly isHashed: boolean;
  /** Paths of the compressed content, or those that the bundler embedded. */
  readonly gzip: string;
  readonly brotli: string;
}

/** By the path that they are asked for at; `/index.html` is the page. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** Answers what no route answers; undefined leaves it unanswered. */
export type Pages = (request: Request, path: string) => Promise<Response | undefined>;

/** What does not follow from the file itself. */
export interface Sending {
  /** The Content-Security-Policy. */
  readonly policy: string;
  /** 200 when absent. */
  readonly status?: number;
}

/**
 * Answers with a file in the smallest form that the browser takes, or with 304 where it has it.
 * @param asked headers of the request
 */
export async function sendFile(
  file: PageFile,
  asked: Headers,
  { policy, status = 200 }: Sending,
): Promise<Response> {
  const headers = {
    "Content-Type": file.contentType,
    "Cache-Control": file.isHashed ? "public, max-age=31536000, immutable" : "no-cache",
    "Content-Security-Policy": policy,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    ETag: file.etag,
    Vary: "Accept-Encoding",
  };
  if (status === 200 && knows(asked, file.etag)) {
    return new Response(null, { status: 304, headers });
  }
  const encoding = encodingFor(asked);
  if (encoding === undefined) {
    return new Response(await unpacked(file), { status, headers });
  }
  const content = Bun.file(encoding === "br" ? file.brotli : file.gzip);
  return new Response(content, { status, headers: { ...headers, "Content-Encoding": encoding } });
}

// Unpacking takes milliseconds in which no till is served, and anybody may ask without a credential. All
// files together come to some megabytes.
const unpackedFiles = new WeakMap<PageFile, Promise<Uint8Array<ArrayBuffer>>>();

/** The content of a file for the few who take no compression: unpacked with the first such request. */
function unpacked(file: PageFile): Promise<Uint8Array<ArrayBuffer>> {
  const kept = unpackedFiles.get(file);
  if (kept !== undefined) return kept;
  const content = Bun.file(file.gzip)
    .bytes()
    .then((bytes) => Bun.gunzipSync(bytes));
  unpackedFiles.set(file, content);
  // What cannot be read now may be there when it is asked for again.
  content.catch(() => unpackedFiles.delete(file));
  return content;
}

function knows(asked: Headers, etag: string): boolean {
  const known = (asked.get("if-none-match") ?? "").split(",").map((tag) => tag.trim());
  return known.some((tag) => tag === "*" || tag.replace(/^W\//, "") === etag);
}

/** The smaller first. Browsers take brotli over HTTPS and from their own machine only. */
function encodingFor(asked: Headers): "br" | "gzip" | undefined {
  const taken = new Set(
    (asked.get("accept-encoding") ?? "")
      .split(",")
      .map((part) =>
        part
          .trim()
          .toLowerCase()
          .split(/\s*;\s*q=/),
      )
      .filter(([, weight = "1"]) => Number(weight) > 0)
      .map(([name]) => name),
  );
  if (taken.has("br")) return "br";
  return taken.has("gzip") ? "gzip" : undefined;
}
