import { expect, it } from 'vitest';
import { refusalOf } from '../../../shared/certificates/refusal.ts';

const decision = {
  request: { name: 'csr-1', uid: 'uid-1', username: 'system:bootstrap:abcdef' },
  nodeName: 'node-1',
  verdict: { kind: 'deny', check: 'instance', reason: 'no running instance has the name' },
} as unknown as Parameters<typeof refusalOf>[0];

it('a refused request is told with its requester, its reason and the check that decided', () => {
  expect(refusalOf(decision)).toEqual({
    kind: 'certificate-refused',
    occurrence: 'uid-1',
    message:
      'certificate request csr-1 of system:bootstrap:abcdef is refused: no running instance has the name',
    facts: { nodeName: 'node-1', reasons: ['instance: no running instance has the name'] },
  });
});

it('a request that names no node is told without one', () => {
  expect(refusalOf({ ...decision, nodeName: undefined }).facts).toEqual({
    reasons: ['instance: no running instance has the name'],
  });
});
