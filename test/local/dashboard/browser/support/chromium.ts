import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** Why the suites are skipped, as the end of a title; empty where Chromium is installed. */
export const missing = program === undefined ? ', which needs the package chromium of Debian' : '';

/** A headless Chromium. In CI it runs as root, and therefore without its sandbox. */
export const openChromium = (): Promise<Browser> => {
  if (program === undefined) throw new Error('Chromium is not installed: apt-get install chromium');
  return chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
};
