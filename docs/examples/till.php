<?php
// SPDX-License-Identifier: Apache-2.0
/*
 * A till's day: cash in, a sale, the storno of a part of it, the Z report, the comparison of the day
 * and the journal. README.md beside this file says how to run it. PHP 8.1 or later, and nothing else.
 */
declare(strict_types=1);

const PATIENCE_SECONDS = 240; // longer than the gateway lets a command wait for its device
const ANSWER_SECONDS = 15; // an answer begins within this, but for one that was asked to wait
const WAIT_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 10;
// With these the server below the API ends a connection by itself: they say no more than silence.
const WITHOUT_BODY = [400, 413, 431, 505];

const SOLD = [
    ['name' => 'Coffee', 'quantity' => 2, 'price' => 1.5, 'vatGroup' => 'VAT2'],
    ['name' => 'Oranges', 'quantity' => 1.254, 'price' => 8.99, 'vatGroup' => 'VAT2'],
];
const RETURNED = [['name' => 'Coffee', 'quantity' => 1, 'price' => 1.5, 'vatGroup' => 'VAT2']];

/** Something that a person has to do. */
class Problem extends Exception
{
}

/** This printer has no such document. */
class Unsupported extends Problem
{
}

/** No answer, or one that was cut off: whether it was done is not known. */
class NoAnswer extends Exception
{
}

/** The gateway does not do it. Branch on `$error`; the message is for people. */
class Refusal extends Exception
{
    public readonly string $error;

    public function __construct(
        public readonly int $status,
        public readonly int $retryAfter,
        string $body,
    ) {
        $shown = json_decode($body, true);
        // That of the rate limiter is flat.
        $shown = $shown['error'] ?? $shown;
        $this->error = is_string($shown['code'] ?? null) ? $shown['code'] : 'UNREADABLE';
        if ($this->error === 'UNREADABLE') {
            parent::__construct("status $status without the gateway's words");
            return;
        }
        $details = isset($shown['details']) ? json_encode($shown['details']) : '';
        parent::__construct(trim("{$shown['message']} $details"));
    }
}

class Gateway
{
    public function __construct(public readonly string $url, private readonly string $key)
    {
    }

    /**
     * One request.
     * @param ?string $once the Idempotency-Key of a submission
     * @return string the body of the answer
     * @throws Refusal|NoAnswer|Problem
     */
    public function call(
        string $method,
        string $path,
        ?array $body = null,
        ?string $once = null,
        int $wait = 0,
    ): string {
        $headers = ["X-Api-Key: {$this->key}", 'Content-Type: application/json'];
        if ($once !== null) {
            $headers[] = "Idempotency-Key: $once";
        }
        $request = [
            'method' => $method,
            'header' => $headers,
            'timeout' => ANSWER_SECONDS + $wait,
            'ignore_errors' => true, // an answer of status 400 and above has a body too
            'follow_location' => 0, // a POST would arrive as a GET
        ];
        if ($body !== null) {
            $request['content'] = json_encode($body, JSON_THROW_ON_ERROR);
        }
        $context = stream_context_create(['http' => $request]);
        $said = [];
        set_error_handler(function (int $_, string $message) use (&$said): bool {
            $said[] = $message;
            return true;
        });
        $stream = fopen("{$this->url}/api/v1$path", 'r', false, $context);
        restore_error_handler();
        if ($stream === false) {
            // That stays as it is: repeating it would keep the cashier waiting for nothing.
            if (preg_match('/certificate|did not match/i', implode(' ', $said))) {
                $how = "openssl.cafile has to name the gateway's authority, see docs/tls.md";
                throw new Problem("{$this->url} is not trusted: $how");
            }
            throw new NoAnswer(end($said) ?: 'cannot be reached');
        }
        $text = stream_get_contents($stream);
        $meta = stream_get_meta_data($stream);
        fclose($stream);
        [$status, $found] = self::head($meta['wrapper_data'] ?? []);
        if (($found['idempotency-body-mismatch'] ?? '') === 'true') {
            throw new Problem("$once was used for something else: this was not queued");
        }
        if ($meta['timed_out'] || $text === false) {
            throw new NoAnswer('it broke off');
        }
        if ($status === 307 || $status === 308) {
            throw new Problem("{$this->url} leads to {$found['location']}: set FISCALD_URL to its beginning");
        }
        if ($text === '' && in_array($status, WITHOUT_BODY, true)) {
            throw new NoAnswer("status $status without a body");
        }
        if ($status < 200 || $status > 299) {
            throw new Refusal($status, (int) ($found['retry-after'] ?? 0), $text);
        }
        return $text;
    }

