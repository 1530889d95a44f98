import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { expect, it } from 'vitest';
import { readDependent, unreadSources } from '../../../shared/scale-api/problem-sources.ts';
import type { ManagedGroup, ScaleContext } from '../../../shared/scale-api/scale-context.ts';
import { nodesWith, now, silentNode, workers } from '../sweep/repair/support.ts';

it('a group whose activities are refused is named, and its failing nodes do not pass as healthy', async () => {
  const clock = createVirtualClock(now);
  const logged: string[] = [];
  const context = {
    cluster: { listNodes: () => Promise.resolve(nodesWith([silentNode(1)])) },
    problemSources: {
      countReplacements: () => Promise.reject(new Error('arn:aws:iam::1:role/secret is not authorized')),
      readLaunches: () => Promise.resolve({ launchedAt: new Map(), joinTimeoutSeconds: 600 }),
    },
    withinTime: <Value>(_: number, work: Promise<Value>) => work,
    functionName: 'scale-api',
    onPartFailure: (what: string) => void logged.push(what),
    now: () => clock.now(),
    after: clock.after.bind(clock),
  };
  const groups: readonly ManagedGroup[] = [{ ...workers(), role: 'worker' }];
  const nodes = {
    marked: [],
    instanceIds: new Set(groups.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId))),
  };
  const { repairs } = await readDependent(context as unknown as ScaleContext, groups, nodes);
  expect(repairs).toMatchObject({ value: [{ verdict: 'cannot-judge' }] });
  const unread = unreadSources({ repairs });
  expect(unread).toEqual([expect.stringContaining('the activities of group workers')]);
  expect(unread.join()).not.toContain('arn:');
  expect(logged).toEqual(['the activities of group workers']);
});
