import { emulators, program } from '../../worlds/real/programs.ts';
import { type RunningServer, startServer } from './start-server.ts';

/** A simulation of AWS that others wrote. */
export interface Emulator {
  readonly name: string;
  readonly isInstalled: boolean;
  readonly start: () => Promise<RunningServer>;
}

export const miniStack: Emulator = {
  name: 'MiniStack 1.5.33',
  isInstalled: emulators.isInstalled,
  start: () =>
    startServer('MiniStack', (port) => ({
      command: program(emulators, 'ministack'),
      options: [],
      // Without these two it listens on every address.
      environment: { BIND_HOST: '127.0.0.1', IOT_MTLS_ENABLED: '0', GATEWAY_PORT: String(port) },
    })),
};

export const moto: Emulator = {
  name: 'moto 5.2.5',
  isInstalled: emulators.isInstalled,
  start: () =>
    startServer('moto', (port) => ({
      command: program(emulators, 'moto_server'),
      options: ['-H', '127.0.0.1', '-p', String(port)],
    })),
};
