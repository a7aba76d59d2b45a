import type { components, operations } from './generated/openapi.ts';
import type { WebhookEvent } from './webhooks/events.ts';

type Schemas = components['schemas'];
type OperationId = keyof operations;

type BodyOf<Id extends OperationId> = operations[Id] extends {
  // Optional where every field is.
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

type QueryOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;

export type Appointment = Schemas['Appointment'];
export type Hold = Schemas['Hold'];
export type Slot = Schemas['Slot'];
export type Customer = Schemas['Customer'];
export type CustomerListEntry = Schemas['CustomerListEntry'];
export type Call = Schemas['Call'];
export type CallListEntry = Schemas['CallListEntry'];
export type StaffMember = Schemas['StaffMember'];
export type StaffListEntry = Schemas['StaffListEntry'];
export type Service = Schemas['Service'];
export type Business = Schemas['Business'];
export type FeedEvent = Schemas['Event'];
/** An endpoint. */
export type Webhook = Schemas['Webhook'];
export type WebhookDeliveryListEntry = Schemas['WebhookDeliveryListEntry'];
export type WebhookDelivery = Omit<Schemas['WebhookDelivery'], 'payload'> & {
  /** What the endpoint was sent. */
  payload: WebhookEvent;
};
export type DeletedRecord = Schemas['DeletedRecord'];

export type CreateAppointment = BodyOf<'create-appointment'>;
export type UpdateAppointment = BodyOf<'update-appointment'>;
export type UpdateAppointmentStatus = BodyOf<'update-appointment-status'>;
export type ListAppointments = QueryOf<'list-appointments'>;
export type ListSlots = QueryOf<'list-slots'>;
export type CreateHold = BodyOf<'create-hold'>;
export type BookHold = BodyOf<'book-hold'>;
export type CreateCustomer = BodyOf<'create-customer'>;
export type UpdateCustomer = BodyOf<'update-customer'>;
export type CreateCustomerQuery = QueryOf<'create-customer'>;
export type ListCustomers = QueryOf<'list-customers'>;
/** `missed` may be a boolean, too. */
export type ListCalls = Omit<QueryOf<'list-calls'>, 'missed'> & {
  missed?: boolean | QueryOf<'list-calls'>['missed'];
};

export type ListEvents = QueryOf<'list-events'>;
export type CreateWebhook = BodyOf<'create-webhook'>;
export type UpdateWebhook = BodyOf<'update-webhook'>;
export type RollWebhookSecret = BodyOf<'roll-webhook-secret'>;
export type ListWebhookDeliveries = QueryOf<'list-webhook-deliveries'>;

/** The `meta` of a page. */
export type PageMeta =
  operations['list-appointments']['responses'][200]['content']['application/json']['meta'];

/** The `meta` of the feed of events. */
export type FeedMeta = operations['list-events']['responses'][200]['content']['application/json']['meta'];

/** Field name → what is wrong with it. */
export type FieldErrors = Record<string, string[]>;
