<?php
// SPDX-License-Identifier: Apache-2.0
/*
 * Takes what a webhook delivers, once each. README.md beside this file says how to run it.
 * PHP 8.1 or later, and nothing else.
 */
declare(strict_types=1);

const STALE_SECONDS = 300; // what was signed longer ago may be somebody's recording
const BODY_BYTES_MAX = 8_000_000;
const KEPT_SECONDS = 7 * 86_400; // no event is sent for as long

/** True for what the gateway has signed with this secret, just now. */
function isFromGateway(string $secret, string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $at = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!preg_match('/^\d{1,12}$/D', $at) || abs(time() - (int) $at) > STALE_SECONDS) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $ours = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true));
    // One header may hold several signatures.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($ours, $given)) {
            return true;
        }
    }
    return false;
}

/**
 * Runs the work of an event unless it was done. A file stands for each event; a shop keeps their ids
 * in its database, in the transaction of what it does.
 */
function once(string $id, callable $work): void
{
    $folder = (getenv('FISCALD_WEBHOOK_SEEN') ?: sys_get_temp_dir() . '/fiscald-webhook');
    if (!is_dir($folder) && !mkdir($folder, 0700, true) && !is_dir($folder)) {
        throw new RuntimeException("cannot make $folder");
    }
    $lock = fopen("$folder/lock", 'c');
    flock($lock, LOCK_EX);
    $file = $folder . '/' . hash('sha256', $id);
    if (!file_exists($file)) {
        $work();
        touch($file);
    }
    foreach (glob("$folder/*") ?: [] as $old) {
        if (filemtime($old) < time() - KEPT_SECONDS && $old !== "$folder/lock") {
            unlink($old);
        }
    }
    fclose($lock);
}

function take(): int
{
    $secret = getenv('FISCALD_WEBHOOK_SECRET') ?: '';
    if (!preg_match('/^whsec_\S+$/D', $secret)) {
        error_log('Set FISCALD_WEBHOOK_SECRET to the secret shown when the webhook was subscribed.');
        return 500;
    }
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        return 405;
    }
    $body = (string) file_get_contents('php://input', length: BODY_BYTES_MAX + 1);
    if (strlen($body) > BODY_BYTES_MAX) {
        return 413;
    }
    if (!isFromGateway($secret, $body)) {
        return 401;
    }
    $event = json_decode($body, true);
    [$id, $type] = [$event['id'] ?? null, $event['type'] ?? null];
    if (!is_string($id) || !is_string($type)) {
        return 500;
    }
    // Your work stands here; answer with 5xx and it comes again.
    once($id, fn () => file_put_contents('php://stdout', "$type $id\n"));
    return 204;
}

ini_set('display_errors', '0'); // what PHP shows of an error would be an answer of status 200
http_response_code(500); // until the event is taken
http_response_code(take());
