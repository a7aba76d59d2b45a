import type { Failure, PageMeta } from '@frontdesk/contracts';
import { PATIENT_MS } from '../../support/patient-env.ts';

export interface ApiAnswer<Data> {
  status: number;
  headers: Headers;
  body: ({ success: true; data: Data; meta?: PageMeta } | Failure) & { success: boolean };
  /** @throws where the answer is a failure. */
  data(): Data;
}

export type Api = <Data>(
  method: string,
  path: string,
  options?: { body?: object; idempotencyKey?: string },
) => Promise<ApiAnswer<Data>>;

/** API v1 as an integrator calls it. */
export function apiClient(gatewayUrl: string, apiKey: string): Api {
  return async <Data>(
    method: string,
    path: string,
    { body, idempotencyKey }: { body?: object; idempotencyKey?: string } = {},
  ) => {
    const answer = await fetch(`${gatewayUrl}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(Number(PATIENT_MS)),
    });
    const parsed = (await answer.json()) as ApiAnswer<Data>['body'];
    return {
      status: answer.status,
      headers: answer.headers,
      body: parsed,
      data() {
        if (parsed.success) return parsed.data;
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(parsed)}`);
      },
    };
  };
}
