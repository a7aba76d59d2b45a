import { eventLines } from './event-names.ts';

export const HELP = {
  frontdesk: () => `Receive Frontdesk's webhooks on your own machine, without a tunnel.

Usage: frontdesk <command> [options]

Commands:
  listen             show each event as it happens, and forward it, signed, to a receiver
  trigger <event>    have the running listener forward an example, marked as a test
  samples [<event>]  print an example of each event, or of one

frontdesk <command> --help says more. --version prints the version.
Exit codes: 0 done, 1 failed, 2 wrong use.`,

  listen: () => `Show each event as it happens, and forward it, signed, to a receiver.

Usage: frontdesk listen [--forward <url>] [options]

Environment:
  FRONTDESK_URL             where Frontdesk is, without /api/v1
  FRONTDESK_API_KEY         an API key of the business
  FRONTDESK_WEBHOOK_SECRET  the signing secret, whsec_…; without one, listen makes one up and prints it

Options:
  --forward <url>    the receiver, such as localhost:3000/hooks; without it, events are only shown
  --events <names>   only these events, separated by commas
  --from <place>     latest (default), oldest, or the cursor at which an earlier listen ended
  --json             print one line of JSON for each thing that happens
  --secret <secret>, --url <url>, --api-key <key>
                     instead of the environment. Other users of this machine can read a command's options

Each line: time, event, id, the receiver's answer, duration. Every event is sent once, in order, with 10 seconds for the answer. It
goes on after lost connections, rate limits and restarts. Ctrl-C ends it with exit code 0 and prints the cursor to go on from.

Example:
  export FRONTDESK_URL=https://frontdesk.example.com FRONTDESK_API_KEY=fd_live_…
  frontdesk listen --forward localhost:3000/hooks --events appointment.created,call.missed`,

  trigger: () => `Have the running listener forward an example of an event, marked "test": true.

Usage: frontdesk trigger <event> [options]

Options:
  --forward <url>  the listener that forwards there, if several run
  --pid <number>   the listener with this process id
  --json           print the result as JSON

Nothing reaches Frontdesk: the example goes from this machine's listener to its receiver. Each one has an id of its own. A listener
with --events takes only those events, under the names that it was given.
Exit codes: 0 the receiver took it, 1 it failed or no listener runs, 2 wrong use.

Events:
${eventLines().join('\n')}`,

  samples: () => `Print an example of each event, as a delivery has it, or of one.

Usage: frontdesk samples [<event>] [--json]

Options:
  --json  print each example on one line

Events:
${eventLines().join('\n')}`,
} satisfies Record<string, () => string>;
