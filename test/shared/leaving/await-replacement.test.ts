import { expect, it } from 'vitest';
import { awaitReplacement } from '../../../shared/leaving/await-replacement.ts';
import { leaveState } from '../../support/leave-state.ts';
import { createNodeContext } from '../../support/leaving-context.ts';
import { node } from '../../support/pods.ts';
import { groupOf } from '../../support/waiting-group.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');

it('a control plane is counted by fresh and consistent answers, since older ones still show the instance that has just left', async () => {
  const { context } = createNodeContext(startedAt, node());
  const asked: unknown[] = [];
  const autoScaling = {
    ...context.autoScaling,
    listGroups: async (notBefore?: number) => {
      asked.push(notBefore);
      return [];
    },
  };
  const cluster = {
    ...context.cluster,
    listNodes: async (consistency?: unknown) => {
      asked.push(consistency);
      return [];
    },
  };
  const state = leaveState({ noticedAt: startedAt, settings: context.settings.defaults });
  const group = { ...state.group, tags: { ...state.group.tags, 'drover.dev/role': 'control-plane' } };
  await awaitReplacement({ ...context, autoScaling, cluster }, { ...state, group, node: node() });
  expect(asked).toEqual([startedAt, 'consistent']);
});

it('no member of a control plane is counted as one that serves by the Node of another instance, which claims its providerID', async () => {
  const { context } = createNodeContext(startedAt, node());
  const state = leaveState({ noticedAt: startedAt, settings: context.settings.defaults });
  const replacement = 'i-0cccccccccccccccc';
  const group = {
    ...state.group,
    ...groupOf({ [state.instance.instanceId]: 'Terminating:Wait', [replacement]: 'InService' }),
    tags: { ...state.group.tags, 'drover.dev/role': 'control-plane' },
    desiredCapacity: 2,
  };
  const outcomeWith = (name: string) =>
    awaitReplacement(
      {
        ...context,
        autoScaling: { ...context.autoScaling, listGroups: async () => [group] },
        cluster: { ...context.cluster, listNodes: async () => [node({ name, instanceId: replacement })] },
        ec2: {
          describeInstance: async (instanceId) => ({
            instanceId,
            state: 'running',
            spot: false,
            tags: {},
            privateIpAddress: '10.0.1.17',
          }),
        },
      },
      { ...state, group, node: node() },
    );
  expect(await outcomeWith('ip-10-0-1-18')).toMatchObject({ status: 'again' });
  expect(await outcomeWith('ip-10-0-1-17')).toEqual({});
});
