import { expect, it } from 'vitest';
import { holdWhilePaused } from '../../../../shared/leaving/steps/hold-while-paused.ts';
import { formatLeavingMark, readLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../../shared/nodes/node-keys.ts';
import { pauseTagKey } from '../../../../shared/passes/pause.ts';
import { leaveState, leavingHook, markedAt } from '../../../support/leave-state.ts';
import { createNodeContext } from '../../../support/leaving-context.ts';
import { node } from '../../../support/pods.ts';

const startedAt = Date.parse('2026-11-21T07:00:00Z');

/** Passes over an instance of a paused group, whose Node was marked at the start. */
function createPaused() {
  const mark = markedAt(startedAt, { waitingFor: ['shop/web-1 (budget web)'] });
  const annotations = { [leavingAnnotation]: formatLeavingMark(mark) };
  const made = createNodeContext(startedAt, node({ annotations, unschedulable: true }));
  const settings = made.context.settings.defaults;
  const state = leaveState({ noticedAt: startedAt, settings, tags: { [pauseTagKey]: 'true' } });
  return {
    mark,
    current: () => readLeavingMark(made.node()?.metadata?.annotations),
    passAfter: async (seconds: number) => {
      made.pass(seconds);
      // As in another environment of the function.
      made.context.memory.forget(state.subject.instanceId);
      const notices = state.subject.notices.map((notice) => ({ ...notice, nodeName: 'node-1' }));
      return await holdWhilePaused(made.context, { ...state, subject: { ...state.subject, notices } });
    },
  };
}

it('a pass of a paused group renews the mark a third of the timeout after the last renewal, and changes nothing else', async () => {
  const { mark, current, passAfter } = createPaused();
  const thirdSeconds = leavingHook.heartbeatTimeoutSeconds / 3;
  expect(await passAfter(thirdSeconds - 1)).toMatchObject({ status: 'again', facts: { waitsFor: 'pause' } });
  expect(current()).toEqual(mark);
  await passAfter(1);
  const renewedAt = new Date(startedAt + thirdSeconds * 1000).toISOString();
  expect(current()).toEqual({ ...mark, renewedAt });
});
