import { afterAll } from 'vitest';
import { emulators, java, program } from '../programs.ts';
import { startElasticMq } from './elasticmq.ts';
import { type RunningServer, startServer } from './start-server.ts';

/** A simulation of AWS that others wrote. */
export interface Emulator {
  /** With its version: a column of docs/truth.md. */
  readonly name: string;
  /** What installs it; undefined: it is there. */
  readonly missing: string | undefined;
  readonly start: () => Promise<RunningServer>;
}

export const miniStack: Emulator = {
  name: 'MiniStack 1.5.33',
  missing: emulators.missing,
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
  missing: emulators.missing,
  start: () =>
    startServer('moto', (port) => ({
      command: program(emulators, 'moto_server'),
      options: ['-H', '127.0.0.1', '-p', String(port)],
    })),
};

export const elasticMq: Emulator = {
  name: 'ElasticMQ 1.6.14',
  missing: java.missing,
  start: startElasticMq,
};

/** Starts it with the first case that asks for it, and ends it with the file. */
export function running({ start }: Emulator): () => Promise<RunningServer> {
  let server: Promise<RunningServer> | undefined;
  afterAll(async () => (await server)?.stop());
  return () => {
    server ??= start();
    return server;
  };
}

const region = 'us-east-1';
const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };

/** For the clients of the SDK: each call is made once, so that a case sees every refusal. */
export const clientOptions = ({ url }: RunningServer) => ({
  endpoint: url,
  region,
  credentials,
  maxAttempts: 1,
});
