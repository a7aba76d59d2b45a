/** The `source` of customers and appointments that are entered on these pages. */
export const FRONT_DESK = 'front_desk';

/** A new customer's entry in the audit log, which outlives them: it says the number and not the name. */
export const CUSTOMER_ADDED = {
  action: 'customer_added',
  subject: 'New customer',
  subjectOf: ({ id }: { id: number }) => `Customer ${id}`,
  recordOf: ({ id }: { id: number }) => id,
} as const;
