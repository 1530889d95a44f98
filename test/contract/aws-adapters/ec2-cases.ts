import { instanceOf, launch } from '@drover/cloud-sandbox/test/contract/ec2/world.ts';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { ec2Client } from '../../../shared/aws/clients.ts';
import { createEc2 } from '../../../shared/aws/ec2.ts';
import type { AwsWorld } from './world.ts';

/** What Drover asks of EC2. */
export const ec2Cases: Cases<AwsWorld> = {
  'Drover reads the existing instances together with unknown ids': async (world) => {
    const plain = { client: world.ec2, imageId: await world.imageId(), pass: world.pass };
    const { ids } = await launch(plain, { MinCount: 3, MaxCount: 3 });
    const [first = '', second = '', third = ''] = ids;
    const asked = ['i-0123456789abcdef0', first, second, 'i-0123456789abcdef1', third];
    const ec2 = createEc2(ec2Client(world.connection));
    const seen = await Promise.all(asked.map((id) => ec2.describeInstance(id)));
    expect(seen.map((instance) => instance?.instanceId)).toEqual([
      undefined,
      first,
      second,
      undefined,
      third,
    ]);
    const one = await instanceOf(plain, first);
    expect(seen[1]).toMatchObject({
      state: 'running',
      privateDnsName: one.PrivateDnsName,
      privateIpAddress: one.PrivateIpAddress,
      availabilityZone: one.Placement?.AvailabilityZone,
      lifecycle: undefined,
    });
  },
};
