import type { ApiPromise } from '../api-promise.ts';
import type { PagePromise } from '../page.ts';
import type { ChangeOptions, CreateOptions, RequestOptions } from '../transport/call.ts';
import type { Send } from '../transport/send.ts';
import type {
  CreateWebhook,
  DeletedRecord,
  ListWebhookDeliveries,
  RollWebhookSecret,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryListEntry,
} from '../types.ts';
import { request, requestPage } from './requests.ts';

const PATH = '/webhooks';
const DELIVERIES = '/webhook-deliveries';

/** Endpoints that get the events of the business, and the log of what was sent to them. */
export class Webhooks {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** All endpoints, not paged, the newest first. */
  list(options: RequestOptions = {}): ApiPromise<Webhook[]> {
    return request(this.#send, { method: 'GET', path: PATH, isList: true, options });
  }

  /** Adds an endpoint. Keep the `secret` of the answer: no other one shows it. */
  create(body: CreateWebhook, options: CreateOptions = {}): ApiPromise<Webhook> {
    const { idempotencyKey } = options;
    return request(this.#send, { method: 'POST', path: PATH, body, idempotencyKey, options });
  }

  /** One endpoint, with how it fares. */
  get(id: number, options: RequestOptions = {}): ApiPromise<Webhook> {
    return request(this.#send, { method: 'GET', path: PATH, id, options });
  }

  /** Changes only what you give. `is_active` pauses and resumes. At another `url` it begins without headers, unless they are given too. */
  update(id: number, body: UpdateWebhook, options: ChangeOptions = {}): ApiPromise<Webhook> {
    const { ifMatch } = options;
    return request(this.#send, { method: 'PATCH', path: PATH, id, body, ifMatch, options });
  }

  /**
   * Nothing more is sent to it; its log stays.
   * @throws NotFoundError, also where an earlier attempt whose answer was lost has deleted it
   */
  delete(id: number, options: ChangeOptions = {}): ApiPromise<DeletedRecord> {
    const { ifMatch } = options;
    return request(this.#send, { method: 'DELETE', path: PATH, id, ifMatch, options });
  }

  /** The answer has the new `secret`. For the next 24 hours the one before signs too. */
  rollSecret(
    id: number,
    body: RollWebhookSecret = {},
    options: CreateOptions & ChangeOptions = {},
  ): ApiPromise<Webhook> {
    const { idempotencyKey, ifMatch } = options;
    return request(this.#send, {
      method: 'POST',
      path: PATH,
      id,
      part: 'roll-secret',
      body,
      idempotencyKey,
      ifMatch,
      options,
    });
  }

  /** Sends `endpoint.test` to this endpoint alone. `getDelivery` of the answer's id says how it went. */
  test(id: number, options: CreateOptions = {}): ApiPromise<WebhookDeliveryListEntry> {
    const { idempotencyKey } = options;
    return request(this.#send, { method: 'POST', path: PATH, id, part: 'test', idempotencyKey, options });
  }

  /** The log, by when events came in, the newest first. `for await` walks through all of it. */
  listDeliveries(
    query: ListWebhookDeliveries = {},
    options: RequestOptions = {},
  ): PagePromise<WebhookDeliveryListEntry> {
    return requestPage(this.#send, DELIVERIES, query, options);
  }

  /** One delivery, with what was sent and each answer. */
  getDelivery(id: number, options: RequestOptions = {}): ApiPromise<WebhookDelivery> {
    return request(this.#send, { method: 'GET', path: DELIVERIES, id, options });
  }

  /** The same event with the same id, in new attempts. */
  resendDelivery(id: number, options: CreateOptions = {}): ApiPromise<WebhookDeliveryListEntry> {
    const { idempotencyKey } = options;
    return request(this.#send, {
      method: 'POST',
      path: DELIVERIES,
      id,
      part: 'resend',
      idempotencyKey,
      options,
    });
  }
}
