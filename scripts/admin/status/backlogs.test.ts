import { backlogsOf } from './backlogs.ts';
import type { ProcessReading } from './process-reading.ts';

const reading = (value: number): ProcessReading => ({
  service: 'crm',
  address: '127.0.0.1:4021',
  missing: [],
  samples: [{ name: 'dead_letters_waiting', labels: {}, value }],
});

describe('a backlog of a service', () => {
  it('needs somebody where no process can tell it, and is told by one if others can’t', () => {
    expect(backlogsOf([reading(Number.NaN)])).toEqual([
      { service: 'crm', what: 'dead letters', waiting: null, unit: 'messages', needs_you: true },
    ]);
    expect(backlogsOf([reading(Number.NaN), reading(2)])).toEqual([
      { service: 'crm', what: 'dead letters', waiting: 2, unit: 'messages', needs_you: true },
    ]);
  });

  it('sums up a queue over all processes, and shows the worst of several queues', () => {
    const lag = (topic: string, partition: number, value: number) => ({
      name: 'events_consumer_lag',
      labels: { group: 'crm', topic, partition: `${partition}` },
      value,
    });
    const one = { ...reading(0), samples: [lag('calls', 0, 400), lag('appointments', 0, 500)] };
    const other = { ...reading(0), samples: [lag('calls', 1, 400), lag('appointments', 1, 501)] };
    expect(backlogsOf([one])).toMatchObject([{ waiting: 500, needs_you: false }]);
    expect(backlogsOf([one, other])).toMatchObject([{ waiting: 1_001, needs_you: true }]);
  });
});
