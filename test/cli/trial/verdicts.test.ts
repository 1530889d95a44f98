import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import {
  type DrainLook,
  drainProblems,
  nothingSeen,
  seenAfter,
  waitsOfDrain,
} from '../../../cli/trial/drain-step.ts';
import { pinnedTo } from '../../../cli/trial/objects.ts';
import { endIn } from '../../../cli/trial/pass-log.ts';
import { judgePods } from '../../../cli/trial/pods-step.ts';
import { trialTaint } from '../../../cli/trial/taint.ts';
import { pod } from '../../support/pods.ts';

const look = (more: Partial<DrainLook> = {}): DrainLook => ({
  mark: undefined,
  hasNode: true,
  readyPods: 2,
  podsOnNode: 2,
  lifecycleState: 'Terminating:Wait',
  ...more,
});

describe('a drain', () => {
  it.each([
    [look(), '2 pods of the trial still on the node'],
    [look({ podsOnNode: 0 }), 'the node is empty, and not deleted yet'],
    [look({ podsOnNode: 0, hasNode: false }), 'the Node is deleted, and the instance is Terminating:Wait'],
    [look({ podsOnNode: 0, hasNode: false, lifecycleState: 'Terminated' }), undefined],
    [look({ podsOnNode: 0, hasNode: false, lifecycleState: undefined }), undefined],
  ])('waits, or has ended: %#', (shown, waits) => {
    expect(waitsOfDrain(shown)).toBe(waits);
  });

  const problemsOf = (...looks: readonly DrainLook[]) =>
    drainProblems(looks.reduce((seen, one) => seenAfter(seen, one), nothingSeen));

  it('is right if one pod was Ready in each read, and the wait lasted until they had left', () => {
    expect(problemsOf(look(), look({ readyPods: 1, podsOnNode: 1 }), look({ podsOnNode: 0 }))).toEqual([]);
  });

  it('is wrong if no pod was Ready, or the wait was over while pods were on the node', () => {
    expect(problemsOf(look({ readyPods: 0 }))).toEqual([
      'in one read no pod was Ready, although the budget keeps one',
    ]);
    for (const lifecycleState of ['Terminating:Proceed', 'Terminated', undefined])
      expect(problemsOf(look({ lifecycleState }))).toEqual([
        'the wait of the instance ended while pods were on its node',
      ]);
  });
});

describe('the log of a function', () => {
  const completed = 'node n is drained and deleted; its hook is completed';

  it('says how it ended a wait, also if it has seen the end of the instance since', () => {
    expect(endIn({ reasons: ['it is InService', completed, 'it was released moments ago'] })).toEqual({
      kind: 'logged',
      reason: completed,
    });
  });

  it.each([
    'its group workers is not tagged as this cluster’s',
    'the drain has failed at its deadline, waits for one pod; node n is deleted; its hook is completed',
    'its wait is over (Terminated)',
  ])('does not with "%s" only', (reason) => {
    expect(endIn({ reasons: [reason] })).toEqual({ kind: 'missing', reason });
  });

  it('proves nothing if it is empty or cannot be read', () => {
    expect(endIn({ reasons: [] })).toEqual({ kind: 'missing', reason: undefined });
    expect(endIn({ unreadable: 'denied' })).toEqual({ kind: 'unreadable', why: 'denied' });
  });
});

describe('the pods of a trial', () => {
  it('have started once both are Ready', () => {
    expect(judgePods({ pods: [pod({ name: 'a' }), pod({ name: 'b' })], whyNone: undefined })).toEqual({
      done: true,
    });
  });

  it('say why they have not', () => {
    const waiting = {
      ...pod({ ready: false }),
      status: {
        containerStatuses: [
          {
            name: 'pause',
            image: 'x',
            imageID: '',
            ready: false,
            restartCount: 0,
            state: { waiting: { reason: 'ErrImagePull', message: 'no route' } },
          },
        ],
      },
    };
    expect(judgePods({ pods: [waiting], whyNone: undefined })).toEqual({
      waits: '0 of 2 pods are Ready: ErrImagePull: no route',
    });
    expect(judgePods({ pods: [], whyNone: 'exceeded quota' })).toEqual({
      waits: '0 of 2 pods are Ready: exceeded quota',
    });
  });

  const nodeWith = (...keys: readonly string[]): Node => ({
    metadata: { name: 'n', uid: 'u', resourceVersion: '7' },
    spec: { taints: keys.map((key) => ({ key, effect: 'NoSchedule' })) },
  });

  it('tolerate the taints of the group, and none that comes and goes with the state of the node', () => {
    const patch = pinnedTo(
      nodeWith(
        'node-role.kubernetes.io/infra',
        'dedicated',
        'node.kubernetes.io/unschedulable',
        'node.cloudprovider.kubernetes.io/uninitialized',
        'ToBeDeletedByClusterAutoscaler',
      ),
    );
    expect(patch).toMatchObject({
      spec: {
        template: {
          spec: {
            tolerations: ['node-role.kubernetes.io/infra', 'dedicated', trialTaint.key].map((key) =>
              expect.objectContaining({ key, operator: 'Exists' }),
            ),
          },
        },
      },
    });
  });
});
