import { AppError } from '@frontdesk/service';
import type { GatewayClient } from '../clients/gateway.client.ts';
import { NO_REGION, type Region, regionOf } from '../region/region.rules.ts';
import {
  type ComposedEmail,
  type EmailKind,
  type EmailToCompose,
  isLinkKind,
  type LinkKind,
  type SecurityKind,
} from './email.rules.ts';
import { securityEmail } from './security-emails.view.ts';

/** The business whose name and clocks an email has. The name is null where there is no such business. */
interface MailedBusiness {
  name: string | null;
  region: Region;
}

type FindBusiness = (tenantId: number | null) => Promise<MailedBusiness>;

/** Makes the link and the words of an email. Null where there is nothing to send: no account has the address, for example. */
export type Composer<Kind extends EmailKind> = (
  email: EmailToCompose<Kind>,
  findBusiness: FindBusiness,
) => Promise<ComposedEmail | null>;

export type Composers = { readonly [Kind in LinkKind]: Composer<Kind> };

export type ComposeEmail = (email: EmailToCompose) => Promise<ComposedEmail | null>;

/** Composes emails of all kinds. @throws AppError where a service that it asks is away */
export function createComposeEmail(deps: {
  gateway: Pick<GatewayClient, 'tenant'>;
  composers: Composers;
  settingsUrl: string;
}): ComposeEmail {
  const { gateway, composers, settingsUrl } = deps;

  const findBusiness: FindBusiness = async (tenantId) => {
    if (tenantId === null) return { name: null, region: NO_REGION };
    try {
      const tenant = await gateway.tenant({ tenantId });
      return { name: tenant.name, region: regionOf({ tenant }) };
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return { name: null, region: NO_REGION };
      throw error;
    }
  };

  return async (email) => {
    const { kind } = email;
    if (isLinkKind(kind)) {
      const compose = composers[kind] as Composer<LinkKind>;
      return compose(email as EmailToCompose<LinkKind>, findBusiness);
    }
    const business = await findBusiness(email.tenant_id ?? email.details.at(-1)?.tenant_id ?? null);
    const context = { business: business.name, region: business.region, settingsUrl };
    return securityEmail(email as EmailToCompose<SecurityKind>, context);
  };
}
