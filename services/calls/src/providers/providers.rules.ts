import type { CallProviderName } from '@frontdesk/contracts';
import type { CallProvider } from './call-provider.rules.ts';
import { generic } from './generic.rules.ts';
import { retell } from './retell.rules.ts';
import { twilio } from './twilio.rules.ts';
import { vapi } from './vapi.rules.ts';

export const PROVIDERS: Readonly<Record<CallProviderName, CallProvider>> = { generic, vapi, retell, twilio };
