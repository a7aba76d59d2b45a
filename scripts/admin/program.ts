import { Command } from 'commander';
import { businessCommands } from './commands/business.ts';
import { callSourceCommands } from './commands/call-source.ts';
import { eventGapCommands } from './commands/event-gap.ts';
import { holdsCommands } from './commands/holds.ts';
import { keyCommands } from './commands/key.ts';
import { mailCommands } from './commands/mail.ts';
import { statusCommand } from './commands/status.ts';
import { stuckEventCommands } from './commands/stuck-event.ts';
import { tenantCommands } from './commands/tenant.ts';
import { userCommands } from './commands/user.ts';
import { webhookCommands } from './commands/webhook.ts';
import { runProgram } from './errors.ts';

const program = new Command('npm run -s admin --')
  .description("Frontdesk's operator command line, over the services' internal APIs.")
  .showSuggestionAfterError()
  .exitOverride()
  .addHelpText(
    'after',
    `
Finds the system that npm start runs from this folder, and its key. For another one, set:
  SYSTEM_DIRECTORY    the --directory of npm start (default: .local)
  PORT_BASE           the PORT_BASE of npm start
  GATEWAY_INTERNAL_URL, SCHEDULING_INTERNAL_URL, CRM_INTERNAL_URL, CALLS_INTERNAL_URL, WEBHOOKS_INTERNAL_URL,
  SETTINGS_UI_INTERNAL_URL, OPERATOR_KEY_FILE   a service's address, and the operator's key; these override the rest
  OPERATOR_NAME       who you are, for the audit log of a business that you change (default: your user name)

Exit codes: 0 done, 1 the system can't be reached or can't answer, 2 wrong input or refused; status: 3 something needs you.

Example:
  npm run -s admin -- tenant create --name "Salon Mitte" --plan pro --timezone Europe/Berlin --currency EUR --country DE`,
  );

statusCommand(program);
tenantCommands(program);
userCommands(program);
mailCommands(program);
keyCommands(program);
webhookCommands(program);
callSourceCommands(program);
businessCommands(program);
holdsCommands(program);
stuckEventCommands(program);
eventGapCommands(program);

await runProgram(program);
