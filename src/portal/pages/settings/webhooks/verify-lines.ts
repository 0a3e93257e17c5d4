/**
 * How a receiver tells that the gateway sent something, in four languages, ready to copy: by the
 * header X-Service-Signature and the body as it arrived, within five minutes.
 */

export const VERIFY_LANGUAGES = ["TypeScript", "Python", "PHP", "C#"] as const;
export type VerifyLanguage = (typeof VERIFY_LANGUAGES)[number];

/** @param secret as it was shown, `whsec_` and base64: no quote of any language is in it */
export function verifyLines(language: VerifyLanguage, secret: string): string {
  return LINES[language](secret);
}

const LINES: Readonly<Record<VerifyLanguage, (secret: string) => string>> = {
  TypeScript: (secret) => `import { createHmac, timingSafeEqual } from "node:crypto";

const SECRET = "${secret}";

export function isFromGateway(header: string, body: string): boolean {
  const [, t = "", v1 = ""] = /^t=(\\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const ours = createHmac("sha256", SECRET).update(\`\${t}.\${body}\`).digest();
  const isFresh = Math.abs(Date.now() / 1000 - Number(t)) < 300;
  return v1 !== "" && isFresh && timingSafeEqual(Buffer.from(v1, "hex"), ours);
}
`,
  Python: (secret) => `import hashlib
import hmac
import re
import time

SECRET = b"${secret}"


def is_from_gateway(header: str, body: bytes) -> bool:
    found = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", header)
    if found is None or abs(time.time() - int(found[1])) >= 300:
        return False
    ours = hmac.new(SECRET, found[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(ours, found[2])
`,
  PHP: (secret) => `const SECRET = '${secret}';

function isFromGateway(string $header, string $body): bool
{
    if (!preg_match('/^t=(\\d{1,12}),v1=([0-9a-f]{64})$/D', $header, $found)) {
        return false;
    }
    $ours = hash_hmac('sha256', "$found[1].$body", SECRET);
    return abs(time() - (int) $found[1]) < 300 && hash_equals($ours, $found[2]);
}
`,
  "C#": (secret) => `using System;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

static class Webhook
{
    const string Secret = "${secret}";

    public static bool IsFromGateway(string header, string body)
    {
        var found = Regex.Match(header, @"^t=([0-9]{1,12}),v1=([0-9a-f]{64})\\z");
        if (!found.Success) return false;
        string at = found.Groups[1].Value, given = found.Groups[2].Value;
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(Secret)))
        {
            var hash = hmac.ComputeHash(Encoding.UTF8.GetBytes(at + "." + body));
            var ours = BitConverter.ToString(hash).Replace("-", "").ToLowerInvariant();
            var difference = 0;
            for (var index = 0; index < ours.Length; index++) difference |= ours[index] ^ given[index];
            var age = DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(at);
            return difference == 0 && Math.Abs(age) < 300;
        }
    }
}
`,
};
