import { createGroup, groupOf } from '@drover/cloud-sandbox/test/aws/support/cloud.ts';
import { describe, expect, it } from 'vitest';
import { nodesText } from '../../../cli/nodes/text.ts';
import type { Instance } from '../../../cli/scale-api/client.ts';
import { readyNode, workerTags } from '../../shared/scale-api/scale-api-world.ts';
import { createScaleCli } from '../scale-api-door.ts';

const now = Date.UTC(2026, 10, 23, 12);

const instanceWith = (part: Partial<Instance> = {}): Instance => ({
  autoScalingGroupName: 'workers',
  instanceId: 'i-0123456789abcdef0',
  lifecycleState: 'InService',
  availabilityZone: 'eu-west-1a',
  healthy: true,
  serves: true,
  node: {
    status: 'found',
    name: 'ip-10-0-0-7',
    providerID: 'aws:///eu-west-1a/i-0123456789abcdef0',
    createdAt: '2026-11-23T10:30:00Z',
    ready: true,
    unschedulable: false,
  },
  ...part,
});

const rowsOf = (instances: readonly Instance[]): readonly (readonly string[])[] =>
  nodesText(instances, now)
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/));

describe('nodesText', () => {
  it('has a line for each instance, by group and node', () => {
    const other = instanceWith({ autoScalingGroupName: 'masters', instanceId: 'i-0ffffffffffffffff' });
    expect(rowsOf([instanceWith(), other]).slice(0, 2)).toEqual([
      ['ip-10-0-0-7', 'i-0ffffffffffffffff', 'masters', 'eu-west-1a', 'InService', 'Ready', '1h30m', '-'],
      ['ip-10-0-0-7', 'i-0123456789abcdef0', 'workers', 'eu-west-1a', 'InService', 'Ready', '1h30m', '-'],
    ]);
  });

  it('says what a leaving node waits for, and since when', () => {
    const { node } = instanceWith();
    const leaving = {
      cause: 'terminating' as const,
      since: '2026-11-23T11:58:00Z',
      waitingFor: ['shop/web-1 (budget web)', 'shop/web-2'],
    };
    const [row = []] = rowsOf([
      instanceWith({
        lifecycleState: 'Terminating:Wait',
        node: { ...node, leaving, unschedulable: true } as never,
      }),
    ]);
    expect(row.slice(4)).toEqual([
      'Terminating:Wait',
      'Ready, leaves (terminating)',
      '1h30m',
      'shop/web-1 (budget web) and 1 more, for 2m',
    ]);
  });

  it.each([
    [
      'a node of a clock ahead of ours',
      { node: { ...instanceWith().node, createdAt: '2026-11-23T12:01:00Z' } as never },
      ['Ready', '0s', '-'],
    ],
    ['an instance without a node', { serves: false, node: { status: 'none' } }, ['has no Node', '-', '-']],
    ['a member of etcd', { node: { status: 'none' } }, ['needs no Node', '-', '-']],
    ['an unhealthy instance', { healthy: false }, ['unhealthy, Ready', '1h30m', '-']],
  ] as const)('shows %s', (_, part, columns) => {
    expect(rowsOf([instanceWith(part)])[0]?.slice(5)).toEqual(columns);
  });

  it('says why nodes are unknown', () => {
    const text = nodesText([instanceWith({ node: { status: 'unknown', reason: 'no answer' } })], now);
    expect(text).toContain('?');
    expect(text).toMatch(/\n\?: no answer\n$/);
  });

  it('says that there is none', () => {
    expect(nodesText([], now)).toBe('the managed groups have no instances\n');
  });
});

describe('drover nodes', () => {
  it('lists all pages of every group, or of one, as text and as JSON', async () => {
    const { cloud, cluster, drover } = createScaleCli();
    const AutoScalingGroupName = 'many';
    createGroup(cloud, { AutoScalingGroupName, MaxSize: 120, DesiredCapacity: 120, Tags: workerTags() });
    cloud.advance(60);
    const [{ InstanceId: id = '' } = {}] = groupOf(cloud).Instances ?? [];
    cluster.nodes.set('one', readyNode(id));
    const { stdout, exitCode } = await drover('nodes');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`node-of-${id}`);
    const listed = async (line: string) => JSON.parse((await drover(line)).stdout).length;
    expect([await listed('nodes --json'), await listed('nodes workers --json')]).toEqual([122, 2]);
  });

  it('fails for a group that is not managed', async () => {
    const { exitCode, stderr } = await createScaleCli().drover('nodes other');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/The managed group does not exist: .*; drover groups lists them\n$/);
  });
});
