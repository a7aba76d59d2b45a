import { isTracing, noteFailure, startSpan, traceparentOfSpan } from '@frontdesk/service';
import type { OutboxRow } from './outbox-batch.ts';

/** Begins the spans of a batch that is published: one for each traced event, in its trace, and one for the batch, linked to them. */
export function startSends(batch: readonly OutboxRow[]) {
  if (!isTracing()) return null;
  const traced = batch.flatMap((row) => (row.traceparent === null ? [] : [{ row, parent: row.traceparent }]));
  if (traced.length === 0) return null;
  const ofBatch = startSpan('publish batch', {
    parent: null,
    links: traced.map(({ parent }) => parent),
    attributes: { 'messaging.system': 'kafka', 'messaging.batch.message_count': batch.length },
  });
  const links = ofBatch ? [traceparentOfSpan(ofBatch)] : [];
  const sends = new Map(
    traced.flatMap(({ row, parent }) => {
      const span = startSpan(`publish ${row.topic}`, {
        ...{ kind: 'producer', parent, links },
        attributes: {
          'messaging.system': 'kafka',
          'messaging.destination.name': row.topic,
          'messaging.operation.type': 'send',
          'frontdesk.tenant.id': row.tenant_id,
        },
      });
      return span ? [[row, span]] : [];
    }),
  );
  return {
    traceparentOf(row: OutboxRow) {
      const span = sends.get(row);
      return span && traceparentOfSpan(span);
    },
    end(error?: unknown) {
      for (const span of [...sends.values(), ...(ofBatch ? [ofBatch] : [])]) {
        if (error !== undefined) noteFailure(span, error);
        span.end();
      }
    },
  };
}
