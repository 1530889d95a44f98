import { expect, it } from 'vitest';
import { awaitReplacement } from '../../../../../shared/draining/leaving/steps/await-replacement.ts';
import { leaveState } from '../../../../support/leave-state.ts';
import { createNodeContext } from '../../../../support/leaving-context.ts';
import { node } from '../../../../support/pods.ts';

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
