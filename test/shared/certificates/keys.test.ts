import { describe, expect, test } from 'vitest';
import { instanceFacts, nodeFacts, settings } from '../../../local/world/certificates/facts.ts';
import {
  clientRequest,
  createPem,
  instanceUser,
  nodeName,
  nodeUser,
  now,
  servingRequest,
} from '../../../local/world/certificates/requests.ts';
import { approvedAt } from '../../../shared/certificates/certificate-request.ts';
import { decideAll, type ListedRequest, listedRequest } from '../../../shared/certificates/decide.ts';
import { requestText } from '../../../shared/certificates/read-request.ts';
import type { Rival } from '../../../shared/certificates/verdict.ts';
import { verdictOn } from '../../support/certificates/verdict-on.ts';

const pem = await createPem();
const otherPem = await createPem();
const servingPem = await createPem({ dnsNames: [nodeName] });
const launchedAt = now - 120_000;
const instances = [instanceFacts({ launchedAt, rootVolumeAttachedAt: launchedAt })];

const rival = (changes: Partial<Rival> = {}): Rival => ({
  requestName: 'csr-rival',
  requester: 'token',
  createdAt: now - 20_000,
  approvedAt: undefined,
  ...changes,
});

const condition = (type: string, at = now) => ({ type, status: 'True', reason: 'Test', message: '', at });

describe('another key for the name of a joining instance', () => {
  test.each([
    ['is a conflict while it is pending', rival(), 'conflict'],
    ['is a conflict if it was approved since the launch', rival({ approvedAt: launchedAt + 1 }), 'conflict'],
    ['is a conflict if it was approved with the launch', rival({ approvedAt: launchedAt }), 'conflict'],
    ['is ignored if it was approved before the launch', rival({ approvedAt: launchedAt - 1 }), 'approve'],
    ['is not a rival if the node renews', rival({ requester: 'node' }), 'approve'],
    ['wins where the instance itself asks', rival({ requester: 'instance' }), 'deny'],
  ])('%s', (_, other, kind) => {
    expect(verdictOn(clientRequest(pem), { instances, rivals: [other] })).toMatchObject({ kind });
  });

  test('is named, and several are counted', () => {
    const reasonWith = (rivals: readonly Rival[]) =>
      verdictOn(clientRequest(pem), { instances, rivals }).reason;
    expect(reasonWith([rival()])).toContain('in request csr-rival');
    expect(reasonWith([rival(), rival({ requestName: 'csr-third' })])).toContain('in 2 requests');
  });
});

describe('a newer serving request of a node', () => {
  const request = servingRequest(servingPem, { name: 'csr-m', createdAt: now - 30_000 });
  test.each([
    ['replaces the older one', { createdAt: now - 29_999 }, 'deny'],
    ['leaves it alone if it is approved already', { createdAt: now, approvedAt: now }, 'approve'],
    ['is not one that is older', { createdAt: now - 30_001 }, 'approve'],
    [
      'of the same second is the later one by name',
      { createdAt: now - 30_000, requestName: 'csr-n' },
      'deny',
    ],
    [
      'of the same second and an earlier name is older',
      { createdAt: now - 30_000, requestName: 'csr-a' },
      'approve',
    ],
  ])('%s', (_, changes, kind) => {
    const rivals = [rival({ requester: 'node', ...changes })];
    expect(verdictOn(request, { node: nodeFacts(), rivals })).toMatchObject({ kind });
  });
});

const unread = () => {
  throw new Error('its text was read');
};

const createListed = (name: string, createdAt: number, changes: object = {}): ListedRequest => ({
  ...listedRequest(clientRequest(pem, { createdAt, ...changes }), requestText(pem)),
  nodeName: name,
});

const decideListed = (requests: readonly ListedRequest[], isTimeUp?: () => boolean) =>
  decideAll(
    {
      requests,
      instancesOf: (name) => (name === nodeName ? instances : []),
      nodeOf: () => undefined,
      settings,
      now,
    },
    isTimeUp,
  );

