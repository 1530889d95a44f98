import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import * as fc from 'fast-check';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { cached } from '../../../shared/aws/cached.ts';
import { givingBackPass } from '../../../shared/giving-back/pass.ts';
import type { AutoScalingGroup, LifecycleHook } from '../../../shared/groups/group.ts';
import { givingBackAnnotation } from '../../../shared/nodes/node-keys.ts';
import { type Behaviour, behave, behaviours, finished } from '../../support/item-faults.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { groupOf } from '../../support/waiting-group.ts';

const now = Date.parse('2026-11-24T12:00:00Z');
const idOf = (index: number): string => `i-${String(index).padStart(17, '0')}`;
const indexOf = (name: string): number => Number(name.slice('node-'.length));

const nodeOf = (index: number, isReserved: boolean): Node => ({
  metadata: {
    name: `node-${index}`,
    uid: `uid-${index}`,
    creationTimestamp: new Date(now - 7_200_000 - index * 60_000).toISOString(),
    ...(isReserved && { annotations: { [givingBackAnnotation]: new Date(now - 600_000).toISOString() } }),
  },
  spec: {
    providerID: `aws:///eu-west-1a/${idOf(index)}`,
    ...(isReserved && { unschedulable: true }),
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', lastTransitionTime: new Date(now - 3_600_000).toISOString() },
    ],
  },
});

interface Scene {
  /** What the list of the pods of each node does. */
  readonly ofPods: readonly Behaviour[];
  /** What the release of each node does. */
  readonly ofReleases?: readonly (Behaviour | 'is-gone' | 'conflicts')[];
  /** What a read of each node after a conflict finds. Defaults to the same Node, still reserved. */
  readonly afterConflict?: readonly ('reserved' | 'released' | 'replaced' | 'gone' | 'fails')[];
  /** Defaults to none. */
  readonly reserved?: readonly number[];
  /** Whether a scale-in may take no instance. */
  readonly isProtected?: boolean;
  readonly isPaused?: boolean;
  /** What something else changes of the group in the millisecond in which the node is cordoned. */
  readonly afterCordon?: Partial<AutoScalingGroup>;
  /** What Auto Scaling answers to the termination. By default it terminates the instance. */
  readonly refusal?: 'busy' | 'refused';
}

async function passOver({ ofPods, ofReleases = [], afterConflict = [], reserved = [], ...scene }: Scene) {
  const { isProtected, isPaused, afterCordon, refusal } = scene;
  const clock = createVirtualClock(now);
  let isCordoned = false;
  const nodes = ofPods.map((_, index) => nodeOf(index, reserved.includes(index)));
  const instances = Object.fromEntries(ofPods.map((_, index) => [idOf(index), 'InService']));
  const listed = groupOf(instances);
  const group = {
    ...listed,
    ...(isProtected && {
      instances: listed.instances.map((one) => ({ ...one, protectedFromScaleIn: true })),
    }),
    tags: {
      'kubernetes.io/cluster/drover': 'owned',
      'drover.dev/role': 'worker',
      'drover.dev/give-back-empty': 'true',
      ...(isPaused && { 'drover.dev/paused': 'true' }),
    },
  };
  const listGroups = cached({
    clock,
    seconds: 20,
    read: async () => [isCordoned ? { ...group, ...afterCordon } : group],
  });
  const givenBack: string[] = [];
  const released: string[] = [];
  const { context } = createNodeContext(now, nodeOf(0, false));
  const hook = { lifecycleHookName: context.settings.leavingHookName, transition: 'terminating' };
  const result = await finished(
    clock,
    givingBackPass(
      {
        ...context,
        clock,
        settings: { ...context.settings, clusterName: 'drover' },
        ec2: {
          describeInstance: async (instanceId) => ({ instanceId, state: 'running', tags: {} }),
        },
        autoScaling: {
          ...context.autoScaling,
          listGroups: (notBefore) => listGroups('groups', notBefore),
          describeHooks: async () => [hook as LifecycleHook],
          giveBack: async (instanceId) => {
            givenBack.push(instanceId);
            return refusal === undefined ? { kind: 'terminating' } : { kind: refusal, reason: refusal };
          },
        },
        cluster: {
          ...context.cluster,
          listNodes: async () => nodes,
          listPodsOnNode: (name) => behave(ofPods[indexOf(name)], () => []),
          getNode: async (name) => {
            const node = nodes[indexOf(name)] ?? {};
            switch (afterConflict[indexOf(name)]) {
              case 'fails':
                throw new Error('no answer');
              case 'gone':
                return undefined;
              case 'replaced':
                return { ...node, metadata: { ...node.metadata, uid: 'another' } };
              case 'released':
                return { ...node, metadata: { ...node.metadata, annotations: {} } };
              default:
                return node;
            }
          },
          patchNode: async (name, patch) => {
            isCordoned = true;
            const isRelease = JSON.stringify(patch).includes('"unschedulable":null');
            const behaviour = isRelease ? ofReleases[indexOf(name)] : 'answers';
            if (behaviour === 'is-gone') throw Object.assign(new Error('gone'), { kind: 'not-found' });
            if (behaviour === 'conflicts')
              throw Object.assign(new Error('the object has been modified'), { kind: 'conflict' });
            return await behave(behaviour, () => {
              if (isRelease) released.push(name);
              return nodes[indexOf(name)] ?? {};
            });
          },
        },
      },
      [{ cause: 'give-back', autoScalingGroupName: 'workers', noticedAt: new Date(now).toISOString() }],
    ).then(
      ({ reason, facts }) => ({ outcome: reason, facts }),
      (error: unknown) => ({ outcome: String(error), facts: undefined }),
    ),
  );
  return { ...result, givenBack, released, seconds: (clock.now() - now) / 1000 };
}

