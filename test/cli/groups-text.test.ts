import { describe, expect, it } from 'vitest';
import { groupsText, groupText } from '../../cli/groups/text.ts';
import { viewGroup } from '../../shared/scale-api/group-views.ts';
import { groupWith, instanceId, nodeOf, seen, unknown } from '../shared/capacity/fixtures.ts';

const managed = (states: readonly string[]) => ({ ...groupWith(states), role: 'worker' as const });

const wordsOf = (text: string, number: number): string =>
  text
    .split('\n')
    .find((line) => line.startsWith(instanceId(number)))
    ?.split(/\s{2,}/)
    .slice(1)
    .join(' | ') ?? '';

const textOf = (group: Parameters<typeof groupText>[0]): string =>
  groupText(group, Date.parse('2026-11-21T08:05:00Z'));

describe('the instances of a group', () => {
  it('are shown with the state of their nodes', () => {
    const group = managed(['InService', 'InService', 'Terminating:Wait', 'InService', 'Pending']);
    const nodes = seen(nodeOf(1), nodeOf(2, { ready: false }), nodeOf(3, { leaving: true }), {
      ...nodeOf(4),
      spec: { ...nodeOf(4).spec, unschedulable: true },
    });
    const text = textOf(viewGroup(group, nodes));
    expect(wordsOf(text, 1)).toBe('InService | eu-west-1a | node-1 | Ready');
    expect(wordsOf(text, 2)).toBe('InService | eu-west-1a | node-2 | NotReady');
    expect(wordsOf(text, 3)).toBe(
      'Terminating:Wait | eu-west-1a | node-3 | Ready, leaves since 2026-11-21T08:00:00Z (terminating)',
    );
    expect(wordsOf(text, 4)).toBe('InService | eu-west-1a | node-4 | Ready, cordoned');
    expect(wordsOf(text, 5)).toBe('Pending | eu-west-1a | - | has no Node');
  });

  it('say that the desired capacity is a number of units, if it is one', () => {
    const group = { ...managed(['InService']), countsUnits: true as const };
    expect(textOf(viewGroup(group, seen()))).toMatch(/worker +\d+ +\d+ units +\d+ +1 /);
  });

  it('of etcd need no Node', () => {
    const group = { ...managed(['InService']), tags: { 'drover.dev/role': 'etcd' }, role: 'etcd' as const };
    const text = textOf(viewGroup(group, seen()));
    expect(text).toMatch(/etcd +\d+ +\d+ +\d+ +1 +- +0\n/);
    expect(wordsOf(text, 1)).toBe('InService | eu-west-1a | - | needs no Node');
  });

  it('are marked if Auto Scaling reports them as unhealthy', () => {
    const group = managed(['InService']);
    const sick = { ...group, instances: group.instances.map((one) => ({ ...one, healthy: false })) };
    expect(wordsOf(textOf(viewGroup(sick, seen(nodeOf(1)))), 1)).toMatch(/unhealthy, Ready$/);
  });

  it('are shown with question marks if their nodes cannot be read', () => {
    const text = textOf(viewGroup(managed(['InService']), unknown));
    expect(wordsOf(text, 1)).toBe('InService | eu-west-1a | - | ?');
    expect(text).toContain('?: the API server did not answer');
  });

  it('are shown as none in an empty group', () => {
    expect(textOf(viewGroup(managed([]), seen()))).toContain('it has no instances');
    expect(groupsText([])).toBe('no group carries the tags of this cluster\n');
  });

  it('of a managed node group of EKS come after what EKS reports about it', () => {
    const nodegroup = {
      eksClusterName: 'prod',
      nodegroupName: 'blue',
      status: 'DEGRADED',
      healthIssues: ['AsgInstanceLaunchFailures: not enough m5.large'],
    };
    expect(textOf(viewGroup(managed(['InService']), seen(nodeOf(1)), nodegroup))).toContain(
      'managed node group blue of the EKS cluster prod: DEGRADED\n  AsgInstanceLaunchFailures: not enough m5.large\n\nINSTANCE',
    );
  });
});
