// SPDX-License-Identifier: Apache-2.0
// Takes what a webhook delivers, once each. README.md beside this file says how to run it.
// .NET 8 or later, with its web framework, and nothing else.

using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

const int StaleSeconds = 300; // what was signed longer ago may be somebody's recording
const int BodyBytesMax = 8_000_000;
const int IdsMax = 10_000;

var secret = Environment.GetEnvironmentVariable("FISCALD_WEBHOOK_SECRET") ?? "";
var port = Environment.GetEnvironmentVariable("PORT") ?? "8090";
if (!secret.StartsWith("whsec_"))
{
    Console.Error.WriteLine("Set FISCALD_WEBHOOK_SECRET to the secret shown when the webhook was subscribed.");
    return 2;
}
var key = Convert.FromBase64String(secret["whsec_".Length..]);

// Ids of the last events. A shop keeps them in its database, in the transaction of what it does.
var seen = new HashSet<string>();
var order = new Queue<string>();

var builder = WebApplication.CreateBuilder();
builder.Logging.ClearProviders();
builder.WebHost.UseUrls($"http://127.0.0.1:{port}");
builder.WebHost.ConfigureKestrel(options => options.Limits.MaxRequestBodySize = BodyBytesMax);
var app = builder.Build();

// True for what the gateway has signed with our secret, just now.
bool IsFromGateway(IHeaderDictionary headers, byte[] body)
{
    string id = headers["webhook-id"].ToString(), at = headers["webhook-timestamp"].ToString();
    if (!long.TryParse(at, out var seconds)) return false;
    if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > StaleSeconds) return false;
    byte[] signed = [.. Encoding.UTF8.GetBytes($"{id}.{at}."), .. body];
    var ours = Encoding.ASCII.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(key, signed)));
    // One header may hold several signatures.
    return headers["webhook-signature"].ToString().Split(' ')
        .Any(given => CryptographicOperations.FixedTimeEquals(Encoding.ASCII.GetBytes(given), ours));
}

app.MapPost("/{**path}", async (HttpRequest request) =>
{
    using var stream = new MemoryStream();
    await request.Body.CopyToAsync(stream);
    var body = stream.ToArray();
    if (!IsFromGateway(request.Headers, body)) return Results.StatusCode(401);
    using var parsed = JsonDocument.Parse(body);
    var id = parsed.RootElement.GetProperty("id").GetString()!;
    var type = parsed.RootElement.GetProperty("type").GetString()!;
    lock (seen)
    {
        if (seen.Contains(id)) return Results.NoContent();
        Console.WriteLine($"{type} {id}"); // your work stands here; answer with 5xx and it comes again
        seen.Add(id);
        order.Enqueue(id);
        if (order.Count > IdsMax) seen.Remove(order.Dequeue());
    }
    return Results.NoContent();
});

await app.StartAsync();
Console.WriteLine($"listening on port {port}");
await app.WaitForShutdownAsync();
return 0;
