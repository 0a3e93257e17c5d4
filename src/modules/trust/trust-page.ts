/** The page at `/ca`: how tills, phones and browsers come to trust the gateway's certificate. */

/** It loads nothing and runs nothing. */
export const TRUST_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** The certificate of an authority. */
export interface Authority {
  readonly pem: string;
  readonly der: Uint8Array<ArrayBuffer>;
  /** SHA-256: `AB:CD:...` */
  readonly fingerprint: string;
}

/** The page. */
export function trustPage({ fingerprint }: Authority): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trust this gateway</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
code { background: #eee; padding: 0 .2em; overflow-wrap: anywhere }
</style>
</head>
<body>
<h1>Trust this gateway</h1>
<p>The shop's gateway has an authority of its own. A till, phone or browser that trusts it shows no
warning, and notices when somebody else answers in the gateway's place. Of names the
authority can vouch for those of this shop's network alone; addresses have no such limit. Its key is
at the gateway and in its backups.</p>
<p><a href="/ca.crt">Download fiscald-ca.crt</a> (Windows, Android, iOS, macOS), or
<a href="/ca.pem">fiscald-ca.pem</a>, the same as text.</p>
<p><strong>Compare before you trust it.</strong> At the gateway, <code>fiscald tls</code> shows the
fingerprint of the authority. The certificate that you downloaded has to show the same:</p>
<p><code>${fingerprint}</code></p>
<h2>Windows tills</h2>
<ol>
<li>Open fiscald-ca.crt. Details, Thumbprint is SHA-1; for SHA-256 run
<code>certutil -dump fiscald-ca.crt</code>.</li>
<li>Install Certificate, Local Machine, Place all certificates in the following store,
Trusted Root Certification Authorities. Or as administrator:
<code>certutil -addstore -f Root fiscald-ca.crt</code></li>
<li>Start the till program anew.</li>
</ol>
<h2>Android</h2>
<ol>
<li>Settings, Security, Encryption &amp; credentials, Install a certificate, CA certificate.</li>
<li>Choose fiscald-ca.crt. Browsers trust it then; an app does where its maker allows
certificates that users installed.</li>
</ol>
<h2>Browsers</h2>
<ul>
<li>Chrome and Edge on Windows and macOS take what the system trusts. On Linux: Settings, Privacy
and security, Security, Manage certificates, Custom, Installed by you, Trusted Certificates.</li>
<li>Firefox: Settings, Privacy &amp; Security, View Certificates, Authorities, Import.</li>
</ul>
<h2>iPhone and iPad</h2>
<ol>
<li>Open fiscald-ca.crt in Safari, then Settings, General, VPN &amp; Device Management, and
install it.</li>
<li>Settings, General, About, Certificate Trust Settings: switch it on.</li>
</ol>
<h2>Programs</h2>
<p><code>curl --cacert fiscald-ca.pem</code>; Node.js and Bun
<code>NODE_EXTRA_CA_CERTS=fiscald-ca.pem</code>; Python and .NET on Linux
<code>SSL_CERT_FILE=fiscald-ca.pem</code>; PHP <code>openssl.cafile</code>, <code>curl.cainfo</code>;
<code>fiscald controller --ca fiscald-ca.pem</code>.</p>
</body>
</html>
`;
}
