import { type EC2Client, EC2ServiceException } from '@aws-sdk/client-ec2';
import { expect, it } from 'vitest';
import { createEc2 } from '../../../shared/aws/ec2.ts';

/** EC2 that knows these instances, and refuses each call that names another. */
function ec2Knowing(known: readonly string[]) {
  const asked: (readonly string[])[] = [];
  const send = async ({ input }: { readonly input: { readonly InstanceIds: readonly string[] } }) => {
    asked.push(input.InstanceIds);
    const unknown = input.InstanceIds.filter((id) => !known.includes(id));
    if (unknown.length > 0)
      throw new EC2ServiceException({
        name: 'InvalidInstanceID.NotFound',
        message: `The instance ID '${unknown[0]}' does not exist`,
        $fault: 'client',
        $metadata: {},
      });
    return {
      $metadata: {},
      Reservations: input.InstanceIds.map((InstanceId) => ({
        Instances: [{ InstanceId, LaunchTime: new Date('2026-01-05T08:00:00Z') }],
      })),
    };
  };
  return { asked, ec2: createEc2({ send } as unknown as EC2Client) };
}

it('describeInstances returns the known instances if EC2 does not know one of them', async () => {
  const ids = ['i-1', 'i-2', 'gone-1', 'i-3', 'gone-2'];
  const { ec2 } = ec2Knowing(['i-1', 'i-2', 'i-3']);
  const found = await Promise.all(ids.map((id) => ec2.describeInstance(id)));
  expect(found.map((instance) => instance?.instanceId)).toEqual(['i-1', 'i-2', undefined, 'i-3', undefined]);
});

it('concurrent reads of instances share calls of up to a hundred ids', async () => {
  const ids = Array.from({ length: 101 }, (_, index) => `i-${index}`);
  const { ec2, asked } = ec2Knowing(ids);
  await Promise.all(ids.map((id) => ec2.describeInstance(id)));
  expect(asked.map(({ length }) => length)).toEqual([100, 1]);
});

it('an instance tells when it was launched', async () => {
  const { ec2 } = ec2Knowing(['i-1']);
  expect(await ec2.describeInstance('i-1')).toMatchObject({ launchedAt: Date.UTC(2026, 0, 5, 8) });
});
