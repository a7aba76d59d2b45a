import { portionsOf } from './business-portions.ts';

const member = (n: number, noteLength: number) => ({ name: `Staff ${n}`, note: 'x'.repeat(noteLength) });
const business = (count: number, noteLength: number) => ({
  services: [{ name: 'Cut' }],
  staff: Array.from({ length: count }, (_, n) => member(n, noteLength)),
});

describe('portions of a business document', () => {
  it('are one for a document of a usual size, or for what is no business', () => {
    for (const document of [business(200, 1_000), { services: [] }, [1], { staff: 1 }])
      expect([...portionsOf(document)]).toEqual([{ body: document, staff: null }]);
  });

  it('have all of a large one once: its staff in order, and the rest with the first of them', () => {
    const document = business(200, 100_000);
    const portions = [...portionsOf(document)];
    expect(portions.flatMap(({ body }) => (body as typeof document).staff)).toEqual(document.staff);
    expect(portions.map(({ body }) => Object.keys(body as object))).toEqual([
      ['services', 'staff'],
      ...portions.slice(1).map(() => ['staff']),
    ]);
    expect(portions[1]?.staff).toEqual([20, 38]);
    for (const { body } of portions) expect(JSON.stringify(body).length).toBeLessThan(2_100_000);
  });

  it('have one staff member at least and fifty at most', () => {
    expect([...portionsOf(business(3, 5_000_000))]).toHaveLength(3);
    for (const { body } of portionsOf(business(400, 10_000)))
      expect((body as { staff: unknown[] }).staff.length).toBeLessThanOrEqual(50);
  });
});
