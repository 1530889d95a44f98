import { randomBytes } from 'node:crypto';
import { sendHttp } from '../net/send-http.ts';
import type { Host } from './host.ts';

/** The machine as it is: on Lambda, and for the CLI. The one place that reads `process.env` and the real clock. */
export const realHost: Host = {
  environment: process.env,
  clock: { now: () => Date.now() },
  randomBytes: (size) => randomBytes(size),
  sendHttp,
  writeLine: (line) => {
    process.stdout.write(`${line}\n`);
  },
};
