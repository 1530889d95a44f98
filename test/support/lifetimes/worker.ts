import { parentPort } from 'node:worker_threads';
import { liveLifetime } from './lifetime.ts';

/** In a thread: lives the lifetime of every seed that it is sent, one after another, and sends back its report. */
parentPort?.on('message', (seed: number) => {
  void liveLifetime(seed).then((report) => parentPort?.postMessage(report, []));
});
