import { describe, expect, it } from 'vitest';
import type { AutoScalingGroup } from '../../../shared/groups/group.ts';
import { joiningPass } from '../../../shared/joining/pass.ts';
import { KubernetesError } from '../../../shared/kubernetes/status.ts';
import { createJoiningWorld, joiningId, launchingNotice } from '../../support/joining-context.ts';
import { groupOf } from '../../support/waiting-group.ts';

const tagged = (role: string) => ({ 'kubernetes.io/cluster/drover': 'owned', 'drover.dev/role': role });

const unreachable = new KubernetesError('unreachable', 'no answer from api.example.com');

/** A pass over a launching instance of this role while the API server fails, and these groups of its cluster have the rest. */
function pass(
  role: string,
  {
    error = unreachable,
    others = [],
    answer = 'completed',
  }: { error?: Error; others?: readonly AutoScalingGroup[]; answer?: 'completed' | 'not-active' } = {},
) {
  const { context, calls, group } = createJoiningWorld();
  const own = group({ 'drover.dev/role': role });
  const fails = () => Promise.reject(error);
  const outcome = joiningPass(
    {
      ...context,
      cluster: { ...context.cluster, getNode: fails, listNodes: fails },
      autoScaling: {
        ...context.autoScaling,
        describeGroup: async () => own,
        listGroups: async () => [own, ...others],
        complete: async (action, result) => {
          await context.autoScaling.complete(action, result);
          return answer;
        },
      },
    },
    { instanceId: joiningId, notices: [launchingNotice] },
  );
  return { outcome, calls };
}

const serving = (role: string, tags: Readonly<Record<string, string>> = tagged(role)): AutoScalingGroup => ({
  ...groupOf({ 'i-0f9e8d7c6b5a41302': 'InService' }),
  autoScalingGroupName: 'other',
  tags,
});

describe('a control-plane instance, while no API server answers', () => {
  it('goes into service if no other is, because only then does the load balancer lead to it', async () => {
    const { outcome, calls } = pass('control-plane');
    expect(await outcome).toMatchObject({
      status: 'done',
      reason: expect.stringMatching(/^no API server answers and no control-plane instance is in service/),
    });
    expect(calls).toEqual(['CONTINUE token']);
  });

  it('goes into service before a kubeconfig is stored, for which an API server is needed', async () => {
    const error = Object.assign(new Error('there is no parameter'), { kind: 'no-kubeconfig' });
    expect(await pass('control-plane', { error }).outcome).toMatchObject({ status: 'done' });
    const { outcome, calls } = pass('worker', { error });
    await expect(outcome).rejects.toBe(error);
    expect(calls).toEqual([]);
  });

  it('does not count workers, and not the control plane of another cluster', async () => {
    const others = [
      serving('worker'),
      serving('', { 'kubernetes.io/cluster/test': 'owned', 'drover.dev/role': 'control-plane' }),
    ];
    expect(await pass('control-plane', { others }).outcome).toMatchObject({ status: 'done' });
  });

  it('reports if its hook waits no longer', async () => {
    const { outcome } = pass('control-plane', { answer: 'not-active' });
    expect(await outcome).toMatchObject({ reason: expect.stringContaining('its hook waits no longer') });
  });

  it('waits if another one is in service', async () => {
    const { outcome, calls } = pass('control-plane', { others: [serving('control-plane')] });
    await expect(outcome).rejects.toBe(unreachable);
    expect(calls).toEqual([]);
  });

  it('waits if the API server answers with a refusal', async () => {
    const refused = new KubernetesError('unauthorized', 'the token is unknown');
    const { outcome, calls } = pass('control-plane', { error: refused });
    await expect(outcome).rejects.toBe(refused);
    expect(calls).toEqual([]);
  });
});

it('a worker waits while no API server answers', async () => {
  const { outcome, calls } = pass('worker');
  await expect(outcome).rejects.toBe(unreachable);
  expect(calls).toEqual([]);
});
