import { createEc2 as createSimulatedEc2 } from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { accountId, createTestFront, region } from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { expect, it } from 'vitest';
import { ec2Client } from '../../../shared/aws/clients.ts';
import { createEc2 } from '../../../shared/aws/ec2.ts';

it.each(['spot', 'capacity-block', 'interruptible-capacity-reservation', undefined] as const)(
  'the lifecycle %s of an instance is read from the answer on the wire',
  async (MarketType) => {
    const clock = createManualClock();
    const parts = { clock, random: createRandom(7), accountId, region, putAwsEvent: () => undefined };
    const simulated = createSimulatedEc2(parts);
    const { connection } = createTestFront({ services: [simulated], clock });
    const { Instances = [] } = simulated.operations.RunInstances({
      MinCount: 1,
      MaxCount: 1,
      ...(MarketType && { InstanceMarketOptions: { MarketType } }),
    });
    const found = await createEc2(ec2Client(connection)).describeInstance(Instances[0]?.InstanceId ?? '');
    expect(found?.state).toBe('pending');
    expect(found?.lifecycle).toBe(MarketType);
  },
);
