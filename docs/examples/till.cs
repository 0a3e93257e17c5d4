// SPDX-License-Identifier: Apache-2.0
//
// A till's day: cash in, a sale, the storno of a part of it, the Z report, the comparison of the
// day and the journal. README.md beside this file says how to run it. One file, with nothing but
// .NET 6 or later, .NET Framework 4.7.2 or later, or Mono 6: what it uses is in all three.

using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Runtime.Serialization.Json;
using System.Security.Authentication;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using System.Xml;
using System.Xml.Linq;

/// <summary>Something that a person has to do.</summary>
class Problem : Exception
{
    public Problem(string message) : base(message) { }
}

/// <summary>This printer has no such document.</summary>
class Unsupported : Problem
{
    public Unsupported(string message) : base(message) { }
}

/// <summary>The gateway does not do it. Branch on Code; the message is for people.</summary>
class Refusal : Exception
{
    public readonly int Status;
    public readonly string Code;
    public readonly double RetryAfterSeconds;

    Refusal(int status, string code, string message, double retryAfterSeconds) : base(message)
    {
        Status = status;
        Code = code;
        RetryAfterSeconds = retryAfterSeconds;
    }

    public static Refusal Of(HttpResponseMessage answer, string body)
    {
        var status = (int)answer.StatusCode;
        var retryAfter = answer.Headers.RetryAfter?.Delta?.TotalSeconds ?? 0;
        try
        {
            var shown = Json.Parse(body);
            // That of the rate limiter is flat.
            shown = shown.Element("error") ?? shown;
            var code = Json.Text(shown, "code") ?? throw new XmlException("no code");
            var message = Json.Text(shown, "message") + Json.Words(Json.Field(shown, "details"));
            return new Refusal(status, code, message, retryAfter);
        }
        catch (XmlException)
        {
            var message = $"status {status} without the gateway's words";
            return new Refusal(status, "UNREADABLE", message, retryAfter);
        }
    }
}

class Gateway
{
    /// <summary>Longer than the gateway lets a command wait for its device.</summary>
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(240);
    const int AnswerSeconds = 15;
    const int WaitSeconds = 30;
    const double LongestPauseSeconds = 10;
    /// <summary>With these the server below the API ends a connection by itself: no more than silence.</summary>
    static readonly int[] WithoutBody = { 400, 413, 431, 505 };

    public readonly string Url;
    readonly HttpClient http;
    readonly Random random = new Random();

    public Gateway(string url, string key)
    {
        Url = url;
        http = new HttpClient { Timeout = TimeSpan.FromSeconds(AnswerSeconds + WaitSeconds) };
        http.DefaultRequestHeaders.Add("X-Api-Key", key);
        // .NET Framework would ask before each body whether it may send it.
        http.DefaultRequestHeaders.ExpectContinue = false;
    }

    /// <summary>One request. Throws a Refusal, or what HttpClient throws without an answer.</summary>
    public async Task<string> Call(HttpMethod method, string path, XElement body = null, string key = null)
    {
        using (var request = new HttpRequestMessage(method, Url + "/api/v1" + path))
        {
            if (key != null) request.Headers.Add("Idempotency-Key", key);
            if (body != null)
            {
                var json = Json.Write(body);
                request.Content = new StringContent(json, Encoding.UTF8, "application/json");
            }
            using (var answer = await http.SendAsync(request))
            {
                if (answer.Headers.Contains("Idempotency-Body-Mismatch"))
                    throw new Problem($"{key} was used for something else: this was not queued");
                var text = await answer.Content.ReadAsStringAsync();
                if (answer.IsSuccessStatusCode) return text;
                var status = (int)answer.StatusCode;
                if (text == "" && WithoutBody.Contains(status))
                    throw new HttpRequestException($"status {status} without a body");
                throw Refusal.Of(answer, text);
            }
        }
    }