    /**
     * Asks again until there is an answer: only for what may come twice.
     * @return array the command in it
     */
    private function ask(float $endsAt, callable $call): array
    {
        for ($pause = 0.5; ; $pause = min($pause * 2, max(LONGEST_PAUSE_SECONDS, $pause))) {
            try {
                $command = json_decode($call(), true)['command'] ?? null;
                if (is_array($command)) {
                    return $command;
                }
                $failure = new NoAnswer('it was cut off');
            } catch (NoAnswer $none) {
                $failure = $none;
            } catch (Refusal $refusal) {
                if ($refusal->status !== 429 && $refusal->status < 500) {
                    throw $refusal;
                }
                $failure = $refusal;
                $pause = max($pause, $refusal->retryAfter);
            }
            // Tills that failed together shall not come back together.
            $delay = $pause * (1 + mt_rand() / mt_getrandmax() / 4);
            if (self::now() + $delay > $endsAt) {
                throw $failure;
            }
            usleep((int) ($delay * 1_000_000));
        }
    }

    /**
     * Queues a command, once for its key, and waits for its end: sending it again under the same
     * key does nothing twice.
     * @return array the command as it then is
     */
    public function print(string $key, string $deviceId, string $type, array $payload): array
    {
        // Without a key nothing tells a repeat from a second sale: both would print.
        if (!preg_match('/^[A-Za-z0-9_-]{1,128}$/D', $key)) {
            throw new Problem("'$key' is no key (1 to 128 of A-Z, a-z, 0-9, _ and -): nothing was sent");
        }
        $endsAt = self::now() + PATIENCE_SECONDS;
        // An empty array would be a list.
        $order = ['deviceId' => $deviceId, 'type' => $type, 'payload' => $payload ?: new stdClass()];
        $command = $this->ask($endsAt, fn () => $this->call('POST', '/commands', $order, $key));
        $path = "/commands/{$command['id']}?wait=" . WAIT_SECONDS;
        while (!isFinal($command) && self::now() < $endsAt) {
            $command = $this->ask($endsAt, fn () => $this->call('GET', $path, wait: WAIT_SECONDS));
            if (!isFinal($command)) {
                usleep(500_000);
            }
        }
        return $command;
    }

    /** Seconds of a clock that nobody sets. */
    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    /** @return array{int, array<string, string>} status, and headers by their names in small letters */
    private static function head(array $lines): array
    {
        [$status, $headers] = [0, []];
        foreach ($lines as $line) {
            if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $found)) {
                [$status, $headers] = [(int) $found[1], []];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower($name)] = trim($value);
            }
        }
        return [$status, $headers];
    }
}

function isFinal(array $command): bool
{
    return in_array($command['status'], ['completed', 'failed', 'timeout'], true);
}

/** `printed`, `not_printed`, `unknown` or `under_way`. */
function outcomeOf(array $command): string
{
    if (!isFinal($command)) {
        return 'under_way';
    }
    // What a person said of it goes before what the device told.
    if (isset($command['resolution'])) {
        return $command['resolution']['outcome'] ?? 'unknown';
    }
    if ($command['status'] === 'completed') {
        return 'printed';
    }
    return $command['result']['data']['outcome'] ?? 'unknown';
}

class Till
{
    public function __construct(
        private readonly Gateway $gateway,
        private readonly string $deviceId,
        private readonly string $number,
        private readonly int $attempts,
    ) {
    }

    /**
     * Prints something once, however often the till is started again with the same number. What was
     * certainly not printed is tried anew, under a new key, once the cashier has mended the cause.
     * @return array{array, array, ?string} the command, what the device told of it, its fiscal number
     */
    private function once(string $what, string $type, array $payload): array
    {
        $reason = $code = '';
        for ($attempt = 1; $attempt <= $this->attempts; $attempt += 1) {
            $key = "till1-{$this->number}-" . strtr($what, ' ', '-') . "-$attempt";
            $command = $this->gateway->print($key, $this->deviceId, $type, $payload);
            $result = $command['result'] ?? [];
            switch (outcomeOf($command)) {
                case 'printed':
                    $said = $command['resolution']['fiscalId'] ?? null;
                    return [$command, $result['data'] ?? [], $said ?? $result['fiscalId'] ?? null];
                case 'not_printed':
                    $code = $result['errorCode'] ?? '?';
                    $reason = ($result['errorMessage'] ?? '?') . " ($code)";
                    break;
                case 'under_way':
                    throw new Problem(
                        "$what: not ended yet. Start again with {$this->number} {$this->attempts}",
                    );
                default:
                    throw new Problem(
                        "$what: nobody knows. Look at the paper, then tell the gateway what is there:\n"
                            . "POST {$this->gateway->url}/api/v1/commands/{$command['id']}/resolve",
                    );
            }
        }
        $next = $this->attempts + 1;
        $problem = "$what: not printed, $reason. Mend it, then start again with {$this->number} $next";
        throw $code === 'E201' ? new Unsupported($problem) : new Problem($problem);
    }

