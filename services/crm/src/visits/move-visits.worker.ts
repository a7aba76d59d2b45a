import type { Loop } from '@frontdesk/service';
import { createMergeRewriter, type Wiring } from '@frontdesk/wiring';
import { moveVisitsOf } from '../customers/merged-customer.repository.ts';
import { changeVisits } from './change-visits.ts';

/** Moves the visits of merged customers that the merge itself left, or that were stored meanwhile, to whom these are part of. */
export const createVisitMover = (wiring: Pick<Wiring, 'database' | 'logger'>): Loop =>
  createMergeRewriter(wiring, {
    async rewrite(tx, { id }) {
      const visited = { customerIds: [id], appointmentIds: [] };
      for (;;) {
        // Whom they are part of may have been merged while this waited: then nobody is locked yet.
        const moved = await changeVisits(tx, visited, () => moveVisitsOf(tx, id));
        if (moved) return moved.result;
      }
    },
  });
