import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LifecycleHook } from '../../../shared/groups/group.ts';
import { readHeartbeatMessage } from '../../../shared/heartbeats/message.ts';
import { createRequestHeartbeats, type HeartbeatRequest } from '../../../shared/heartbeats/request.ts';
import type { OutgoingMessage } from '../../../shared/passes/queue.ts';
import { type Behaviour, behave, finished } from '../../support/item-faults.ts';

const start = Date.parse('2026-11-27T08:00:00Z');
const nameOf = (index: number): string => `group-${index}`;

const requestOf = (group: number, wait = 0): HeartbeatRequest => ({
  action: {
    autoScalingGroupName: nameOf(group),
    lifecycleHookName: 'drover-node-leaving',
    instanceId: `i-${String(group * 100 + wait).padStart(17, '0')}`,
  },
  transition: 'terminating',
  noticedAt: start,
});

const hook: LifecycleHook = {
  lifecycleHookName: 'drover-node-leaving',
  transition: 'terminating',
  heartbeatTimeoutSeconds: 300,
  globalTimeoutSeconds: 30_000,
  defaultResult: 'CONTINUE',
};

/** Requests heartbeats while the hooks of each group, and the messages of each group, behave like this. */
async function request(
  requests: readonly HeartbeatRequest[],
  {
    ofHooks,
    ofSends = [],
  }: { readonly ofHooks: readonly Behaviour[]; readonly ofSends?: readonly Behaviour[] },
) {
  const clock = createVirtualClock(start);
  const sent = new Map<string, { readonly seconds: number; readonly timeout: number | undefined }>();
  const reported: string[] = [];
  const described: string[] = [];
  const indexOf = (name: string): number => Number(name.slice('group-'.length));
  const send = async (messages: readonly OutgoingMessage[]) => {
    const notices = messages.flatMap(({ body }) => {
      const reading = readHeartbeatMessage(body);
      return reading.kind === 'message' ? [reading.message.notice] : [];
    });
    return notices.flatMap((notice, index) => {
      if (ofSends[indexOf(notice.hook.autoScalingGroupName)] === 'fails')
        return [{ index, error: new Error('refused') }];
      sent.set(notice.instanceId, {
        seconds: (clock.now() - start) / 1000,
        timeout: notice.heartbeatTimeoutSeconds,
      });
      return [];
    });
  };
  const requestHeartbeats = createRequestHeartbeats({
    send,
    clock,
    describeHooks: (name) => {
      described.push(name);
      return behave(ofHooks[indexOf(name)], () => [hook]);
    },
    reportError: (message) => reported.push(message),
  });
  const failures = await finished(clock, requestHeartbeats(requests));
  return { failures, sent, reported, described };
}

describe('the heartbeats of waits whose events have just arrived', () => {
  it('are requested at once for groups whose hooks are read, and within two seconds for the others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<Behaviour>('answers', 'fails', 'hangs'), { minLength: 1, maxLength: 8 }),
        async (ofHooks) => {
          const requests = ofHooks.map((_, index) => requestOf(index));
          const { failures, sent, reported } = await request(requests, { ofHooks });
          expect(failures).toEqual([]);
          for (const [index, behaviour] of ofHooks.entries())
            expect(sent.get(requests[index]?.action.instanceId ?? '')).toEqual({
              seconds: behaviour === 'hangs' ? 2 : 0,
              timeout: behaviour === 'answers' ? 300 : undefined,
            });
          expect(reported).toHaveLength(ofHooks.filter((one) => one !== 'answers').length);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are sent together for the waits of one group, whose hooks are read once', async () => {
    const requests = [requestOf(0, 1), requestOf(1), requestOf(0, 2)];
    const { sent, described } = await request(requests, { ofHooks: [] });
    expect(sent.size).toBe(3);
    expect(described.toSorted()).toEqual(['group-0', 'group-1']);
  });

  it('are reported by their index if they could not be requested', async () => {
    const requests = [requestOf(0), requestOf(1, 1), requestOf(2), requestOf(1, 2)];
    const { failures } = await request(requests, { ofHooks: ['hangs'], ofSends: ['answers', 'fails'] });
    expect(failures.map(({ index }) => index)).toEqual([1, 3]);
  });

  it('are none without waits', async () => {
    const { failures, described } = await request([], { ofHooks: [] });
    expect({ failures, described }).toEqual({ failures: [], described: [] });
  });
});