    /// <summary>Asks again until there is an answer: only for what may come twice.</summary>
    async Task<XElement> Ask(Stopwatch since, Func<Task<string>> call)
    {
        for (var pause = 0.5; ; pause = Math.Min(pause * 2, Math.Max(LongestPauseSeconds, pause)))
        {
            Exception failure;
            try
            {
                var command = Json.Parse(await call()).Element("command");
                return command ?? throw new XmlException("no command in it");
            }
            catch (Refusal refusal) when (refusal.Status == 429 || refusal.Status >= 500)
            {
                failure = refusal;
                pause = Math.Max(pause, refusal.RetryAfterSeconds);
            }
            catch (HttpRequestException error) when (IsUntrusted(error))
            {
                // That stays as it is: repeating it would keep the cashier waiting for nothing.
                throw new Problem(
                    $"{Url} is not trusted: {error.GetBaseException().Message}. " +
                    "This computer has to trust the gateway's authority, see docs/tls.md");
            }
            catch (Exception error) when (
                error is HttpRequestException || error is TaskCanceledException ||
                error is IOException || error is XmlException)
            {
                // No answer, or one that was cut off: whether it was done is not known.
                failure = new Problem($"no answer of {Url}: {error.Message}. Start again as before");
            }
            var delay = TimeSpan.FromSeconds(pause * (1 + random.NextDouble() / 4));
            if (since.Elapsed + delay > Patience) throw failure;
            await Task.Delay(delay);
        }
    }

    /// <summary>True where the certificate is of no authority that this computer trusts.</summary>
    static bool IsUntrusted(Exception error)
    {
        return error != null && (error is AuthenticationException || IsUntrusted(error.InnerException));
    }

    /// <summary>
    /// Queues a command, once for its key, and waits for its end: sending it again under the same
    /// key does nothing twice. Returns the command as it then is.
    /// </summary>
    public async Task<XElement> Print(string key, string deviceId, string type, XElement payload)
    {
        // Without a key nothing tells a repeat from a second sale: both would print.
        if (!Regex.IsMatch(key ?? "", @"\A[A-Za-z0-9_-]{1,128}\z"))
            throw new Problem($"'{key}' is no key (1 to 128 of A-Z, a-z, 0-9, _ and -): nothing was sent");
        var since = Stopwatch.StartNew();
        var order = Json.Object("root", Json.String("deviceId", deviceId), Json.String("type", type), payload);
        var command = await Ask(since, () => Call(HttpMethod.Post, "/commands", order, key));
        var path = $"/commands/{Json.Text(command, "id")}?wait={WaitSeconds}";
        while (!Outcome.IsFinal(command) && since.Elapsed < Patience)
        {
            command = await Ask(since, () => Call(HttpMethod.Get, path));
            if (!Outcome.IsFinal(command)) await Task.Delay(500);
        }
        return command;
    }
}

/// <summary>
/// JSON by way of XML elements, which is what .NET, .NET Framework and Mono all have for it: a field
/// is an element of its name, an entry of a list one named item, the attribute "type" says what it is.
/// </summary>
static class Json
{
    /// <summary>Throws XmlException for what is not JSON.</summary>
    public static XElement Parse(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        if (text.Trim() == "") throw new XmlException("nothing there");
        using (var reader = JsonReaderWriterFactory.CreateJsonReader(bytes, XmlDictionaryReaderQuotas.Max))
            return XElement.Load(reader);
    }

    public static string Write(XElement root)
    {
        using (var bytes = new MemoryStream())
        {
            using (var writer = JsonReaderWriterFactory.CreateJsonWriter(bytes)) root.WriteTo(writer);
            return Encoding.UTF8.GetString(bytes.ToArray());
        }
    }

    public static XElement Object(string name, params XElement[] fields)
    {
        return new XElement(name, new XAttribute("type", "object"), fields);
    }

    public static XElement List(string name, params XElement[] items)
    {
        return new XElement(name, new XAttribute("type", "array"), items);
    }

    public static XElement String(string name, string value)
    {
        return new XElement(name, new XAttribute("type", "string"), value);
    }

    public static XElement Number(string name, decimal value)
    {
        return new XElement(name, new XAttribute("type", "number"), value);
    }

    /// <summary>Null for what is null or missing.</summary>
    public static XElement Field(XElement element, string name)
    {
        var found = element?.Element(name);
        return (string)found?.Attribute("type") == "null" ? null : found;
    }

