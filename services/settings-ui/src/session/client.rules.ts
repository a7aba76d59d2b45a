import { networkOf } from '@frontdesk/service';
import Bowser from 'bowser';

/** What a request says of the browser that sends it. */
export interface Client {
  address: string;
  userAgent: string;
}

/** As much of a `User-Agent` as is read: the names that matter come first. */
const MOST_READ = 300;
const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP));

export const UNKNOWN_DEVICE = 'Unknown device';

/** “Chrome on Windows”. Only known names: a client can't put a text of its own into the list of sessions. */
export function deviceText(userAgent: string): string {
  const read = userAgent.slice(0, MOST_READ);
  if (read === '') return UNKNOWN_DEVICE;
  const { browser, os } = Bowser.parse(read);
  const names = [BROWSERS.has(browser.name ?? '') && browser.name, SYSTEMS.has(os.name ?? '') && os.name];
  return names.filter(Boolean).join(' on ') || UNKNOWN_DEVICE;
}

/** What a session keeps of its client. */
export const clientText = ({ address, userAgent }: Client) => ({
  device: deviceText(userAgent),
  network: networkOf(address),
});