describe('the verdicts on all requests', () => {
  const decide = (...requests: Parameters<typeof listedRequest>[0][]) =>
    decideAll({
      requests: requests.map((request) => listedRequest(request, requestText(request.pem))),
      instancesOf: (name) => (name === nodeName ? instances : []),
      nodeOf: () => undefined,
      settings,
      now,
    });

  test('do not count a request that the signer failed, or that was denied, as a key', () => {
    for (const conditions of [[condition('Approved'), condition('Failed')], [condition('Denied')]])
      expect(decide(clientRequest(pem), clientRequest(otherPem, { conditions }))).toMatchObject([
        { verdict: { kind: 'approve' } },
      ]);
    expect(
      decide(clientRequest(pem), clientRequest(otherPem, { conditions: [condition('Approved')] })),
    ).toMatchObject([{ verdict: { kind: 'conflict' } }]);
  });

  test('begin with the requests of launching instances', () => {
    const others = createListed('ip-10-0-0-9.eu-west-1.compute.internal', now - 90_000);
    const launching = createListed(nodeName, now - 30_000);
    expect(decideListed([others, launching]).map(({ nodeName: name }) => name)).toEqual([
      nodeName,
      others.nodeName,
    ]);
  });

  test('wait for the next run if the time is up, and count as rivals without being read', () => {
    const [first, second] = [createListed(nodeName, now - 60_000), createListed(nodeName, now - 30_000)];
    let judged = 0;
    const decisions = decideListed([first, { ...second, read: unread }], () => {
      judged += 1;
      return judged > 1;
    });
    expect(decisions.map(({ verdict }) => [verdict.kind, verdict.check])).toEqual([
      ['conflict', 'keys'],
      ['later', 'time'],
    ]);
  });

  test('do not read the text of a request whose requester Drover does not judge', () => {
    const foreign = createListed(nodeName, now - 30_000, { username: 'ana', groups: [] });
    expect(decideListed([{ ...foreign, read: unread }])).toMatchObject([{ verdict: { kind: 'not-ours' } }]);
  });

  test('do not count the request of a user as a rival, approved or not', () => {
    const person = { username: 'ana', groups: ['system:authenticated'], conditions: [condition('Approved')] };
    expect(decide(clientRequest(pem), clientRequest(otherPem, person))).toMatchObject([
      { verdict: { kind: 'approve' } },
    ]);
  });

  test('begin with the oldest request, whatever the order of the list', () => {
    const [old, young] = [clientRequest(pem, { createdAt: now - 60_000 }), clientRequest(otherPem)];
    for (const requests of [
      [old, young],
      [young, old],
    ])
      expect(decide(...requests).map(({ request }) => request.name)).toEqual([old.name, young.name]);
  });

  test('deny a request that cannot be read, and look up no instance for it', () => {
    expect(decide(clientRequest('junk'))).toMatchObject([
      { nodeName: undefined, verdict: { kind: 'deny', check: 'request' } },
    ]);
  });
});

test('the time of an approval is that of the condition Approved, and a failed or denied request has none', () => {
  const of = (...conditions: ReturnType<typeof condition>[]) => approvedAt({ conditions });
  expect(of(condition('Other', 1), condition('Approved', 2))).toBe(2);
  expect(of(condition('Approved', 2), condition('Failed'))).toBeUndefined();
  expect(of(condition('Approved', 2), condition('Denied'))).toBeUndefined();
  expect(of()).toBeUndefined();
});

describe('a credential', () => {
  test('of another instance of the same role does not get the certificate of this one', () => {
    const stranger = instanceUser('i-0bbbbbbbbbbbbbbb2');
    expect(verdictOn(clientRequest(pem, stranger), { instances })).toMatchObject({
      kind: 'deny',
      check: 'credential',
    });
  });

  test('of a node does not get the certificate of another node', async () => {
    const foreign = await createPem({ subject: 'O=system:nodes,CN=system:node:other' });
    expect(verdictOn(clientRequest(foreign, nodeUser()), { instances, node: nodeFacts() })).toMatchObject({
      kind: 'deny',
      check: 'subject',
    });
  });

  test('of a bootstrap token gets no serving certificate', () => {
    const request = servingRequest(servingPem, clientRequestUser());
    expect(verdictOn(request, { instances, node: nodeFacts() })).toMatchObject({
      kind: 'deny',
      check: 'subject',
    });
  });
});

function clientRequestUser() {
  const { username, groups } = clientRequest(pem);
  return { username, groups };
}
