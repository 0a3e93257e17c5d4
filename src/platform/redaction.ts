/** Keeps secrets out of the log, and the log's lines within bounds. */

/** Stands where a secret was. */
const SECRET_MARK = "[secret]";
/** Shorter ones would blot out words that stand for something else. */
const KNOWN_CHARACTERS_MIN = 6;
const DEPTH_MAX = 6;
const STRING_CHARACTERS_MAX = 8_192;
const ENTRIES_MAX = 100;

/**
 * Field names whose values never reach the log, in lower case without `-` and `_`. A name that
 * ends in one of them counts too: `operatorPassword`, `refresh_token`, `X-Api-Key`.
 */
const SECRET_NAMES = [
  "password",
  "passwordhash",
  "token",
  "secret",
  "apikey",
  "relaykey",
  "metrics.key",
  // Lines for the shell that may hold the key of a name server's interface, or of a store.
  "dnscommand",
  "backup.command",
  "privatekey",
  "authorization",
  "cookie",
  "ticket",
  "customercif",
] as const;

/** True for a field whose value must not be logged or shown. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[-_]/g, "");
  return SECRET_NAMES.some((secret) => plain.endsWith(secret));
}

/** Secrets that carry their own mark: API keys, webhook secrets, credentials in headers and URLs. */
const SECRET_TEXT =
  /svc_live_[0-9a-z]+_[0-9a-f]+|whsec_[0-9A-Za-z+/=]+|(?<=Bearer )[^\s"',]+|(?<=:\/\/)[^\s/"'@]+(?=@)/g;

/** The query of an address. */
const QUERY_TEXT = /(?<=:\/\/[^\s"'?]*\?)[^\s"'#]+/g;

/** A text without the passwords and queries of the addresses in it: a query may hold a key. */
export function withoutAccess(text: string): string {
  return text.replace(SECRET_TEXT, SECRET_MARK).replace(QUERY_TEXT, SECRET_MARK);
}

function cleanString(text: string): string {
  const isLong = text.length > STRING_CHARACTERS_MAX;
  const shown = isLong ? text.slice(0, STRING_CHARACTERS_MAX) : text;
  const clean = shown.replace(SECRET_TEXT, SECRET_MARK);
  return isLong ? `${clean}… (${text.length} characters)` : clean;
}

function describeError(error: Error, depth: number): Record<string, unknown> {
  const code = "code" in error ? error.code : undefined;
  return {
    name: error.name,
    message: cleanString(error.message),
    ...(code === undefined ? {} : { code: redact(code, depth + 1) }),
    ...(error.stack === undefined ? {} : { stack: cleanString(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  };
}

/**
 * A copy of a value as the log may show it: secrets masked, errors spelled out, bytes as hex,
 * and depth, length and number of entries cut to a bound, so that cycles end too.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return cleanString(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEPTH_MAX) return "[too deep]";
  if (value instanceof Error) return describeError(value, depth);
  if (value instanceof Date) return value.toJSON();
  if (value instanceof Uint8Array) return cleanString(Buffer.from(value).toString("hex"));
  if (Array.isArray(value)) {
    const shown = value.slice(0, ENTRIES_MAX).map((entry) => redact(entry, depth + 1));
    return value.length > ENTRIES_MAX ? [...shown, `… (${value.length} entries)`] : shown;
  }
  return redactFields(value, depth);
}

/** `redact` for a record of fields. */
export function redactFields(fields: object, depth = 0): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(fields).slice(0, ENTRIES_MAX)) {
    const isHidden = isSecretName(name) && entry !== undefined && entry !== null;
    copy[name] = isHidden ? SECRET_MARK : redact(entry, depth + 1);
  }
  return copy;
}

/** Takes secrets that are known out of texts, wherever they stand; those of a few characters stay. */
export function remover(secrets: readonly string[]): (text: string) => string {
  // The longest first: one may lie in another.
  const known = [...new Set(secrets)]
    .filter(({ length }) => length >= KNOWN_CHARACTERS_MIN)
    .sort((one, other) => other.length - one.length);
  return (text) => known.reduce((rest, secret) => rest.replaceAll(secret, SECRET_MARK), text);
}
