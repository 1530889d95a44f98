import {
  AutoScalingClient,
  CreateOrUpdateTagsCommand,
  DescribeAutoScalingGroupsCommand,
} from '@aws-sdk/client-auto-scaling';
import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credentials } from '../../../../packages/cloud-sandbox/test/aws/support/test-front.ts';
import { encodeQuery } from '../../../../shared/aws/api/query.ts';

/** The form that a client of the SDK sends, as sorted pairs. */
async function sent(send: (options: object) => Promise<unknown>): Promise<readonly string[]> {
  const bodies: string[] = [];
  const requestHandler = {
    handle: ({ body }: { readonly body: string }) => {
      bodies.push(body);
      return Promise.reject(new Error('nobody is there'));
    },
  };
  const options = { region: 'eu-west-1', credentials, requestHandler, maxAttempts: 1 };
  await expect(send(options)).rejects.toThrow('nobody is there');
  return pairsOf(bodies[0] ?? '');
}

const pairsOf = (form: string): readonly string[] => form.split('&').sort();

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const optional = { requiredKeys: [] };

describe('a form of the Query protocol', () => {
  it('is the one that the SDK sends', async () => {
    const inputs = fc.record(
      {
        AutoScalingGroupNames: fc.array(text, { maxLength: 3 }),
        Filters: fc.array(fc.record({ Name: text, Values: fc.array(text, { maxLength: 2 }) }), {
          maxLength: 2,
        }),
        MaxRecords: fc.integer(),
        IncludeInstances: fc.boolean(),
      },
      optional,
    );
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        const theirs = await sent((options) =>
          new AutoScalingClient(options).send(new DescribeAutoScalingGroupsCommand(input)),
        );
        const call = { Action: 'DescribeAutoScalingGroups', Version: '2011-01-01' };
        expect(pairsOf(encodeQuery({ ...call, ...input }, 'query'))).toEqual(theirs);
      }),
    );
  });

  it('leaves out what is undefined and writes what is nested', async () => {
    const input = { Tags: [{ Key: 'a b', Value: 'ü*', PropagateAtLaunch: false, ResourceId: undefined }] };
    const theirs = await sent((options) =>
      new AutoScalingClient(options).send(new CreateOrUpdateTagsCommand(input)),
    );
    const call = { Action: 'CreateOrUpdateTags', Version: '2011-01-01' };
    expect(pairsOf(encodeQuery({ ...call, ...input }, 'query'))).toEqual(theirs);
  });

  it("has EC2's names in EC2's dialect", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 3 }), async (ids) => {
        const theirs = await sent((options) =>
          new EC2Client(options).send(new DescribeInstancesCommand({ InstanceIds: ids })),
        );
        const ours = encodeQuery(
          { Action: 'DescribeInstances', Version: '2016-11-15', InstanceId: ids },
          'ec2',
        );
        expect(pairsOf(ours)).toEqual(theirs);
      }),
    );
  });
});
