import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, startServer } from './start-server.ts';

/** A simulation of AWS that others wrote. */
export interface Emulator {
  readonly name: string;
  readonly isInstalled: boolean;
  readonly start: () => Promise<RunningServer>;
}

/** A Python environment outside the checkout; `npm run real:install` makes it. */
const python = (program: string): string => join(homedir(), '.cache', 'drover', 'emulators', 'bin', program);

export const miniStack: Emulator = {
  name: 'MiniStack 1.5.33',
  isInstalled: existsSync(python('ministack')),
  start: () =>
    startServer('MiniStack', (port) => ({
      command: python('ministack'),
      options: [],
      // Without these two it listens on every address.
      environment: { BIND_HOST: '127.0.0.1', IOT_MTLS_ENABLED: '0', GATEWAY_PORT: String(port) },
    })),
};

export const moto: Emulator = {
  name: 'moto 5.2.5',
  isInstalled: existsSync(python('moto_server')),
  start: () =>
    startServer('moto', (port) => ({
      command: python('moto_server'),
      options: ['-H', '127.0.0.1', '-p', String(port)],
    })),
};