describe('a pass over empty nodes', () => {
  it('gives back the first node whose pods can be read, and names the nodes before it', async () => {
    await fc.assert(
      fc.asyncProperty(behaviours(3), async (ofPods) => {
        const { outcome, givenBack } = await passOver({ ofPods });
        const first = ofPods.indexOf('answers');
        expect(givenBack).toEqual(first === -1 ? [] : [idOf(first)]);
        const failed = first === -1 ? ofPods.length : first;
        for (let index = 0; index < failed; index += 1)
          expect(outcome).toContain(`the pods of node node-${index}: `);
        expect(outcome).toContain(first === -1 ? 'no node is given back' : `node node-${first} is empty`);
      }),
      { numRuns: 40 },
    );
  });

  it('leaves half of its time for the other calls if the pods of many nodes are not answered', async () => {
    const { outcome, givenBack, seconds } = await passOver({
      ofPods: Array.from({ length: 9 }, () => 'hangs'),
    });
    expect(givenBack).toEqual([]);
    expect(outcome.match(/the pods of node/g)?.length).toBeGreaterThan(3);
    expect(seconds).toBeLessThanOrEqual(13);
  });

  it('reports a success although another node failed, and names that one', async () => {
    const { outcome, facts } = await passOver({ ofPods: ['fails', 'answers'] });
    expect(outcome).toMatch(/^node node-1 is empty and is given back; the pods of node node-0: Throttling$/);
    expect(facts).toEqual({
      givenBack: 1,
      instanceId: idOf(1),
      failures: 'the pods of node node-0: Throttling',
    });
  });

  it.each(['released', 'replaced', 'gone'] as const)(
    'treats a node whose release conflicts as released if it is %s',
    async (found) => {
      const { outcome } = await passOver({
        ofPods: ['fails', 'answers'],
        ofReleases: ['conflicts'],
        afterConflict: [found],
        reserved: [0],
      });
      expect(outcome).not.toContain('the release of');
    },
  );

  it.each([
    ['reserved', 'the object has been modified'],
    ['fails', 'no answer'],
  ] as const)(
    'names a node whose release conflicts, and whose read afterwards says: %s',
    async (found, why) => {
      const { outcome } = await passOver({
        ofPods: ['fails', 'answers'],
        ofReleases: ['conflicts'],
        afterConflict: [found],
        reserved: [0],
      });
      expect(outcome).toContain(`the release of node node-0: ${why}`);
    },
  );

  it('gives back one node although another cannot be released, and names that one', async () => {
    const { outcome, givenBack, released } = await passOver({
      ofPods: ['fails', 'fails', 'answers'],
      ofReleases: ['fails', 'answers', 'answers'],
      reserved: [0, 1],
    });
    expect(givenBack).toEqual([idOf(2)]);
    expect(released).toEqual(['node-1']);
    expect(outcome).toContain('the release of node node-0: Throttling');
  });

  it('says that every instance is protected from scale-in (aws-fault-injection-simulator-workshop#114)', async () => {
    const { outcome, givenBack } = await passOver({ ofPods: ['answers', 'answers'], isProtected: true });
    expect(givenBack).toEqual([]);
    expect(outcome).toContain('2 instances stay, because they are protected from scale-in');
  });

  it('reads the group again after the cordon, also in the millisecond of a kept list (suspended meanwhile)', async () => {
    const { outcome, givenBack, released } = await passOver({
      ofPods: ['answers', 'answers'],
      afterCordon: { suspendedProcesses: ['Terminate'] },
    });
    expect(outcome).toBe('node node-0 is not given back: its group suspends Terminate');
    expect({ givenBack, released }).toEqual({ givenBack: [], released: ['node-0'] });
  });

  it.each([
    ['busy', []],
    ['refused', ['node-0']],
  ] as const)(
    'that Auto Scaling answers with %s releases %j: a busy one may be terminating the instance',
    async (refusal, wanted) => {
      const { outcome, released } = await passOver({ ofPods: ['answers'], refusal });
      expect(outcome).toBe(`node node-0 is not given back: ${refusal}`);
      expect(released).toEqual(wanted);
    },
  );

  it('treats a node that is gone as released', async () => {
    const { outcome, givenBack } = await passOver({
      ofPods: ['fails', 'answers'],
      ofReleases: ['is-gone'],
      afterConflict: ['gone'],
      reserved: [0],
    });
    expect(givenBack).toEqual([idOf(1)]);
    expect(outcome).not.toContain('the release of');
  });

  it('keeps a node reserved that a killed pass has left, while its group is paused', async () => {
    const { outcome, released, givenBack } = await passOver({
      ofPods: ['answers'],
      reserved: [0],
      isPaused: true,
    });
    expect(outcome).toBe('no node is given back: paused for the group');
    expect([...released, ...givenBack]).toEqual([]);
  });

  it('that gives back none releases every node it can, and names the others', async () => {
    const { outcome, released } = await passOver({
      ofPods: ['fails', 'fails'],
      ofReleases: ['answers', 'fails'],
      reserved: [0, 1],
    });
    expect(released).toEqual(['node-0']);
    expect(outcome).toContain('the release of node node-1: Throttling');
  });
});
