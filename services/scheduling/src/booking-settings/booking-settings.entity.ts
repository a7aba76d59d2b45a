import { EntitySchema } from 'typeorm';
import type { BookingSettingsRow } from './booking-settings.rules.ts';

export const bookingSettingsEntity = new EntitySchema<BookingSettingsRow>({
  name: 'booking_settings',
  tableName: 'booking_settings',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    booking_policy: { type: 'text' },
    booking_policy_chosen: { type: 'boolean' },
    slot_step_minutes: { type: 'int' },
    minimum_notice_minutes: { type: 'int' },
    horizon_days: { type: 'int', nullable: true },
    version: { type: 'int', version: true },
  },
});
