import {
  CreateAccessEntryCommand,
  CreateClusterCommand,
  DeleteAccessEntryCommand,
  DescribeAccessEntryCommand,
  EKSClient,
  ListAccessEntriesCommand,
} from '@aws-sdk/client-eks';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAutoScaling } from '../../../src/aws/auto-scaling/auto-scaling.ts';
import { createEc2 } from '../../../src/aws/ec2/ec2.ts';
import { createEks } from '../../../src/aws/eks/eks.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { accountId, createTestFront, region } from '../support/test-front.ts';

const clusterName = 'prod';
const principalArn = 'arn:aws:iam::123456789012:role/team/node';
let client: EKSClient;

beforeEach(async () => {
  const clock = createManualClock();
  const parts = { clock, random: createRandom(6), accountId, region, putAwsEvent: () => undefined };
  const autoScaling = createAutoScaling({ ...parts, ec2: createEc2(parts), deliver: () => undefined });
  const { clientOptions } = createTestFront({ services: [createEks({ ...parts, autoScaling })], clock });
  client = new EKSClient(clientOptions);
  await client.send(
    new CreateClusterCommand({
      name: clusterName,
      roleArn: 'arn:aws:iam::123456789012:role/eks',
      resourcesVpcConfig: {},
      accessConfig: { authenticationMode: 'API' },
    }),
  );
});

const create = (type?: string, groups?: string[]) =>
  client.send(new CreateAccessEntryCommand({ clusterName, principalArn, type, kubernetesGroups: groups }));

describe('access entries of EKS', () => {
  it('are made, read, listed and deleted', async () => {
    await create('EC2_LINUX');
    const { accessEntry } = await client.send(new DescribeAccessEntryCommand({ clusterName, principalArn }));
    expect(accessEntry).toMatchObject({
      principalArn,
      type: 'EC2_LINUX',
      accessEntryArn: expect.stringMatching(/:access-entry\/prod\/role\/123456789012\/node\//),
    });
    const list = async () => (await client.send(new ListAccessEntriesCommand({ clusterName }))).accessEntries;
    expect(await list()).toEqual([principalArn]);
    await client.send(new DeleteAccessEntryCommand({ clusterName, principalArn }));
    expect(await list()).toEqual([]);
  });

  it('come in pages', async () => {
    for (let number = 0; number < 5; number += 1)
      await client.send(
        new CreateAccessEntryCommand({
          clusterName,
          principalArn: `arn:aws:iam::123456789012:role/r${number}`,
        }),
      );
    const pages: number[] = [];
    let nextToken: string | undefined;
    do {
      const page = await client.send(new ListAccessEntriesCommand({ clusterName, maxResults: 2, nextToken }));
      pages.push(page.accessEntries?.length ?? 0);
      ({ nextToken } = page);
    } while (nextToken);
    expect(pages).toEqual([2, 2, 1]);
  });

  it('are refused if the entry exists or does not exist, for an unknown type, and for groups of nodes', async () => {
    await create();
    await expect(create()).rejects.toMatchObject({ name: 'ResourceInUseException' });
    await expect(
      client.send(
        new DescribeAccessEntryCommand({ clusterName, principalArn: 'arn:aws:iam::123456789012:role/x' }),
      ),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(create('NODE')).rejects.toMatchObject({ name: 'InvalidParameterException' });
    await expect(create('EC2_LINUX', ['x'])).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });

  it('are refused by a cluster that reads only its ConfigMap', async () => {
    await client.send(
      new CreateClusterCommand({
        name: 'old',
        roleArn: 'arn:aws:iam::123456789012:role/eks',
        resourcesVpcConfig: {},
      }),
    );
    await expect(client.send(new ListAccessEntriesCommand({ clusterName: 'old' }))).rejects.toMatchObject({
      name: 'InvalidRequestException',
    });
  });
});