    public function day(): void
    {
        [, $cash] = $this->once('cash in', 'cash_in', ['amount' => 50]);
        say('cash in: ' . money($cash['cashBalance'] ?? null) . ' in the drawer');

        // In Bulgaria every sale has a number: the device's, the operator's, and its own.
        $uniqueSaleNumber = 'DT000600-0001-' . str_pad($this->number, 7, '0', STR_PAD_LEFT);
        [$command, $sale, $fiscalId] = $this->once('sale', 'print_receipt', [
            'uniqueSaleNumber' => $uniqueSaleNumber,
            'items' => SOLD,
            'payments' => [
                ['method' => 'card', 'amount' => 10],
                ['method' => 'cash', 'amount' => 4.27],
            ],
        ]);
        say("sale: receipt $fiscalId, " . money($sale['totalAmount'] ?? null));

        $reversal = [
            'uniqueSaleNumber' => $uniqueSaleNumber,
            'originalReceiptNumber' => $sale['receiptNumber'] ?? $fiscalId ?? '',
            'originalReceiptDateTime' => $sale['issuedAt'] ?? $command['finishedAt'],
            'fiscalMemorySerialNumber' => $sale['fiscalMemorySerialNumber'] ?? '',
            'reason' => 'refund',
            'items' => RETURNED,
            'payments' => [['method' => 'cash', 'amount' => 1.5]],
        ];
        try {
            [, $storno, $stornoId] = $this->once('storno', 'print_reversal_receipt', $reversal);
            say("storno: receipt $stornoId, " . money($storno['totalAmount'] ?? null));
        } catch (Unsupported) {
            // As all in Romania. A person has nothing to mend, and the day has to be closed.
            say('storno: this printer has none (E201), the day goes on');
        }

        [$command, $z] = $this->once('Z report', 'z_report', []);
        say('Z report: number ' . ($z['reportNumber'] ?? '?'));
        $this->compare($command['id']);
        $this->saveJournal();
    }

    /** Puts what the gateway has of the closed day beside what the printer says. */
    private function compare(string $commandId): void
    {
        $path = '/reports/daily?deviceId=' . rawurlencode($this->deviceId);
        $daily = json_decode($this->gateway->call('GET', $path), true, flags: JSON_THROW_ON_ERROR);
        $days = array_merge(...array_column($daily['devices'], 'fiscalDays'));
        foreach ($days as $day) {
            if (($day['report']['commandId'] ?? null) === $commandId) {
                $totals = $day['stored']['totals'];
                $agrees = $day['balanced'] === true ? 'as the printer has it' : 'LOOK AT IT';
                $sums = money($totals['gross']) . ' sold, ' . money($totals['reversals']) . ' taken back';
                say("day: $sums, $agrees");
                return;
            }
        }
        throw new Problem('day: the gateway does not show it');
    }

    private function saveJournal(): void
    {
        $path = '/reports/journal?deviceId=' . rawurlencode($this->deviceId);
        $journal = $this->gateway->call('GET', $path);
        // Its last element counts what is in it: a file without it was cut off on the way.
        if (!preg_match('/<end receipts="(\d+)" reports="(\d+)"/', $journal, $end)) {
            throw new Problem('journal: cut off, get it again');
        }
        file_put_contents('journal.xml', $journal);
        say("journal: {$end[1]} receipts and {$end[2]} reports in journal.xml");
    }
}

function say(string $line): void
{
    fwrite(STDOUT, "$line\n");
}

function money(int|float|null $amount): string
{
    return $amount === null ? '?' : number_format($amount, 2, '.', '');
}

function setting(string $name): string
{
    $value = getenv($name) ?: '';
    if ($value === '') {
        fwrite(STDERR, "set $name\n");
        exit(2);
    }
    return $value;
}

$gateway = new Gateway(setting('FISCALD_URL'), setting('FISCALD_KEY'));
// The till's own number of what it does, and how often the cashier has mended something.
$till = new Till($gateway, setting('FISCALD_DEVICE'), $argv[1] ?? '1001', (int) ($argv[2] ?? '1'));
try {
    $till->day();
} catch (NoAnswer $none) {
    fwrite(STDERR, "no answer of {$gateway->url}: {$none->getMessage()}. Start again as before\n");
    exit(1);
} catch (Problem | Refusal | JsonException $problem) {
    fwrite(STDERR, "{$problem->getMessage()}\n");
    exit(1);
}