    public static string Text(XElement element, string name)
    {
        return Field(element, name)?.Value;
    }

    public static string Money(XElement element, string name)
    {
        var amount = Text(element, name);
        if (string.IsNullOrEmpty(amount)) return "?";
        return decimal.Parse(amount, NumberStyles.Float, CultureInfo.InvariantCulture)
            .ToString("F2", CultureInfo.InvariantCulture);
    }

    /// <summary>All that is in it, for people.</summary>
    public static string Words(XElement element)
    {
        if (element == null) return "";
        var values = element.DescendantsAndSelf().Where(part => !part.HasElements);
        return string.Concat(values.Select(part => $", {part.Name.LocalName} {part.Value}"));
    }
}

/// <summary>What became of a command.</summary>
static class Outcome
{
    public static bool IsFinal(XElement command)
    {
        return new[] { "completed", "failed", "timeout" }.Contains(Json.Text(command, "status"));
    }

    /// <summary>printed, not_printed, unknown or under_way.</summary>
    public static string Of(XElement command)
    {
        if (!IsFinal(command)) return "under_way";
        // What a person said of it goes before what the device told.
        var resolution = Json.Field(command, "resolution");
        if (resolution != null) return Json.Text(resolution, "outcome") ?? "unknown";
        if (Json.Text(command, "status") == "completed") return "printed";
        var data = Json.Field(Json.Field(command, "result"), "data");
        return Json.Text(data, "outcome") ?? "unknown";
    }
}

/// <summary>What was printed.</summary>
class Printed
{
    public readonly XElement Command;
    public readonly XElement Data;
    public readonly string FiscalId;

    public Printed(XElement command)
    {
        Command = command;
        var result = Json.Field(command, "result");
        Data = Json.Field(result, "data");
        FiscalId = Json.Text(Json.Field(command, "resolution"), "fiscalId") ?? Json.Text(result, "fiscalId");
    }
}

class Till
{
    readonly Gateway gateway;
    readonly string deviceId;
    readonly string number;
    readonly int attempts;

    Till(Gateway gateway, string deviceId, string number, int attempts)
    {
        this.gateway = gateway;
        this.deviceId = deviceId;
        this.number = number;
        this.attempts = attempts;
    }

    /// <summary>
    /// Prints something once, however often the till is started again with the same number. What
    /// was certainly not printed is tried anew, under a new key, once the cashier has mended it.
    /// </summary>
    async Task<Printed> Once(string what, string type, params XElement[] payload)
    {
        string reason = "", code = "";
        for (var attempt = 1; attempt <= attempts; attempt++)
        {
            var key = $"till1-{number}-{what.Replace(' ', '-')}-{attempt}";
            var command = await gateway.Print(key, deviceId, type, Json.Object("payload", payload));
            var result = Json.Field(command, "result");
            switch (Outcome.Of(command))
            {
                case "printed":
                    return new Printed(command);
                case "not_printed":
                    code = Json.Text(result, "errorCode");
                    reason = $"{Json.Text(result, "errorMessage")} ({code})";
                    break;
                case "under_way":
                    throw new Problem($"{what}: not ended yet. Start again with {number} {attempts}");
                default:
                    throw new Problem(
                        $"{what}: nobody knows. Look at the paper, then tell the gateway what is there:\n" +
                        $"POST {gateway.Url}/api/v1/commands/{Json.Text(command, "id")}/resolve");
            }
        }
        var problem = $"{what}: not printed, {reason}. Mend it, then start again with {number} {attempts + 1}";
        throw code == "E201" ? new Unsupported(problem) : new Problem(problem);
    }

