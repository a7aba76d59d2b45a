import type { DemoTenant } from '../seed/index.ts';

/** A command that sends a signed call to a demo business's source. */
export const sampleCall = ({ call_source: { ingest_url, secret } }: DemoTenant): string =>
  `npm run -s calls:replay -- generic/booked ${ingest_url} --secret ${secret}`;
