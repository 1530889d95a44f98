import type { AwsService } from '../service.ts';
import { createControls, type SqsControls } from './controls.ts';
import { createMessageOperations } from './message-operations.ts';
import { createQueueOperations } from './queue-operations.ts';
import { createWorld, type SqsOptions } from './world.ts';

export interface SimulatedSqs extends AwsService {
  readonly signingName: 'sqs';
  readonly operations: ReturnType<typeof createQueueOperations> & ReturnType<typeof createMessageOperations>;
  readonly controls: SqsControls;
}

/**
 * Amazon SQS: standard and FIFO queues as their developer guide describes them. Left out: AddPermission and
 * RemovePermission (set the Policy attribute), message move tasks, and encryption beyond keeping its attributes.
 */
export function createSqs(options: SqsOptions): SimulatedSqs {
  const world = createWorld(options);
  return {
    signingName: 'sqs',
    operations: { ...createQueueOperations(world), ...createMessageOperations(world) },
    controls: createControls(world),
  };
}
