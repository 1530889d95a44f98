import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The program that opens a URL with what the person has chosen for it. */
const openerOf = (platform: NodeJS.Platform): string => (platform === 'darwin' ? 'open' : 'xdg-open');

/**
 * Opens a page of this machine in the person's browser.
 *
 * @throws if there is no program for it, or it cannot be started.
 */
export async function openPage(url: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  const opener = spawn(openerOf(platform), [url], { stdio: 'ignore', detached: true });
  await once(opener, 'spawn');
  // The sandbox does not wait for the browser to end.
  opener.unref();
}
