import { describe, expect, it, test } from 'vitest';
import { fakeContext, namedInstance } from '../../../local/world/certificates/context.ts';
import { clientRequest, createPem } from '../../../local/world/certificates/requests.ts';
import { decideRequests, refusalOf } from '../../../shared/certificates/decide-requests.ts';
import type { Notification } from '../../../shared/notifications/notification.ts';

const pem = await createPem();
const otherPem = await createPem();

/** A run over requests, with its notifications and writes in order. */
async function runOver(requests: readonly ReturnType<typeof clientRequest>[]) {
  const log: string[] = [];
  const sent: Notification[] = [];
  const { context } = fakeContext({
    requests,
    instances: [namedInstance()],
    beforeWrite: () => void log.push('write'),
  });
  await decideRequests({
    ...context,
    notify: async (notification) => {
      log.push('notify');
      sent.push(notification);
      return 'failed';
    },
  });
  return { log, sent };
}

const junk = (index: number) => clientRequest(otherPem, { usages: ['any'], uid: `uid-${index}` });

describe('a run that denies requests', () => {
  test('notifies before it writes, and writes even if the notification fails', async () => {
    const { log, sent } = await runOver([junk(1)]);
    expect(log).toEqual(['notify', 'write']);
    expect(sent[0]).toMatchObject({ kind: 'certificate-refused', occurrence: 'uid-1' });
  });

  test('sends five notifications, and denies all', async () => {
    const { log } = await runOver(Array.from({ length: 8 }, (_, index) => junk(index)));
    expect(log).toEqual([...Array<string>(5).fill('notify'), ...Array<string>(8).fill('write')]);
  });

  test('sends nothing about requests that it approves, or that wait for an operator', async () => {
    expect((await runOver([clientRequest(pem)])).log).toEqual(['write']);
    expect((await runOver([clientRequest(pem), clientRequest(otherPem)])).log).toEqual([]);
  });
});

const decision = {
  request: { name: 'csr-1', uid: 'uid-1', username: 'system:bootstrap:abcdef' },
  nodeName: 'node-1',
  verdict: { kind: 'deny', check: 'instance', reason: 'no running instance has the name' },
} as unknown as Parameters<typeof refusalOf>[0];

it('the notification about a refused request has its requester, its reason and the check that decided', () => {
  expect(refusalOf(decision)).toEqual({
    kind: 'certificate-refused',
    occurrence: 'uid-1',
    message:
      'certificate request csr-1 of system:bootstrap:abcdef is refused: no running instance has the name',
    facts: { nodeName: 'node-1', reasons: ['instance: no running instance has the name'] },
  });
});

it('the notification about a request that names no node has none', () => {
  expect(refusalOf({ ...decision, nodeName: undefined }).facts).toEqual({
    reasons: ['instance: no running instance has the name'],
  });
});
