// SPDX-License-Identifier: Apache-2.0
//
// A till's day: cash in, a sale, the storno of a part of it, the Z report, the comparison of the
// day and the journal. README.md beside this file says how to run it. One file, with nothing but
// .NET 6 or later; in the words of C# 7.3, so that .NET Framework takes it with the package
// System.Text.Json.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

/// <summary>Something that a person has to do.</summary>
class Problem : Exception
{
    public Problem(string message) : base(message) { }
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
            var shown = JsonDocument.Parse(body).RootElement;
            // That of the rate limiter is flat.
            if (shown.TryGetProperty("error", out var inner)) shown = inner;
            var details = shown.TryGetProperty("details", out var all) ? " " + all.GetRawText() : "";
            var message = shown.GetProperty("message").GetString() + details;
            return new Refusal(status, shown.GetProperty("code").GetString(), message, retryAfter);
        }
        catch (Exception error) when (
            error is JsonException || error is InvalidOperationException || error is KeyNotFoundException)
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

    public readonly string Url;
    readonly HttpClient http;
    readonly Random random = new Random();

    public Gateway(string url, string key)
    {
        Url = url;
        http = new HttpClient { Timeout = TimeSpan.FromSeconds(AnswerSeconds + WaitSeconds) };
        http.DefaultRequestHeaders.Add("X-Api-Key", key);
    }

    /// <summary>One request. Throws a Refusal, or what HttpClient throws without an answer.</summary>
    public async Task<string> Call(HttpMethod method, string path, JsonNode body = null, string key = null)
    {
        using (var request = new HttpRequestMessage(method, Url + "/api/v1" + path))
        {
            if (key != null) request.Headers.Add("Idempotency-Key", key);
            if (body != null)
            {
                var json = body.ToJsonString();
                request.Content = new StringContent(json, Encoding.UTF8, "application/json");
            }
            using (var answer = await http.SendAsync(request))
            {
                if (answer.Headers.Contains("Idempotency-Body-Mismatch"))
                    throw new Problem($"{key} was used for something else: this was not queued");
                var text = await answer.Content.ReadAsStringAsync();
                if (answer.IsSuccessStatusCode) return text;
                throw Refusal.Of(answer, text);
            }
        }
    }

    /// <summary>Asks again until there is an answer: only for what may come twice.</summary>
    async Task<JsonElement> Ask(Stopwatch since, Func<Task<string>> call)
    {
        for (var pause = 0.5; ; pause = Math.Min(pause * 2, Math.Max(LongestPauseSeconds, pause)))
        {
            Exception failure;
            try
            {
                return JsonDocument.Parse(await call()).RootElement.GetProperty("command");
            }
            catch (Refusal refusal) when (refusal.Status == 429 || refusal.Status >= 500)
            {
                failure = refusal;
                pause = Math.Max(pause, refusal.RetryAfterSeconds);
            }
            catch (Exception error) when (
                error is HttpRequestException || error is TaskCanceledException ||
                error is IOException || error is JsonException)
            {
                // No answer, or one that was cut off: whether it was done is not known.
                failure = new Problem($"no answer of {Url}: {error.Message}. Start again as before");
            }
            var delay = TimeSpan.FromSeconds(pause * (1 + random.NextDouble() / 4));
            if (since.Elapsed + delay > Patience) throw failure;
            await Task.Delay(delay);
        }
    }

    /// <summary>
    /// Queues a command, once for its key, and waits for its end: sending it again under the same
    /// key does nothing twice. Returns the command as it then is.
    /// </summary>
    public async Task<JsonElement> Print(string key, string deviceId, string type, JsonNode payload)
    {
        var since = Stopwatch.StartNew();
        var order = new JsonObject { ["deviceId"] = deviceId, ["type"] = type, ["payload"] = payload };
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

/// <summary>Reading what may be null or missing.</summary>
static class Json
{
    public static JsonElement? Field(JsonElement? element, string name)
    {
        if (!(element is JsonElement found) || found.ValueKind != JsonValueKind.Object) return null;
        if (!found.TryGetProperty(name, out var value)) return null;
        return value.ValueKind == JsonValueKind.Null ? (JsonElement?)null : value;
    }

    public static string Text(JsonElement? element, string name)
    {
        return Field(element, name)?.ToString();
    }

    public static string Money(JsonElement? element, string name)
    {
        var amount = Field(element, name)?.GetDecimal();
        return amount?.ToString("F2", CultureInfo.InvariantCulture) ?? "?";
    }
}

/// <summary>What became of a command.</summary>
static class Outcome
{
    public static bool IsFinal(JsonElement command)
    {
        return new[] { "completed", "failed", "timeout" }.Contains(Json.Text(command, "status"));
    }

    /// <summary>printed, not_printed, unknown or under_way.</summary>
    public static string Of(JsonElement command)
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
    public readonly JsonElement Command;
    public readonly JsonElement? Data;
    public readonly string FiscalId;

    public Printed(JsonElement command)
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
    async Task<Printed> Once(string what, string type, Func<JsonObject> payload)
    {
        var reason = "";
        for (var attempt = 1; attempt <= attempts; attempt++)
        {
            var key = $"till1-{number}-{what.Replace(' ', '-')}-{attempt}";
            var command = await gateway.Print(key, deviceId, type, payload());
            var result = Json.Field(command, "result");
            switch (Outcome.Of(command))
            {
                case "printed":
                    return new Printed(command);
                case "not_printed":
                    reason = $"{Json.Text(result, "errorMessage")} ({Json.Text(result, "errorCode")})";
                    break;
                case "under_way":
                    throw new Problem($"{what}: not ended yet. Start again with {number} {attempts}");
                default:
                    throw new Problem(
                        $"{what}: nobody knows. Look at the paper, then tell the gateway what is there:\n" +
                        $"POST {gateway.Url}/api/v1/commands/{Json.Text(command, "id")}/resolve");
            }
        }
        throw new Problem(
            $"{what}: not printed, {reason}. Mend it, then start again with {number} {attempts + 1}");
    }

    async Task Day()
    {
        var cash = await Once("cash in", "cash_in", () => new JsonObject { ["amount"] = 50m });
        Console.WriteLine($"cash in: {Json.Money(cash.Data, "cashBalance")} in the drawer");

        // In Bulgaria every sale has a number: the device's, the operator's, and its own.
        var uniqueSaleNumber = $"DT000600-0001-{number.PadLeft(7, '0')}";
        var sale = await Once("sale", "print_receipt", () => new JsonObject
        {
            ["uniqueSaleNumber"] = uniqueSaleNumber,
            ["items"] = new JsonArray(Item("Coffee", 2m, 1.5m), Item("Oranges", 1.254m, 8.99m)),
            ["payments"] = new JsonArray(Payment("card", 10m), Payment("cash", 4.27m)),
        });
        Console.WriteLine($"sale: receipt {sale.FiscalId}, {Json.Money(sale.Data, "totalAmount")}");

        var storno = await Once("storno", "print_reversal_receipt", () => new JsonObject
        {
            ["uniqueSaleNumber"] = uniqueSaleNumber,
            ["originalReceiptNumber"] = Json.Text(sale.Data, "receiptNumber") ?? sale.FiscalId ?? "",
            ["originalReceiptDateTime"] =
                Json.Text(sale.Data, "issuedAt") ?? Json.Text(sale.Command, "finishedAt"),
            ["fiscalMemorySerialNumber"] = Json.Text(sale.Data, "fiscalMemorySerialNumber") ?? "",
            ["reason"] = "refund",
            ["items"] = new JsonArray(Item("Coffee", 1m, 1.5m)),
            ["payments"] = new JsonArray(Payment("cash", 1.5m)),
        });
        Console.WriteLine($"storno: receipt {storno.FiscalId}, {Json.Money(storno.Data, "totalAmount")}");

        var z = await Once("Z report", "z_report", () => new JsonObject());
        Console.WriteLine($"Z report: number {Json.Text(z.Data, "reportNumber")}");

        var device = "deviceId=" + Uri.EscapeDataString(deviceId);
        var daily = JsonDocument.Parse(await gateway.Call(HttpMethod.Get, $"/reports/daily?{device}"));
        var closed = daily.RootElement.GetProperty("devices").EnumerateArray()
            .SelectMany(row => row.GetProperty("fiscalDays").EnumerateArray())
            .Single(day => Json.Text(Json.Field(day, "report"), "commandId") == Json.Text(z.Command, "id"));
        var totals = closed.GetProperty("stored").GetProperty("totals");
        var agrees = closed.GetProperty("balanced").ValueKind == JsonValueKind.True
            ? "as the printer has it"
            : "LOOK AT IT";
        Console.WriteLine(
            $"day: {Json.Money(totals, "gross")} sold, {Json.Money(totals, "reversals")} taken back, {agrees}");

        var journal = await gateway.Call(HttpMethod.Get, $"/reports/journal?{device}");
        // Its last element counts what is in it: a file without it was cut off on the way.
        var end = Regex.Match(journal, "<end receipts=\"(\\d+)\" reports=\"(\\d+)\"");
        if (!end.Success) throw new Problem("journal: cut off, get it again");
        File.WriteAllText("journal.xml", journal);
        Console.WriteLine($"journal: {end.Groups[1]} receipts and {end.Groups[2]} reports in journal.xml");
    }

    static JsonObject Item(string name, decimal quantity, decimal price)
    {
        return new JsonObject
        {
            ["name"] = name,
            ["quantity"] = quantity,
            ["price"] = price,
            ["vatGroup"] = "VAT2",
        };
    }

    static JsonObject Payment(string method, decimal amount)
    {
        return new JsonObject { ["method"] = method, ["amount"] = amount };
    }

    static string Setting(string name)
    {
        return Environment.GetEnvironmentVariable(name) ?? throw new Problem($"set {name}");
    }

    static async Task<int> Main(string[] arguments)
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
}
