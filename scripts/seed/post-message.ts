import { request } from 'undici';
import { sign } from '../calls-replay/sign.ts';

/** Sends a message to a source of the provider `generic`. @throws where it isn't taken in */
export async function postMessage(url: string, message: object, secret: string): Promise<void> {
  const unsigned = { body: Buffer.from(JSON.stringify(message)), contentType: 'application/json', url };
  const { headers, body } = sign('generic', unsigned, { secret, at: new Date() });
  const answer = await request(url, { method: 'POST', headers, body });
  const said = await answer.body.text();
  if (answer.statusCode !== 202) throw new Error(`A call was not taken in: ${answer.statusCode} ${said}`);
}
