// Made by npm run generate -w @frontdesk/client-generator. Not to be edited.

/** Every event: its other names, when it is sent, and what a delivery of it looks like. */
export const EVENT_EXAMPLES = [
  {
    "name": "appointment.created",
    "aliases": [
      "appointment.booked"
    ],
    "meaning": "a new appointment is booked",
    "example": {
      "id": "evt_0b4f8c1e-93a5-4d0c-8a8e-2f6d1a7c5b44",
      "event": "appointment.created",
      "created_at": "2026-03-02T09:00:00Z",
      "sequence": 1,
      "data": {
        "id": 5,
        "customer_id": 11,
        "service_id": 2,
        "staff_id": 3,
        "appointment_date": "2026-03-09",
        "appointment_time": "10:00",
        "end_time": "10:45",
        "duration_minutes": 45,
        "timezone": "Europe/Berlin",
        "starts_at": "2026-03-09T10:00:00+01:00",
        "ends_at": "2026-03-09T10:45:00+01:00",
        "status": "scheduled",
        "notes": null,
        "source": "api",
        "price": 45.5,
        "currency": "EUR",
        "created_at": "2026-03-02T09:00:00Z",
        "updated_at": "2026-03-02T09:00:00Z",
        "cancelled_at": null
      }
    }
  },
  {
    "name": "appointment.updated",
    "aliases": [],
    "meaning": "an appointment is moved or otherwise changed",
    "example": {
      "id": "evt_0b4f8c1e-93a5-4d0c-8a8e-2f6d1a7c5b44",
      "event": "appointment.updated",
      "created_at": "2026-03-02T09:00:00Z",
      "sequence": 2,
      "data": {
        "id": 5,
        "customer_id": 11,
        "service_id": 2,
        "staff_id": 3,
        "appointment_date": "2026-03-09",
        "appointment_time": "10:00",
        "end_time": "10:45",
        "duration_minutes": 45,
        "timezone": "Europe/Berlin",
        "starts_at": "2026-03-09T10:00:00+01:00",
        "ends_at": "2026-03-09T10:45:00+01:00",
        "status": "scheduled",
        "notes": "Comes ten minutes late.",
        "source": "api",
        "price": 45.5,
        "currency": "EUR",
        "created_at": "2026-03-02T09:00:00Z",
        "updated_at": "2026-03-02T09:00:00Z",
        "cancelled_at": null
      }
    }
  },
  {
    "name": "appointment.cancelled",
    "aliases": [],
    "meaning": "an appointment is cancelled",
    "example": {
      "id": "evt_0b4f8c1e-93a5-4d0c-8a8e-2f6d1a7c5b44",
      "event": "appointment.cancelled",
      "created_at": "2026-03-02T09:00:00Z",
      "sequence": 2,
      "data": {
        "id": 5,
        "customer_id": 11,
        "service_id": 2,
        "staff_id": 3,
        "appointment_date": "2026-03-09",
        "appointment_time": "10:00",
        "end_time": "10:45",
        "duration_minutes": 45,
        "timezone": "Europe/Berlin",
        "starts_at": "2026-03-09T10:00:00+01:00",
        "ends_at": "2026-03-09T10:45:00+01:00",
        "status": "cancelled",
        "notes": null,
        "source": "api",
        "price": 45.5,
        "currency": "EUR",
        "created_at": "2026-03-02T09:00:00Z",
        "updated_at": "2026-03-02T09:00:00Z",
        "cancelled_at": "2026-03-04T16:20:00Z"
      }
    }
  },
  {
    "name": "call.ended",
    "aliases": [
      "call.completed"
    ],
    "meaning": "a call is over and logged, with transcript and sentiment",
    "example": {
      "id": "evt_0b4f8c1e-93a5-4d0c-8a8e-2f6d1a7c5b44",
      "event": "call.ended",
      "created_at": "2026-03-02T09:00:00Z",
      "sequence": 2,
      "data": {
        "id": 8,
        "customer_id": 11,
        "direction": "inbound",
        "from_number": "+4930901820",
        "to_number": "+4930901821",
        "started_at": "2026-03-02T08:57:10Z",
        "ended_at": "2026-03-02T09:00:00Z",
        "duration": 170,
        "missed": false,
        "sentiment": "positive",
        "quality_score": 92,
        "outcome": "booked",
        "source": "Reception",
        "summary": "Mia booked a haircut with Anna.",
        "transcript": [
          {
            "role": "agent",
            "text": "Good morning, how can I help?",
            "start": 0,
            "end": 2.4
          },
          {
            "role": "customer",
            "text": "I would like a haircut next Monday.",
            "start": 2.9,
            "end": 5.1
          }
        ],
        "transcript_truncated": false,
        "recording_url": "https://recordings.example.com/8.mp3",
        "sentiment_source": "provider",
        "provider": "vapi",
        "provider_call_id": "7420f27a-30fd-4f49-a995-5549ae7cc00d",
        "appointment_id": 5,
        "created_at": "2026-03-02T09:00:00Z",
        "updated_at": "2026-03-02T09:00:00Z"
      }
    }
  },
  {
    "name": "call.missed",
    "aliases": [
      "missed_call"
    ],
    "meaning": "a call is missed: it lasted less than 15 seconds",
    "example": {
      "id": "evt_0b4f8c1e-93a5-4d0c-8a8e-2f6d1a7c5b44",
      "event": "call.missed",
      "created_at": "2026-03-02T09:00:00Z",
      "sequence": 1,
      "data": {
        "id": 8,
        "customer_id": 11,
        "direction": "inbound",
        "from_number": "+4930901820",
        "to_number": "+4930901821",
        "started_at": "2026-03-02T08:57:10Z",
        "ended_at": "2026-03-02T08:57:19Z",
        "duration": 9,
        "missed": true,
        "sentiment": null,
        "quality_score": null,
        "outcome": "no_answer",
        "source": "Reception",
        "summary": null,
        "transcript": [],
        "transcript_truncated": false,
        "recording_url": null,
        "sentiment_source": null,
        "provider": "vapi",
        "provider_call_id": "7420f27a-30fd-4f49-a995-5549ae7cc00d",
        "appointment_id": null,
        "created_at": "2026-03-02T09:00:00Z",
        "updated_at": "2026-03-02T09:00:00Z"
      }
    }
  },
  {
    "name": "call.updated",
    "aliases": [],
    "meaning": "something about a logged call came in later",
    "example": {
      "id": "evt_0b4f8c1e-93a5-4d0c-8a8e-2f6d1a7c5b44",
      "event": "call.updated",
      "created_at": "2026-03-02T09:00:00Z",
      "sequence": 2,
      "data": {
        "id": 8,
        "customer_id": 11,
        "direction": "inbound",
        "from_number": "+4930901820",
        "to_number": "+4930901821",
        "started_at": "2026-03-02T08:57:10Z",
        "ended_at": "2026-03-02T09:00:00Z",
        "duration": 170,
        "missed": false,
        "sentiment": "positive",
        "quality_score": 95,
        "outcome": "booked",
        "source": "Reception",
        "summary": "Mia booked a haircut with Anna.",
        "transcript": [
          {
            "role": "agent",
            "text": "Good morning, how can I help?",
            "start": 0,
            "end": 2.4
          },
          {
            "role": "customer",
            "text": "I would like a haircut next Monday.",
            "start": 2.9,
            "end": 5.1
          }
        ],
        "transcript_truncated": false,
        "recording_url": "https://recordings.example.com/8.mp3",
        "sentiment_source": "provider",
        "provider": "vapi",
        "provider_call_id": "7420f27a-30fd-4f49-a995-5549ae7cc00d",
        "appointment_id": 5,
        "created_at": "2026-03-02T09:00:00Z",
        "updated_at": "2026-03-02T09:00:00Z"
      }
    }
  },
  {
    "name": "customer.created",
    "aliases": [],
    "meaning": "a new customer is added",
    "example": {
      "id": "evt_0b4f8c1e-93a5-4d0c-8a8e-2f6d1a7c5b44",
      "event": "customer.created",
      "created_at": "2026-03-02T09:00:00Z",
      "sequence": 1,
      "data": {
        "id": 11,
        "name": "Mia Wong",
        "phone": "+4930901820",
        "email": "mia@example.com",
        "segment": "active",
        "pipeline_stage": null,
        "notes": null,
        "source": "api",
        "created_at": "2026-03-02T09:00:00Z",
        "updated_at": "2026-03-02T09:00:00Z",
        "total_appointments": 0,
        "total_spent": 0,
        "currency": "EUR",
        "last_visit_date": null
      }
    }
  },
  {
    "name": "customer.updated",
    "aliases": [],
    "meaning": "a customer is changed, or what their appointments add up to",
    "example": {
      "id": "evt_0b4f8c1e-93a5-4d0c-8a8e-2f6d1a7c5b44",
      "event": "customer.updated",
      "created_at": "2026-03-02T09:00:00Z",
      "sequence": 2,
      "data": {
        "id": 11,
        "name": "Mia Wong",
        "phone": "+4930901820",
        "email": "mia@example.com",
        "segment": "vip",
        "pipeline_stage": null,
        "notes": null,
        "source": "api",
        "created_at": "2026-03-02T09:00:00Z",
        "updated_at": "2026-03-02T09:00:00Z",
        "total_appointments": 4,
        "total_spent": 182,
        "currency": "EUR",
        "last_visit_date": "2026-02-09"
      }
    }
  }
];
