import type { CallProviderName } from '@frontdesk/contracts';
import type { CallProvider } from '../call-provider.ts';
import { generic } from './generic.ts';
import { retell } from './retell.ts';
import { twilio } from './twilio.ts';
import { vapi } from './vapi.ts';

export const PROVIDERS: Readonly<Record<CallProviderName, CallProvider>> = { generic, vapi, retell, twilio };
