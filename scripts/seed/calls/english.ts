import type { CallLanguage } from './script.ts';

export const english: CallLanguage = {
  locale: 'en',
  greeting: 'Thank you for calling {business}. How can I help you today?',
  scripts: [
    {
      outcome: 'booked',
      sentiment: 'positive',
      summary: 'Asked for {service}; booked with {staff} on {day} at {time}.',
      lines: [
        'Thank you for calling {business}. How can I help you today?',
        'Hi, this is {name}. I would like to book {service}, please.',
        'Of course, {name}. I have {day} at {time} with {staff}. Would that work for you?',
        'That is perfect, thank you so much. It is actually right on my way home.',
        'Wonderful. You are booked for {service} on {day} at {time}. Is there anything else?',
        'No, that was really quick and easy. Have a great day!',
        'You too. We look forward to seeing you.',
      ],
    },
    {
      outcome: 'booked',
      sentiment: 'neutral',
      summary: 'Wanted an earlier appointment, took {day} at {time} for {service}.',
      lines: [
        'Thank you for calling {business}. How can I help you today?',
        'Do you have anything this week for {service}?',
        'Let me look. The next opening is {day} at {time} with {staff}.',
        'Nothing earlier than that?',
        'Not at the moment. I can put you down for {day} and let you know if something opens up.',
        'All right, let us do that. The name is {name}.',
        'Thank you, {name}. You are booked for {day} at {time}.',
      ],
    },
    {
      outcome: 'rescheduled',
      sentiment: 'neutral',
      summary: 'Could not make the appointment; moved to {day} at {time}.',
      lines: [
        'Thank you for calling {business}. How can I help you today?',
        'Hello, {name} here. Something came up at work and I have to move my appointment.',
        'No problem at all. Is it the {service} with {staff}?',
        'Yes, that one.',
        'I can offer {day} at {time} instead.',
        'Hm, that should be fine. Let me check. Yes, I will take it.',
        'Done. Your new appointment is on {day} at {time}.',
      ],
    },
    {
      outcome: 'cancelled',
      sentiment: 'negative',
      summary: 'Cancelled; unhappy that an earlier appointment began twenty minutes late.',
      lines: [
        'Thank you for calling {business}. How can I help you today?',
        'I want to cancel my appointment. Last time I had to wait twenty minutes, and nobody said a word.',
        'I am sorry to hear that, {name}. I have noted it for the team. Would you like another time instead?',
        'No. I am really disappointed. Please just cancel it.',
        'I have cancelled it. If you change your mind, we are happy to find you a new time.',
        'We will see. Bye.',
      ],
    },
    {
      outcome: 'cancelled',
      sentiment: 'neutral',
      summary: 'Cancelled because of a cold; will call again to book.',
      lines: [
        'Thank you for calling {business}. How can I help you today?',
        'Hi, it is {name}. I have caught a cold, so I should not come in tomorrow.',
        'Thank you for letting us know. Shall I find you another day?',
        'I will call again when I feel better.',
        'That is fine. Your appointment is cancelled, and there is no charge. Get well soon.',
      ],
    },
    {
      outcome: 'inquiry',
      sentiment: 'positive',
      summary: 'Asked what {service} costs and how long it takes.',
      lines: [
        'Thank you for calling {business}. How can I help you today?',
        'Hello! A friend recommended you. What does {service} cost, and how long does it take?',
        'How nice to hear. You find the price and the length of {service} on our page, and I can send you the link.',
        'Great, please do. You have been very helpful, thanks!',
        'My pleasure. Call us any time to book.',
      ],
    },
    {
      outcome: 'inquiry',
      sentiment: 'neutral',
      summary: 'Asked about parking and the opening hours on {day}.',
      lines: [
        'Thank you for calling {business}. How can I help you today?',
        'Two quick questions. Is there parking near you, and are you open on {day}?',
        'There is a garage across the street, and yes, we are open on {day}.',
        'Okay, thanks.',
        'You are welcome. Goodbye.',
      ],
    },
    {
      outcome: 'transferred',
      sentiment: 'negative',
      summary: 'Charged twice for {service}; handed over to the front desk.',
      lines: [
        'Thank you for calling {business}. How can I help you today?',
        'I was charged twice for {service}, and this is the second time I am calling about it.',
        'That should not happen, {name}, and I am sorry. I will put you through to a colleague who can see the payments.',
        'Fine, but I am getting annoyed. I have been waiting for a week.',
        'I understand. One moment please, I am connecting you now.',
      ],
    },
    {
      outcome: 'other',
      sentiment: 'neutral',
      summary: 'Wrong number.',
      lines: [
        'Thank you for calling {business}. How can I help you today?',
        'Is this not the pizza place? I am sorry, I must have mixed up the numbers.',
        'No problem at all. This is {business}. Enjoy your dinner!',
      ],
    },
  ],
  reminders: [
    {
      outcome: 'inquiry',
      sentiment: 'positive',
      summary: 'Reminded of the appointment on {day}; confirmed.',
      lines: [
        'Hello {name}, this is {business}. We look forward to your {service} on {day} at {time}.',
        'Oh, thank you for the reminder. I will be there.',
        'Wonderful. See you then, and have a lovely day.',
      ],
    },
    {
      outcome: 'voicemail',
      sentiment: null,
      summary: 'Left a reminder of the appointment on {day} on the voicemail.',
      lines: [
        'Hello {name}, this is {business}. This is a reminder of your {service} on {day} at {time}. If you can’t make it, please call us back. Thank you, and goodbye.',
      ],
    },
  ],
};
