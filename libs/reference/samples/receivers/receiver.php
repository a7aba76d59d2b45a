<?php
// A receiver of webhooks with PHP's own functions. FRONTDESK_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 receiver.php
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/** Whether both signatures fit the raw body. While a secret is being replaced, each comes twice: one of the two is enough. */
function isFromFrontdesk(string $body, string $secret): bool
{
    $service = 'sha256=' . hash_hmac('sha256', $body, $secret);
    $services = [$_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', $_SERVER['HTTP_X_SERVICE_SIGNATURE_PREVIOUS'] ?? ''];

    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    if (!$key || !ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    $given = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    return isOneOf($services, $service) && isOneOf($given, $expected);
}

/** The comparison takes the same time wherever the first difference is. */
function isOneOf(array $given, string $expected): bool
{
    foreach ($given as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}

/** In your program: a table with a unique key. Here a file for each event, as PHP remembers nothing between requests. */
function isNew(string $id): bool
{
    $directory = getenv('FRONTDESK_EVENTS') ?: sys_get_temp_dir() . '/frontdesk-events';
    if (!is_dir($directory)) {
        @mkdir($directory, 0700, true);
    }
    return @fopen($directory . '/' . hash('sha256', $id), 'x') !== false;
}

$body = file_get_contents('php://input');
if ($_SERVER['REQUEST_METHOD'] !== 'POST' || !isFromFrontdesk($body, (string) getenv('FRONTDESK_WEBHOOK_SECRET'))) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
http_response_code(204);
// Frontdesk waits for the answer at most 10 seconds: with FPM it is sent before the work.
if (function_exists('fastcgi_finish_request')) {
    fastcgi_finish_request();
}
if (isNew($event['id'])) {
    file_put_contents('php://stdout', "{$event['event']} {$event['id']}\n");
}
