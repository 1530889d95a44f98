import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import type { Node, Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import type { AutoScalingGroup } from '../../../../shared/groups/group.ts';
import { KubernetesError } from '../../../../shared/kubernetes/status.ts';
import { findRepairs } from '../../../../shared/sweep/repair/repair-nodes.ts';
import { pod } from '../../../support/pods.ts';
import { ago, condition, minutes, nodeOf, nodesWith, now, silentNode, workers } from './support.ts';

const tags = { 'drover.dev/repair': 'NotReady=10m ReadOnly=5m' };
const readOnly = condition('ReadOnly', 'True', ago(60 * minutes));
const never = { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' };
const job = (annotations: Record<string, string> = never): Pod =>
  pod({ name: 'import', namespace: 'jobs', annotations });
const due = 'it has failed for as long as its group allows';

interface Scene {
  readonly nodes?: readonly Node[];
  readonly pods?: Readonly<Record<string, readonly Pod[]>>;
  readonly group?: AutoScalingGroup;
  readonly fails?: Error;
  readonly annotationTimeoutSeconds?: number;
}

async function judgedIn({ nodes = [nodeOf(1, [readOnly])], pods = {}, group, fails, ...settings }: Scene) {
  const asked: string[] = [];
  const { findings } = await findRepairs(
    {
      cluster: {
        listNodes: async () => nodesWith(nodes),
        listPodsOnNode: async (name) => {
          asked.push(name);
          if (fails) throw fails;
          return pods[name] ?? [];
        },
      },
      countReplacements: async () => 0,
      clock: createVirtualClock(now),
      ...settings,
    },
    [group ?? workers({ tags })],
  );
  return { asked, judged: findings.map(({ node, verdict, reason }) => [node, verdict, reason]) };
}

describe('the repair of a node that is still Ready', () => {
  it('waits for a pod that asks to finish, for a day from when it was due', async () => {
    const { judged } = await judgedIn({ pods: { 'node-1': [pod(), job()] } });
    expect(judged).toEqual([['node-1', 'wait', 'held by annotation of jobs/import until 2026-01-02T11:05Z']]);
  });

  it('waits for the last of several, and no longer than the tag of the group allows', async () => {
    const soon = job({ 'karpenter.sh/do-not-disrupt': '90m' });
    const started = { ...soon, status: { ...soon.status, startTime: ago(60 * minutes) } };
    const pods = { 'node-1': [started, pod({ name: 'web', annotations: never })] };
    const group = workers({ tags: { ...tags, 'drover.dev/annotation-timeout': '2h' } });
    expect((await judgedIn({ pods, group })).judged).toEqual([
      ['node-1', 'wait', 'held by annotation of shop/web until 2026-01-01T13:05Z'],
    ]);
    expect((await judgedIn({ pods: { 'node-1': [started] } })).judged).toEqual([
      ['node-1', 'wait', 'held by annotation of jobs/import until 2026-01-01T12:30Z'],
    ]);
  });

  it('goes on once the timeout is over, and with pods that ask for nothing', async () => {
    const pods = { 'node-1': [job()] };
    const repaired = [['node-1', 'repair', due]];
    expect((await judgedIn({ pods, annotationTimeoutSeconds: 55 * 60 })).judged).toEqual(repaired);
    expect((await judgedIn({ pods: { 'node-1': [pod()] } })).judged).toEqual(repaired);
    const odd = { 'node-1': [job({ 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'False' })] };
    expect((await judgedIn({ pods: odd })).judged).toEqual(repaired);
  });

  it('of another node of the group goes on meanwhile', async () => {
    const nodes = [nodeOf(1, [readOnly]), nodeOf(2, [readOnly])];
    const { judged } = await judgedIn({ nodes, pods: { 'node-1': [job()] } });
    expect(judged.map(([node, verdict]) => [node, verdict])).toEqual([
      ['node-1', 'wait'],
      ['node-2', 'repair'],
    ]);
  });

  it('is not judged if its pods cannot be listed, and says so if the identity may not list them', async () => {
    const away = new Error('no answer');
    expect((await judgedIn({ fails: away })).judged).toEqual([
      ['node-1', 'cannot-judge', 'its pods could not be listed: no answer'],
    ]);
    const denied = new KubernetesError('forbidden', 'pods is forbidden', { statusCode: 403 });
    expect((await judgedIn({ fails: denied })).judged).toEqual([
      [
        'node-1',
        'repair',
        expect.stringContaining(
          'annotations of pods are not honoured, because its pods could not be listed: pods',
        ),
      ],
    ]);
  });
});

it('a node that has failed is repaired whatever its pods ask for, and the pods of one that is not due are not read', async () => {
  const { asked, judged } = await judgedIn({
    nodes: [silentNode(1), nodeOf(2, [condition('ReadOnly', 'True', ago(4 * minutes))])],
    pods: { 'node-1': [job()] },
  });
  expect(asked).toEqual([]);
  expect(judged.map(([, verdict]) => verdict)).toEqual(['repair', 'wait']);
});
