import { expect, it } from 'vitest';
import { findNode } from '../../../../shared/leaving/steps/find-node.ts';
import { formatLeavingMark } from '../../../../shared/nodes/leaving-mark.ts';
import { leavingAnnotation } from '../../../../shared/nodes/node-keys.ts';
import { leaveState, markedAt } from '../../../support/leave-state.ts';
import { createNodeContext } from '../../../support/leaving-context.ts';
import { node } from '../../../support/pods.ts';

const markedTime = Date.parse('2026-11-21T07:00:00Z');
const noticedAt = markedTime + 600_000;

it('a pass counts the drain timeout from the time in the mark of the Node, although the notice at hand is newer', async () => {
  const annotations = { [leavingAnnotation]: formatLeavingMark(markedAt(markedTime)) };
  const { context } = createNodeContext(noticedAt, node({ name: 'named-by-notice', annotations }));
  const settings = context.settings.defaults;
  const state = leaveState({ noticedAt, settings });
  const notices = state.subject.notices.map((notice) => ({ ...notice, nodeName: 'named-by-notice' }));
  const found = await findNode(context, { ...state, subject: { ...state.subject, notices } });
  expect(found).toMatchObject({
    mark: { since: new Date(markedTime).toISOString() },
    plan: { since: markedTime, deadlines: { deadline: markedTime + settings.drainTimeoutSeconds * 1000 } },
  });
});
