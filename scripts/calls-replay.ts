import { callSourceSettings } from '@frontdesk/contracts';
import { Command, Option } from 'commander';
import { request } from 'undici';
import { runProgram, WrongInput } from './admin/errors.ts';
import { refresh } from './calls-replay/refresh-sample.ts';
import { readSample, sampleNames } from './calls-replay/samples.ts';
import { sign } from './calls-replay/sign.ts';

/** Sends a signed sample of a provider's message to a call source. Exits 0 when it was taken, 1 otherwise, 2 for wrong input. */
interface Options {
  list?: true;
  secret?: string;
  callId?: string;
  now: boolean;
  vapiScheme: 'bearer' | 'hmac';
}

const program = new Command('npm run calls:replay --')
  .description("Sends a sample of a provider's message, signed as the provider would, to a call source.")
  .argument('[fixture]', 'which sample, for example retell/call-ended')
  .argument('[url]', "the call source's ingest address")
  .option('--list', 'name the samples and send nothing')
  .option('--secret <secret>', "the call source's secret")
  .option(
    '--call-id <id>',
    'the id of the call: for a second message about the same one (default: a fresh one)',
  )
  .option('--now', "move the sample's times so that the call ended now", true)
  .option('--no-now', "leave the sample's times")
  .addOption(
    new Option('--vapi-scheme <scheme>', 'how a Vapi source is signed')
      .choices(['bearer', 'hmac'])
      .default('bearer'),
  )
  .exitOverride()
  .action(replay);

async function replay(fixture: string | undefined, url: string | undefined, options: Options): Promise<void> {
  if (options.list) return console.log(sampleNames().join('\n'));
  if (!fixture || !url || !URL.canParse(url) || !options.secret)
    throw new WrongInput('A fixture, the ingest URL and --secret are needed; see --help.');
  const now = new Date();
  const sample = refresh(readSample(fixture), {
    ...(options.callId !== undefined && { callId: options.callId }),
    ...(options.now && { endedAt: now }),
  });
  const { vapi } = callSourceSettings.parse({ vapi: { scheme: options.vapiScheme } });
  const message = { ...sample, body: Buffer.from(sample.body), url };
  const signed = sign(sample.provider, message, { secret: options.secret, at: now, vapi });
  const answer = await request(signed.url, { method: 'POST', headers: signed.headers, body: signed.body });
  console.log(`call ${sample.callId}\n${answer.statusCode} ${await answer.body.text()}`);
  if (answer.statusCode < 200 || answer.statusCode > 299) process.exitCode = 1;
}

await runProgram(program);
