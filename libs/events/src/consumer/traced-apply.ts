import { type DomainEvent, EVENT_TYPES } from '@frontdesk/contracts';
import {
  endedAfter,
  isTracing,
  noteFailure,
  type Span,
  startSpan,
  traceparentOfSpan,
} from '@frontdesk/service';

type Apply = (events: DomainEvent[]) => Promise<void>;

/**
 * The same with a span for each traced event, in its trace, and one for all of them, linked to them, in which the work is done. Each event
 * is handed on with the context of its own span.
 */
export const tracedApply =
  (group: string, apply: Apply): Apply =>
  async (events) => {
    const parents = isTracing() ? events.flatMap(({ traceparent }) => traceparent ?? []) : [];
    if (parents.length === 0) return apply(events);
    const ofBatch = startSpan(`apply ${group}`, {
      parent: null,
      links: parents,
      attributes: { ...attributesOf(group), 'messaging.batch.message_count': events.length },
    });
    if (!ofBatch) return apply(events);
    const links = [traceparentOfSpan(ofBatch)];
    const spans: Span[] = [];
    const handedOn = events.map((event) => {
      const span = startProcess(group, event, links);
      if (!span) return event;
      spans.push(span);
      return { ...event, traceparent: traceparentOfSpan(span) };
    });
    try {
      await endedAfter(ofBatch, () => apply(handedOn));
    } catch (error) {
      for (const span of spans) noteFailure(span, error);
      throw error;
    } finally {
      for (const span of spans) span.end();
    }
  };

const attributesOf = (group: string) => ({
  'messaging.system': 'kafka',
  'messaging.consumer.group.name': group,
});

function startProcess(group: string, { type, tenant_id, traceparent }: DomainEvent, links: string[]) {
  if (traceparent === undefined) return null;
  const { topic } = EVENT_TYPES[type];
  return startSpan(`process ${topic}`, {
    kind: 'consumer',
    parent: traceparent,
    links,
    attributes: {
      ...attributesOf(group),
      'messaging.destination.name': topic,
      'messaging.operation.type': 'process',
      'frontdesk.event.type': type,
      'frontdesk.tenant.id': tenant_id,
    },
  });
}
