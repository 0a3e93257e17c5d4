// SPDX-License-Identifier: Apache-2.0
// Takes what a webhook delivers, once each. README.md beside this file says how to run it.
// Nothing but .NET 6 or later, .NET Framework 4.7.2 or later, or Mono 6: what it uses is in all three.

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;
using System.Xml;
using System.Xml.Linq;

static class Receiver
{
    const int StaleSeconds = 300; // what was signed longer ago may be somebody's recording
    const int BodyBytesMax = 8000000;
    const int IdsMax = 10000;
    const int BodyMs = 10000; // the gateway waits no longer either

    // Ids of the last events. A shop keeps them in its database, in the transaction of what it does.
    static readonly HashSet<string> Seen = new HashSet<string>();
    static readonly Queue<string> Order = new Queue<string>();

    static int Main()
    {
        var secret = Environment.GetEnvironmentVariable("FISCALD_WEBHOOK_SECRET") ?? "";
        var port = Environment.GetEnvironmentVariable("PORT") ?? "8090";
        if (!secret.StartsWith("whsec_", StringComparison.Ordinal))
        {
            Console.Error.WriteLine(
                "Set FISCALD_WEBHOOK_SECRET to the secret shown when the webhook was subscribed.");
            return 2;
        }
        var key = Convert.FromBase64String(secret.Substring("whsec_".Length));
        using (var listener = new HttpListener())
        {
            listener.Prefixes.Add($"http://127.0.0.1:{port}/");
            listener.Start();
            Console.WriteLine($"listening on port {port}");
            while (true)
            {
                var context = listener.GetContext();
                Task.Run(() => Answer(context, key));
            }
        }
    }

    static async Task Answer(HttpListenerContext context, byte[] key)
    {
        context.Response.StatusCode = 500; // until the event is taken
        try
        {
            context.Response.StatusCode = await Take(context.Request, key);
        }
        catch (Exception error)
        {
            Console.Error.WriteLine(error.Message);
        }
        context.Response.Close();
    }

    /// <summary>What the sender is answered.</summary>
    static async Task<int> Take(HttpListenerRequest request, byte[] key)
    {
        if (request.HttpMethod != "POST") return 405;
        var reading = BodyOf(request);
        if (await Task.WhenAny(reading, Task.Delay(BodyMs)) != reading) return 408;
        var body = await reading;
        if (body == null) return 413;
        if (!IsFromGateway(request, body, key)) return 401;
        XElement parsed; // an element for each field: .NET, .NET Framework and Mono all read JSON so
        try
        {
            using (var reader = JsonReaderWriterFactory.CreateJsonReader(body, XmlDictionaryReaderQuotas.Max))
                parsed = XElement.Load(reader);
        }
        catch (Exception error) when (error is XmlException || error is InvalidOperationException)
        {
            return 500;
        }
        var id = TextOf(parsed, "id");
        var type = TextOf(parsed, "type");
        if (id == null || type == null) return 500;
        lock (Seen)
        {
            if (Seen.Contains(id)) return 204;
            Console.WriteLine($"{type} {id}"); // your work stands here; answer with 5xx and it comes again
            Seen.Add(id);
            Order.Enqueue(id);
            if (Order.Count > IdsMax) Seen.Remove(Order.Dequeue());
        }
        return 204;
    }

    /// <summary>A field that is a text; null when it is not.</summary>
    static string TextOf(XElement parsed, string name)
    {
        var field = parsed.Element(name);
        return field != null && (string)field.Attribute("type") == "string" ? field.Value : null;
    }

    /// <summary>The body as it arrived; null when it is longer than any event.</summary>
    static async Task<byte[]> BodyOf(HttpListenerRequest request)
    {
        if (request.ContentLength64 > BodyBytesMax) return null;
        using (var body = new MemoryStream())
        {
            var part = new byte[65536];
            int read;
            while ((read = await request.InputStream.ReadAsync(part, 0, part.Length)) > 0)
            {
                if (body.Length + read > BodyBytesMax) return null;
                body.Write(part, 0, read);
            }
            return body.ToArray();
        }
    }

    /// <summary>True for what the gateway has signed with our secret, just now.</summary>
    static bool IsFromGateway(HttpListenerRequest request, byte[] body, byte[] key)
    {
        var id = request.Headers["webhook-id"];
        var at = request.Headers["webhook-timestamp"];
        var given = request.Headers["webhook-signature"] ?? "";
        if (!long.TryParse(at, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > StaleSeconds) return false;
        var signed = Encoding.UTF8.GetBytes($"{id}.{at}.").Concat(body).ToArray();
        using (var hmac = new HMACSHA256(key))
        {
            var ours = Encoding.ASCII.GetBytes("v1," + Convert.ToBase64String(hmac.ComputeHash(signed)));
            // One header may hold several signatures.
            return given.Split(' ').Any(one => AreSame(Encoding.ASCII.GetBytes(one), ours));
        }
    }

    /// <summary>Takes as long wherever they differ, so that nobody can find a signature byte by byte.</summary>
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.NoOptimization)]
    static bool AreSame(byte[] given, byte[] ours)
    {
        if (given.Length != ours.Length) return false;
        var difference = 0;
        for (var index = 0; index < ours.Length; index++) difference |= given[index] ^ ours[index];
        return difference == 0;
    }
}