    async Task Day()
    {
        var cash = await Once("cash in", "cash_in", Json.Number("amount", 50m));
        Console.WriteLine($"cash in: {Json.Money(cash.Data, "cashBalance")} in the drawer");

        // In Bulgaria every sale has a number: the device's, the operator's, and its own.
        var uniqueSaleNumber = $"DT000600-0001-{number.PadLeft(7, '0')}";
        var sale = await Once("sale", "print_receipt",
            Json.String("uniqueSaleNumber", uniqueSaleNumber),
            Json.List("items", Item("Coffee", 2m, 1.5m), Item("Oranges", 1.254m, 8.99m)),
            Json.List("payments", Payment("card", 10m), Payment("cash", 4.27m)));
        Console.WriteLine($"sale: receipt {sale.FiscalId}, {Json.Money(sale.Data, "totalAmount")}");

        var issuedAt = Json.Text(sale.Data, "issuedAt") ?? Json.Text(sale.Command, "finishedAt");
        try
        {
            var storno = await Once("storno", "print_reversal_receipt",
                Json.String("uniqueSaleNumber", uniqueSaleNumber),
                Json.String("originalReceiptNumber", Json.Text(sale.Data, "receiptNumber") ?? sale.FiscalId ?? ""),
                Json.String("originalReceiptDateTime", issuedAt),
                Json.String("fiscalMemorySerialNumber", Json.Text(sale.Data, "fiscalMemorySerialNumber") ?? ""),
                Json.String("reason", "refund"),
                Json.List("items", Item("Coffee", 1m, 1.5m)),
                Json.List("payments", Payment("cash", 1.5m)));
            Console.WriteLine($"storno: receipt {storno.FiscalId}, {Json.Money(storno.Data, "totalAmount")}");
        }
        catch (Unsupported)
        {
            // As all in Romania. A person has nothing to mend, and the day has to be closed.
            Console.WriteLine("storno: this printer has none (E201), the day goes on");
        }

        var z = await Once("Z report", "z_report");
        Console.WriteLine($"Z report: number {Json.Text(z.Data, "reportNumber")}");

        var device = "deviceId=" + Uri.EscapeDataString(deviceId);
        var daily = Json.Parse(await gateway.Call(HttpMethod.Get, $"/reports/daily?{device}"));
        var closed = daily.Elements("devices").Elements().Elements("fiscalDays").Elements()
            .Single(day => Json.Text(Json.Field(day, "report"), "commandId") == Json.Text(z.Command, "id"));
        var totals = Json.Field(Json.Field(closed, "stored"), "totals");
        var agrees = Json.Text(closed, "balanced") == "true" ? "as the printer has it" : "LOOK AT IT";
        Console.WriteLine(
            $"day: {Json.Money(totals, "gross")} sold, {Json.Money(totals, "reversals")} taken back, {agrees}");

        var journal = await gateway.Call(HttpMethod.Get, $"/reports/journal?{device}");
        // Its last element counts what is in it: a file without it was cut off on the way.
        var end = Regex.Match(journal, "<end receipts=\"(\\d+)\" reports=\"(\\d+)\"");
        if (!end.Success) throw new Problem("journal: cut off, get it again");
        File.WriteAllText("journal.xml", journal);
        Console.WriteLine($"journal: {end.Groups[1]} receipts and {end.Groups[2]} reports in journal.xml");
    }

    static XElement Item(string name, decimal quantity, decimal price)
    {
        return Json.Object("item",
            Json.String("name", name), Json.Number("quantity", quantity),
            Json.Number("price", price), Json.String("vatGroup", "VAT2"));
    }

    static XElement Payment(string method, decimal amount)
    {
        return Json.Object("item", Json.String("method", method), Json.Number("amount", amount));
    }

    static string Setting(string name)
    {
        return Environment.GetEnvironmentVariable(name) ?? throw new Problem($"set {name}");
    }

    static async Task<int> Run(string[] arguments)
    {
        try
        {
            var gateway = new Gateway(Setting("FISCALD_URL"), Setting("FISCALD_KEY"));
            // The till's own number of what it does, and how often something was mended.
            var number = arguments.ElementAtOrDefault(0) ?? "1001";
            var attempts = int.Parse(arguments.ElementAtOrDefault(1) ?? "1");
            await new Till(gateway, Setting("FISCALD_DEVICE"), number, attempts).Day();
            return 0;
        }
        catch (Exception error) when (
            error is Problem || error is Refusal || error is HttpRequestException || error is TaskCanceledException)
        {
            Console.Error.WriteLine(error.Message);
            return 1;
        }
    }

    static int Main(string[] arguments)
    {
        return Run(arguments).GetAwaiter().GetResult();
    }
}
