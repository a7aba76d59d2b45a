/** Which customers were merged, for the services that keep a customer's id in rows of their own. */
export {
  currentCustomer,
  findMergedInto,
  type Merge,
  REWRITTEN_TOGETHER,
  saveMerges,
  shortenMerges,
} from './merged-customer.repository.ts';
export { mergedCustomersMigrations } from './merged-customers.migration.ts';
export { createMergeRewriter } from './rewrite-merged.worker.ts';
