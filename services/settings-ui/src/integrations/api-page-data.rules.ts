import type {
  ApiKey,
  DeliveryGap,
  DeliverySummary,
  EndpointAdmin,
  TenantView,
  Usage,
} from '@frontdesk/contracts';

/** What the page is made of, with deliveries as they were asked for. Null: its service couldn't say in time. */
export interface ApiPageData<Delivery = DeliverySummary> {
  tenant: TenantView | null;
  keys: ApiKey[] | null;
  usage: Usage | null;
  endpoints: EndpointAdmin[] | null;
  deliveries: Delivery[] | null;
  gaps: DeliveryGap[] | null;
}
