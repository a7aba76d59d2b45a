import { EXAMPLES, MAX_BODY_BYTES, MAX_HEAD_BYTES, type PublicErrorCode } from '@frontdesk/contracts';
import { EXAMPLE_CURSOR } from '../examples/example-text.ts';

export interface ErrorAdvice {
  /** What brings the answer about. */
  cause: string;
  /** What an integrator does. */
  cure: string;
  /** The answer's text, and what it has beside code and request id. */
  message: string;
  headers?: Record<string, string>;
  more?: { errors?: Record<string, string[]>; data?: unknown };
}

const AGAIN =
  'Repeat the request after a few seconds, and wait longer each time. A POST is safe to repeat with an `Idempotency-Key`.';
const TAKEN = 'The selected appointment_time is not available.';
const OTHER_CURSOR = 'The cursor field was made for another list, filter, sort or business, or is damaged.';
const TOO_LONG =
  'The date_to field asks for too much: at most 7 days can be asked for at once for this service.';

/** Of each code: why it comes, what the answer looks like, what to do. */
export const ERROR_ADVICE: Record<PublicErrorCode, ErrorAdvice> = {
  bad_request: {
    cause: 'What arrived is no valid HTTP request: for example a broken header, or several `Host` headers.',
    cure: 'Use an HTTP library instead of writing the request yourself. If you do, a proxy on the way may have changed it.',
    message: 'The request is not valid HTTP.',
  },
  invalid_json: {
    cause:
      'The body can’t be parsed. Common reasons: single quotes, a trailing comma, a value that the shell has replaced. Or it is not UTF-8: text in Latin-1, or an escape of half a character such as `\\ud800`, which programs write that cut texts at a number of characters.',
    cure: 'Let a library write the JSON, in UTF-8. In a shell, put the body in single quotes, or let `node` make it with `JSON.stringify`. Cut texts between characters.',
    message: 'The request body is not valid JSON.',
  },
  unauthorized: {
    cause:
      'There is no key in the request, or it is mistyped, unknown, revoked, expired or deleted. The answer is the same for all of these. Two different keys in one request are refused too.',
    cure: 'Send `Authorization: Bearer <key>`. See in the settings whether the key is still active. Don’t repeat the request unchanged: after 60 failures in a minute your address gets 429.',
    message: 'A valid API key is required.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  tenant_suspended: {
    cause: 'The operator has suspended the business. Its records stay; requests and webhooks rest.',
    cure: 'Ask the business to contact the operator. Stop sending requests until then. They don’t count against the plan.',
    message: 'This business is suspended.',
  },
  network_not_allowed: {
    cause:
      'Whoever made the key has said from which networks it may be used, and the request comes from another address.',
    cure: 'Send it from one of them, or ask for your address to be added in the settings. After 60 failures in a minute your address gets 429.',
    message: 'This key may not be used from this address.',
  },
  insufficient_scope: {
    cause:
      'The key may not do this: it has been given fewer [scopes](../requests.md#scopes) than the operation needs. `data.scope` names the one that it lacks.',
    cure: 'Ask whoever made the key for one with that scope. Don’t repeat the request unchanged.',
    message: 'This needs the scope customers:write.',
    headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="customers:write"' },
    more: { data: { scope: 'customers:write' } },
  },
  holds_off: {
    cause:
      'The operator of this system has not turned holds on, which is done once no process of an older release runs.',
    cure: 'Book without a hold, or ask the operator.',
    message: 'Holds are turned off on this system.',
  },
  not_found: {
    cause:
      'The id in the path belongs to no record of this business, or is no positive integer. Or there is no such path. Inactive staff and services count as missing. Of a customer who was merged into another one, `data.merged_into` is the other id.',
    cure: 'Compare the path with the reference, and the id with a list. A key sees the records of its own business only: check that it is the right key.',
    message: 'Appointment not found.',
  },
  method_not_allowed: {
    cause: 'The path exists, but not with this method: for example PUT, where a change is a PATCH.',
    cure: 'Use a method that the header `Allow` lists.',
    message: 'This method is not allowed here.',
    headers: { Allow: 'GET, HEAD, PATCH, DELETE' },
  },
  request_timeout: {
    cause: 'The request began, but did not arrive in time.',
    cure: 'Repeat it. If it happens often, look at the connection, or at a proxy of your own that holds bodies back.',
    message: 'The request did not arrive in time.',
  },
  slot_unavailable: {
    cause: 'The time is taken. Often somebody was faster: of two bookings of one slot, one wins.',
    cure: 'Offer the slots in `data.alternatives`, or ask for [free slots](../operations/list-slots.md) again. Send the `date` and `time` of one as they are, as `appointment_date` and `appointment_time`.',
    message: 'The requested slot is not available.',
    more: { errors: { appointment_time: [TAKEN] }, data: { alternatives: [EXAMPLES.slot] } },
  },
  hold_expired: {
    cause:
      'The hold was open for as long as its `seconds`, or it was given back. Or its service or staff member can no longer be booked.',
    cure: 'Hold or book one of `data.alternatives`: send its `date` and `time` as they are, as `appointment_date` and `appointment_time`.',
    message: 'The hold can no longer be booked.',
    more: { data: { alternatives: [EXAMPLES.slot] } },
  },
  hold_booked: {
    cause:
      'The hold has become the appointment of another customer; or it is to be given back, and is an appointment.',
    cure: 'The appointment has the id of the hold: [cancel it](../operations/cancel-appointment.md), if that is what you want.',
    message: 'The hold was booked for another customer.',
  },
  request_in_progress: {
    cause: 'The first request with this `Idempotency-Key` was still running after five seconds.',
    cure: 'Repeat the request with the same key and body in a few seconds. You get the first answer, and nothing happens twice.',
    message: 'A request with this Idempotency-Key is still at work.',
  },
  cursor_expired: {
    cause:
      'The cursor belongs to a day whose events are no longer kept: the feed was not read for longer than that.',
    cure: 'Read the lists once with `updated_since`, then go on with `data.oldest_cursor`. See [the feed of events](../events.md#when-the-cursor-is-too-old).',
    message: 'The events after this cursor are no longer kept.',
    more: { data: { oldest_cursor: EXAMPLE_CURSOR } },
  },
  precondition_failed: {
    cause: 'Somebody has changed the record since you read the version that you sent as `If-Match`.',
    cure: 'Read the record again, decide whether your change still makes sense, and send it with the new `ETag`.',
    message: 'The record has changed since it was read.',
    headers: { ETag: '"8"' },
  },
  payload_too_large: {
    cause: `The body has more than ${MAX_BODY_BYTES / 2 ** 20} MiB.`,
    cure: 'Send less. No field of the API needs that much: look for a file or a list that got in by mistake.',
    message: 'The request body is too large.',
  },
  unsupported_media_type: {
    cause:
      'The body has no `Content-Type`, or another one than JSON: by default, curl sends `-d` as a form. Or the type names another charset than UTF-8, or the body has a `Content-Encoding` such as gzip; then the answer has `Accept-Encoding: identity`.',
    cure: 'Send `Content-Type: application/json`, and the body in UTF-8, uncompressed.',
    message: 'The request body must be application/json.',
  },
  expectation_failed: {
    cause: 'The request has an `Expect` header that asks for something other than `100-continue`.',
    cure: 'Leave the header out.',
    message: 'The Expect header can’t be met.',
  },
  validation_failed: {
    cause:
      'A field of the body or the query is missing or not as it must be, or the operation has no such query parameter. Ids that no record of the business has are reported here as well.',
    cure: 'Show the messages in `errors` beside the fields. Don’t repeat the request unchanged: it fails again. Where `data.alternatives` is there, offer these slots: the time is none that [can be booked](../appointments.md#which-times-can-be-booked).',
    message: 'The given data was invalid.',
    more: { errors: { customer_id: ['The customer_id field is required.'] } },
  },
  invalid_cursor: {
    cause:
      'A list’s cursor goes with its list, sort, filters and `updated_since`; `per_page` may change. A cursor of the feed goes with its business alone. This one was made for something else, was cut or changed on its way, or is unknown since a backup was restored.',
    cure: 'Send the cursor as it came, in the same walk. Otherwise begin again without one: [lists](../lists.md#walk-through-a-long-list), [the feed of events](../events.md#when-the-cursor-is-too-old).',
    message: 'The cursor can’t be used here.',
    more: { errors: { cursor: [OTHER_CURSOR] } },
  },
  quota_exceeded: {
    cause:
      'The business has as many of these records as its plan allows, has created as many of them this UTC day, or stores too much.',
    cure: 'Remove or deactivate some, or let the business choose a larger plan. Then send the request with a new `Idempotency-Key`: the first one repeats this answer. With the appointments of a day, wait for the next day (UTC) and repeat the request as it is. [Limits](../limits.md) lists what each plan allows.',
    message: 'Your plan allows 5 call sources, and there are 5.',
  },
  too_much_asked: {
    cause: 'A request for the slots of several days would cost too much for a business of this size.',
    cure: 'Ask for as many days at a time as the message allows. One day is never refused.',
    message: TOO_LONG,
    more: { errors: { date_to: [TOO_LONG] } },
  },
  rate_limited: {
    cause:
      'The keys of the business have used up the requests of this minute or UTC day. Without a valid key: your address has had too many failures.',
    cure: 'Wait as many seconds as `Retry-After` says. Before you get that far: watch `X-RateLimit-Remaining`, use webhooks instead of polling, and ask for 100 records per page. [Limits](../limits.md) has the numbers.',
    message: 'Too many requests.',
    headers: { 'Retry-After': '17' },
  },
  headers_too_large: {
    cause: `The headers have more than ${MAX_HEAD_BYTES / 2 ** 10} KiB in all, mostly because of cookies.`,
    cure: 'Send fewer or shorter headers. The API needs no cookies.',
    message: 'The request headers are too large.',
  },
  internal_error: {
    cause: 'A fault of Frontdesk.',
    cure: `${AGAIN} If it stays, report the \`request_id\`.`,
    message: 'Something went wrong on our side.',
  },
  service_unavailable: {
    cause: 'A part of the system is away or overloaded.',
    cure: 'Wait as many seconds as `Retry-After` says, and repeat the request: a POST with an `Idempotency-Key`, so that it can’t have an effect twice.',
    message: 'The service is not available at the moment. Please try again.',
    headers: { 'Retry-After': '1' },
  },
  upstream_timeout: {
    cause: 'A part of the system took too long. A change may have happened all the same.',
    cure: `${AGAIN} Without one, read the record first.`,
    message: 'The service took too long to answer.',
  },
};
