import { describe, expect, it } from 'vitest';
import type { DroverWorld } from '../../../local/world/drover-world.ts';
import { eksServer, eksWorld } from '../adopt/worlds.ts';
import { deleteStack } from '../leave/world.ts';
import { operatorOf } from '../operator.ts';

const clusterName = 'drover';
const role = (name: string): string => `arn:aws:iam::123456789012:role/${name}`;

const entriesOf = ({ account }: DroverWorld) =>
  account.eks.operations.ListAccessEntries({ clusterName }).accessEntries;

const awsAuthOf = ({ kubernetes }: DroverWorld): string =>
  kubernetes.store
    .of('configmaps')
    .list()
    .find(({ metadata }) => metadata?.name === 'aws-auth')?.data?.['mapRoles'] ?? '';

describe('drover uninstall on EKS', () => {
  it('deletes the access entries that drover adopt has made for functions, and no other', async () => {
    const world = await eksWorld('API');
    const { operations } = world.account.eks;
    const others = [
      { principalArn: role('nodes-of-another-group'), type: 'EC2_LINUX' },
      { principalArn: role('drovers'), kubernetesGroups: ['drover'] },
      { principalArn: role('drover-other-sweep'), kubernetesGroups: ['drover:reader', 'auditors'] },
      { principalArn: role('drover-other-scale-api') },
    ];
    for (const other of others) operations.CreateAccessEntry({ clusterName, ...other });
    const before = entriesOf(world);
    const drover = operatorOf(world, { server: eksServer });
    expect((await drover('adopt workers --yes')).code).toBe(0);
    expect(entriesOf(world)).toHaveLength(before.length + 4);
    await drover('leave workers --yes');
    deleteStack(world);
    const plan = await drover('uninstall --plan --stage dev');
    expect(plan.out).toContain('-node-leaving is deleted');
    expect(plan.out).toContain('role/drover-other-sweep is kept: it is in other groups too: auditors');
    const { code, out, err } = await drover('uninstall --yes --stage dev');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('access entries: 0 left, 1 kept on purpose\n');
    expect(entriesOf(world)).toEqual(before);
  });

  it('names the roles of functions in aws-auth, whose text only its administrator changes', async () => {
    const world = await eksWorld('CONFIG_MAP');
    const drover = operatorOf(world, { server: eksServer });
    expect((await drover('adopt workers --yes')).code).toBe(0);
    expect(awsAuthOf(world)).toContain('drover:node-leaving');
    await drover('leave workers --yes');
    deleteStack(world);
    const { code, err, out } = await drover('uninstall --yes --stage dev');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('access entries: 0 left\n');
    expect(out).toContain('roles in aws-auth: 0 left, 4 kept on purpose\n');
    expect(out).toMatch(
      /role\/drover-dev-node-leaving is kept: remove its entry: kubectl edit configmap aws-auth/,
    );
    expect((await drover('uninstall --yes --stage dev --without-cluster')).code).toBe(0);
  });
});
