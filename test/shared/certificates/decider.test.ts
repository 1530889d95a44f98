import { describe, expect, test } from 'vitest';
import { fakeContext, namedInstance } from '../../../local/world/certificates/context.ts';
import {
  clientRequest,
  createPem,
  instanceId,
  nodeName,
} from '../../../local/world/certificates/requests.ts';
import { decidersByInvocation } from '../../../shared/certificates/decider.ts';

const asked = { instanceId, privateDnsName: nodeName };

const pending = async () =>
  fakeContext({ requests: [clientRequest(await createPem())], instances: [namedInstance()] });

describe('the deciders of invocations', () => {
  test('approve nothing once the time of their own invocation is up', async () => {
    const { context, written } = await pending();
    const deciderOf = decidersByInvocation(context);
    const ended = new AbortController();
    const decider = deciderOf(ended.signal);
    ended.abort();
    await expect(decider.decideRequestsOf(asked)).rejects.toThrow('aborted');
    expect(written.size).toBe(0);
    await deciderOf(new AbortController().signal).decideRequestsOf(asked);
    expect(written.size).toBe(1);
  });

  test('write nothing if the time ends between the reads and the write', async () => {
    const { context, written } = await pending();
    const ended = new AbortController();
    const find: typeof context.instances.find = async (names) => {
      ended.abort();
      // An instance without other names, whose Nodes would be read next.
      return (await context.instances.find(names)).map((instance) => ({ ...instance, nodeNames: names }));
    };
    const late = { ...context, instances: { ...context.instances, find } };
    const { decided } = await decidersByInvocation(late)(ended.signal).decideRequestsOf(asked);
    expect(decided).toMatchObject([{ verdict: { kind: 'approve' }, outcome: 'failed' }]);
    expect(written.size).toBe(0);
  });

  test('are shared by all passes of an invocation, and so are their calls', async () => {
    const { context, calls } = await pending();
    const deciderOf = decidersByInvocation(context);
    const { signal } = new AbortController();
    await Promise.all([
      deciderOf(signal).decideRequestsOf(asked),
      deciderOf(signal).decideRequestsOf({ instanceId: 'i-0bbbbbbbbbbbbbbb2', privateDnsName: undefined }),
    ]);
    expect(calls.instances).toBe(1);
  });
});
