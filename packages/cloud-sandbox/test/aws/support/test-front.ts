import type { CallDescription } from '../../../src/aws/front/describe-call.ts';
import { type Authorize, createAwsFront } from '../../../src/aws/front/front.ts';
import { createInProcessHandler, type Fault } from '../../../src/aws/front/in-process.ts';
import type { AwsService } from '../../../src/aws/service.ts';
import type { Identity } from '../../../src/aws/signature/authenticate.ts';
import type { SimulationClock } from '../../../src/simulation/clock.ts';
import { createRandom } from '../../../src/simulation/random.ts';

export const accountId = '123456789012';
export const region = 'eu-west-1';
export const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'test-secret' };

export const testIdentity: Identity = {
  secretAccessKey: credentials.secretAccessKey,
  principal: {
    accountId,
    arn: `arn:aws:iam::${accountId}:user/tester`,
    accessKeyId: credentials.accessKeyId,
  },
};

/** A front with one user who may do everything, and what clients need to speak to it in process. */
export function createTestFront(options: {
  readonly services: readonly AwsService[];
  readonly clock: SimulationClock;
  readonly authorize?: Authorize;
  readonly onCall?: (call: CallDescription) => Fault;
}) {
  const front = createAwsFront({
    services: options.services,
    findIdentity: (key) => (key === credentials.accessKeyId ? testIdentity : undefined),
    authorize: options.authorize ?? (() => undefined),
    clock: options.clock,
    random: createRandom(7),
  });
  const requestHandler = createInProcessHandler({ front, onCall: options.onCall });
  const connection = {
    region,
    credentials: () => credentials,
    requestHandler,
    clock: options.clock,
    maxAttempts: 1,
  };
  return { front, connection, clientOptions: { region, credentials, requestHandler, maxAttempts: 1 } };
}
