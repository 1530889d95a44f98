import {
  GetParameterCommand,
  PutParameterCommand,
  type PutParameterCommandInput,
  SSMClient,
} from '@aws-sdk/client-ssm';
import type { AwsEvent } from '../../../src/aws/integration.ts';
import { createSsm } from '../../../src/aws/ssm/ssm.ts';
import { createManualClock } from './manual-clock.ts';
import { accountId, createTestFront, region } from './test-front.ts';

/** The simulated Parameter Store in this process, with a client of the SDK and a plain connection. */
export function createSsmFixture() {
  const clock = createManualClock();
  const events: AwsEvent[] = [];
  const ssm = createSsm({ clock, accountId, region, putAwsEvent: (event) => events.push(event) });
  const { clientOptions, connection } = createTestFront({ services: [ssm], clock });
  const client = new SSMClient(clientOptions);
  return {
    clock,
    ssm,
    client,
    connection,
    events,
    put: (Name: string, Value: string, options: Partial<PutParameterCommandInput> = {}) =>
      client.send(new PutParameterCommand({ Name, Value, Type: 'String', ...options })),
    overwrite: (Name: string, Value: string) =>
      client.send(new PutParameterCommand({ Name, Value, Overwrite: true })),
    get: async (Name: string, WithDecryption = false) =>
      (await client.send(new GetParameterCommand({ Name, WithDecryption }))).Parameter,
  };
}
