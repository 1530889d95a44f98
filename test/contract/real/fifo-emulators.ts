import { elasticMqIsInstalled, startElasticMq } from './elasticmq.ts';
import { type Emulator, miniStack, moto } from './python-emulators.ts';

/** Every SQS that others wrote, with FIFO queues. */
export const fifoEmulators: readonly Emulator[] = [
  { name: 'ElasticMQ 1.6.14', isInstalled: elasticMqIsInstalled, start: startElasticMq },
  miniStack,
  moto,
];
