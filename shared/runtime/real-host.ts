import { randomBytes } from 'node:crypto';
import { datagramSender } from '../net/send-datagram.ts';
import { sendHttp } from '../net/send-http.ts';
import type { FunctionHost } from './host.ts';

/** The machine as it is: on Lambda, and for the CLI. The one place that reads `process.env` and the real clock. */
export const realHost: FunctionHost = {
  environment: process.env,
  clock: {
    now: () => Date.now(),
    after: (delayMilliseconds, task) => {
      const timer = setTimeout(task, delayMilliseconds);
      return { cancel: () => clearTimeout(timer) };
    },
  },
  randomBytes: (size) => randomBytes(size),
  sendHttp,
  sendDatagram: datagramSender(),
  writeLine: (line) => {
    process.stdout.write(`${line}\n`);
  },
};
