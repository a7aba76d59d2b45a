import type { CallLanguage } from './script.ts';

export const german: CallLanguage = {
  locale: 'de',
  greeting: '{business}, guten Tag. Was kann ich für Sie tun?',
  scripts: [
    {
      outcome: 'booked',
      sentiment: 'positive',
      summary: '{service} gewünscht; gebucht bei {staff} am {day} um {time}.',
      lines: [
        '{business}, guten Tag. Was kann ich für Sie tun?',
        'Hallo, hier ist {name}. Ich hätte gern einen Termin: {service}.',
        'Sehr gern. Am {day} um {time} wäre bei {staff} etwas frei. Passt Ihnen das?',
        'Das passt ja wunderbar, vielen Dank! Da komme ich direkt von der Arbeit.',
        'Prima, dann trage ich Sie ein: {service} am {day} um {time}. Sonst noch etwas?',
        'Nein, das ging ja schnell. Einen schönen Tag noch!',
        'Ihnen auch. Wir freuen uns auf Sie.',
      ],
    },
    {
      outcome: 'booked',
      sentiment: 'neutral',
      summary: 'Wollte früher kommen, nimmt {day} um {time} für {service}.',
      lines: [
        '{business}, guten Tag. Was kann ich für Sie tun?',
        'Haben Sie diese Woche noch etwas frei? Es geht um {service}.',
        'Ich sehe nach. Das Nächste wäre {day} um {time} bei {staff}.',
        'Früher geht nichts?',
        'Im Moment leider nicht. Ich kann Sie eintragen und melde mich, falls etwas frei wird.',
        'Gut, machen wir so. {name} ist mein Name.',
        'Danke, {name}. Sie stehen für {day} um {time} im Kalender.',
      ],
    },
    {
      outcome: 'rescheduled',
      sentiment: 'neutral',
      summary: 'Konnte nicht kommen; verschoben auf {day} um {time}.',
      lines: [
        '{business}, guten Tag. Was kann ich für Sie tun?',
        'Guten Tag, {name}. Mir ist etwas dazwischengekommen, ich müsste meinen Termin verschieben.',
        'Kein Problem. Geht es um {service} bei {staff}?',
        'Ja, genau.',
        'Ich könnte Ihnen {day} um {time} anbieten.',
        'Moment, ich schaue. Ja, das geht.',
        'Dann ist Ihr neuer Termin {day} um {time}.',
      ],
    },
    {
      outcome: 'cancelled',
      sentiment: 'negative',
      summary: 'Abgesagt; verärgert, weil der letzte Termin zwanzig Minuten zu spät begann.',
      lines: [
        '{business}, guten Tag. Was kann ich für Sie tun?',
        'Ich möchte meinen Termin absagen. Letztes Mal habe ich zwanzig Minuten gewartet, und keiner hat etwas gesagt.',
        'Das tut mir leid, {name}. Ich gebe es weiter. Möchten Sie stattdessen einen anderen Termin?',
        'Nein, ich bin wirklich enttäuscht. Bitte einfach absagen.',
        'Ich habe den Termin abgesagt. Wenn Sie es sich anders überlegen, finden wir gern etwas Neues.',
        'Mal sehen. Auf Wiederhören.',
      ],
    },
    {
      outcome: 'inquiry',
      sentiment: 'positive',
      summary: 'Fragte, was {service} kostet und wie lange es dauert.',
      lines: [
        '{business}, guten Tag. Was kann ich für Sie tun?',
        'Hallo! Eine Freundin hat Sie empfohlen. Was kostet denn {service}, und wie lange dauert das?',
        'Das freut uns. Preis und Dauer von {service} stehen auf unserer Seite, ich schicke Ihnen gern den Link.',
        'Super, sehr nett von Ihnen, danke!',
        'Gern geschehen. Rufen Sie jederzeit an, wenn Sie buchen möchten.',
      ],
    },
    {
      outcome: 'inquiry',
      sentiment: 'neutral',
      summary: 'Fragte nach Parkplätzen und den Öffnungszeiten am {day}.',
      lines: [
        '{business}, guten Tag. Was kann ich für Sie tun?',
        'Zwei kurze Fragen: Kann man bei Ihnen parken, und haben Sie am {day} auf?',
        'Gegenüber ist ein Parkhaus, und ja, am {day} haben wir geöffnet.',
        'Gut, danke.',
        'Gern. Auf Wiederhören.',
      ],
    },
    {
      outcome: 'transferred',
      sentiment: 'negative',
      summary: '{service} doppelt abgebucht; an den Empfang weitergegeben.',
      lines: [
        '{business}, guten Tag. Was kann ich für Sie tun?',
        'Mir wurde {service} zweimal abgebucht, und ich rufe deswegen jetzt schon zum zweiten Mal an.',
        'Das darf nicht passieren, {name}, bitte entschuldigen Sie. Ich verbinde Sie mit einer Kollegin, die die Zahlungen sieht.',
        'Na gut, aber langsam ärgert mich das. Ich warte seit einer Woche.',
        'Das verstehe ich. Einen Moment bitte, ich verbinde.',
      ],
    },
    {
      outcome: 'other',
      sentiment: 'neutral',
      summary: 'Verwählt.',
      lines: [
        '{business}, guten Tag. Was kann ich für Sie tun?',
        'Ist da nicht die Pizzeria? Oh, dann habe ich mich verwählt.',
        'Das macht nichts. Guten Appetit!',
      ],
    },
  ],
  reminders: [
    {
      outcome: 'inquiry',
      sentiment: 'positive',
      summary: 'An den Termin am {day} erinnert; bestätigt.',
      lines: [
        'Guten Tag, {name}, hier ist {business}. Wir freuen uns auf Ihren Termin am {day} um {time}: {service}.',
        'Ach ja, danke fürs Erinnern. Ich komme gern.',
        'Wunderbar. Bis dann, und einen schönen Tag.',
      ],
    },
    {
      outcome: 'voicemail',
      sentiment: null,
      summary: 'Erinnerung an den Termin am {day} auf die Mailbox gesprochen.',
      lines: [
        'Guten Tag, {name}, hier ist {business}. Wir erinnern an Ihren Termin am {day} um {time}: {service}. Falls Sie nicht können, rufen Sie uns bitte zurück. Vielen Dank und auf Wiederhören.',
      ],
    },
  ],
};
