import { createApp, createLogger, createMetrics } from '@frontdesk/service';
import { serveBrowsers } from './web.ts';

it('the answer to the question for the password is none of the fields that a page shows again', async () => {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const app = createApp({ logger, metrics: createMetrics() });
  await serveBrowsers(app, { isSecure: false });
  app.post('/sent', async ({ sent }) => sent);
  const send = async (type: string, payload: string) =>
    (await app.inject({ method: 'POST', url: '/sent', headers: { 'content-type': type }, payload })).json();
  try {
    const fields = { name: 'Ada', _password: 'secret' };
    expect(await send('application/json', JSON.stringify(fields))).toEqual({ name: 'Ada' });
    const form = new URLSearchParams([...Object.entries(fields), ['_password', 'again']]).toString();
    expect(await send('application/x-www-form-urlencoded', form)).toEqual({ name: 'Ada' });
  } finally {
    await app.close();
  }
});
