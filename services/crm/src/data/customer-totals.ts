/**
 * What the visits of a row of `customers c` add up to, to be joined: the columns of `VisitTotals`. `currency` is SQL. Amounts in another
 * currency than the tenant's own cannot be added up with the rest.
 */
export const customerTotals = (currency: string) => `
  cross join lateral (
    select count(*) as total_appointments,
      coalesce(sum(v.price_minor) filter (where v.status = 'completed' and v.currency = ${currency}), 0)::bigint as total_spent_minor,
      max(v.date) filter (where v.status = 'completed') as last_visit_date
    from visits v where v.tenant_id = c.tenant_id and v.customer_id = c.id
  ) totals`;
