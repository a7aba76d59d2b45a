import { type CustomerListEntry, MAX_LENGTH } from '@frontdesk/contracts';
import { beginningOf, candidatesFor, commonFields, drawnValues, mergeChoices } from './merge.rules.ts';

const GRACE: CustomerListEntry = {
  id: 11,
  name: 'Grace Wilson-Hall',
  phone: '030 901820',
  email: 'grace@example.com',
  segment: 'active',
  pipeline_stage: null,
  notes: 'Likes tea',
  source: 'front_desk',
  created_at: '2026-03-02T09:00:00Z',
  updated_at: '2026-03-02T09:00:00Z',
};
const customer = (fields: Partial<CustomerListEntry>) => ({
  ...GRACE,
  id: 14,
  phone: '030 23125',
  ...fields,
});
const chosenOf = (...given: Parameters<typeof mergeChoices>) =>
  Object.fromEntries(mergeChoices(...given).map(({ name, chosen }) => [name, chosen]));

describe('the details of two customers', () => {
  it('are to be chosen where they differ; those of the one who stays are marked', () => {
    const other = customer({ name: 'Grace Wilson', segment: 'vip' });
    expect(chosenOf(GRACE, other)).toEqual({
      name: 'Grace Wilson-Hall',
      takes_phone: 'false',
      segment: 'active',
    });
    expect(commonFields(GRACE, other)).toEqual([
      { field: 'email', text: 'grace@example.com' },
      { field: 'notes', text: 'Likes tea' },
    ]);
  });

  it('of somebody who has only called give way: a number as a name, a lead, nothing at all', () => {
    const caller = customer({ name: '+49 30 23125', segment: 'lead', email: null, notes: null });
    expect(chosenOf(caller, GRACE)).toEqual({
      name: 'Grace Wilson-Hall',
      takes_phone: 'false',
      email: 'grace@example.com',
      segment: 'active',
      notes: 'Likes tea',
    });
    const nobody = customer({ name: '+49 30 23126', segment: 'lead', email: null, notes: null });
    expect(chosenOf(caller, nobody).name).toBe('+49 30 23125');
  });

  it('notes are kept both, one below the other, unless one holds the other or they are too long', () => {
    const sides = (own: string | null, other: string | null) => {
      const choice = mergeChoices(customer({ notes: own }), customer({ notes: other })).find(
        ({ field }) => field === 'notes',
      );
      return [choice?.options.map(({ side }) => side), choice?.chosen];
    };
    expect(sides('Tea', 'Coffee')).toEqual([['own', 'other', 'both'], 'Tea\n\nCoffee']);
    // Counted as the API counts: by letters.
    expect(sides('😀'.repeat(2_500), 'x'.repeat(2_498))[0]).toContain('both');
    expect(sides('Tea', 'Tea, no milk')).toEqual([['own', 'other'], 'Tea, no milk']);
    expect(sides('Tea, no milk', 'Tea')).toEqual([['own', 'other'], 'Tea, no milk']);
    expect(sides('Tea', null)).toEqual([['own', 'other'], 'Tea']);
    const half = 'x'.repeat(MAX_LENGTH.notes / 2 - 1);
    expect(sides(half, half.replaceAll('x', 'y'))[0]).toHaveLength(3);
    expect(sides(`${half}x`, half.replaceAll('x', 'y'))[0]).toHaveLength(2);
  });

  it('stay as they were chosen while they are there, and are marked where they have changed', () => {
    const other = customer({ name: 'Grace Wilson', notes: 'A\nB' });
    const drawn = drawnValues(GRACE, other);
    const sent = { name: 'Grace Wilson', takes_phone: 'true', notes: 'Likes tea\r\n\r\nA\r\nB' };
    const choices = mergeChoices(GRACE, other, { sent, drawn });
    expect(choices.map(({ chosen, isNew }) => [chosen, isNew])).toEqual([
      ['Grace Wilson', false],
      ['true', false],
      ['Likes tea\n\nA\nB', false],
    ]);
    const renamed = mergeChoices(GRACE, { ...other, name: 'G. Wilson' }, { sent, drawn });
    expect(renamed[0]).toMatchObject({ chosen: 'Grace Wilson-Hall', isNew: true });
    expect(renamed[1]).toMatchObject({ chosen: 'true', isNew: false });
  });
});

describe('who may be the same person', () => {
  it('is looked for by the first two words of the name', () => {
    const names = ['Grace Wilson-Hall', ' Grace-Ann  Hall Wilson', 'Grace', '+49 30', '', 'Sinéad O’Connor'];
    expect(names.map(beginningOf)).toEqual([
      'Grace Wilson',
      'Grace-Ann',
      'Grace',
      '+49 30',
      '',
      'Sinéad O’Connor',
    ]);
  });

  it('has the same email, then the same name, then a similar one; nobody twice, and never the customer', () => {
    const email = customer({ id: 1, name: 'G. W.', email: 'GRACE@example.com' });
    const part = customer({ id: 2, name: 'Other', email: 'great.grace@example.com' });
    const name = customer({ id: 3, name: 'GRACE Wilson-Hall', email: null });
    const similar = customer({ id: 4, name: 'Grace Wilson', email: null });
    const found = candidatesFor(GRACE, {
      byEmail: [GRACE, part, email],
      byName: [similar, GRACE, email, name],
    });
    expect(found.map(({ id, sameness }) => [id, sameness])).toEqual([
      [1, 'email'],
      [3, 'name'],
      [4, 'similar'],
    ]);
    // No email is nobody's.
    const without = candidatesFor({ ...GRACE, email: null }, { byEmail: [name], byName: [] });
    expect(without).toEqual([]);
  });
});
