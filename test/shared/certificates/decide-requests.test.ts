import { describe, expect, test } from 'vitest';
import { fakeContext, namedInstance } from '../../../local/world/certificates/context.ts';
import {
  clientRequest,
  createPem,
  instanceId,
  nodeName,
  nodeUser,
  now,
  servingRequest,
} from '../../../local/world/certificates/requests.ts';
import { decideRequests } from '../../../shared/certificates/decide-requests.ts';
import { createRequestDecider } from '../../../shared/certificates/decider.ts';

const pem = await createPem();
const otherPem = await createPem();
const secondName = 'ip-10-0-0-2.eu-west-1.compute.internal';
const secondPem = await createPem({ subject: `O=system:nodes,CN=system:node:${secondName}` });
const second = namedInstance({
  instanceId: 'i-0bbbbbbbbbbbbbbb2',
  nodeNames: [secondName, 'i-0bbbbbbbbbbbbbbb2'],
});

const node = (instance: string, isReady: boolean) => ({
  metadata: { name: nodeName, creationTimestamp: new Date(now - 86_400_000).toISOString() },
  spec: { providerID: `aws:///eu-west-1a/${instance}` },
  status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
});

describe('a run over certificate requests', () => {
  test('writes its verdict with the reason to the condition', async () => {
    const request = clientRequest(pem);
    const { context, written } = fakeContext({ requests: [request], instances: [namedInstance()] });
    await decideRequests(context);
    expect(written.get(request.name)).toEqual({
      type: 'Approved',
      reason: 'DroverApproved',
      message: `Drover: instance ${instanceId} of group workers has the name, joins within its window, and no other key asks for it`,
    });
  });

  test('calls neither AWS nor the API server for Nodes if nothing is pending', async () => {
    const conditions = [{ type: 'Approved', status: 'True', reason: '', message: '', at: now }];
    const requests = [
      clientRequest(pem, { conditions }),
      clientRequest(pem, { username: 'ana', groups: [] }),
    ];
    const { context, calls } = fakeContext({ requests, instances: [namedInstance()] });
    const report = await decideRequests(context);
    expect(calls).toEqual({ instances: 0, groups: 0, returns: 0 });
    expect(report).toMatchObject({ oldestSeconds: 0, failures: [] });
  });

  test('approves neither of two keys for one name, and says the age of the older', async () => {
    const requests = [clientRequest(pem, { createdAt: now - 60_000 }), clientRequest(otherPem)];
    const { context, written } = fakeContext({ requests, instances: [namedInstance()] });
    const report = await decideRequests(context);
    expect(written.size).toBe(0);
    expect(report.decided.map(({ verdict }) => verdict.kind)).toEqual(['conflict', 'conflict']);
    expect(report.oldestSeconds).toBe(60);
  });

  test('treats a request with the same key under another name as a retry of the same requester', async () => {
    const { context, written } = fakeContext({
      requests: [clientRequest(pem), clientRequest(pem)],
      instances: [namedInstance()],
    });
    await decideRequests(context);
    expect([...written.values()].map(({ type }) => type)).toEqual(['Approved', 'Approved']);
  });

  test('does not count a request that is denied anyway as a conflict', async () => {
    const junk = clientRequest(otherPem, { usages: ['any'] });
    const request = clientRequest(pem);
    const { context, written } = fakeContext({ requests: [junk, request], instances: [namedInstance()] });
    await decideRequests(context);
    expect([written.get(junk.name)?.type, written.get(request.name)?.type]).toEqual(['Denied', 'Approved']);
  });

  test('gives no second key a certificate after the first was approved', async () => {
    const first = clientRequest(pem);
    const world = { requests: [first], instances: [namedInstance()] };
    const { context, written, at } = fakeContext(world);
    await decideRequests(context);
    at.now += 60_000;
    const approved = {
      ...first,
      conditions: [{ type: 'Approved', status: 'True', reason: '', message: '', at: now }],
    };
    const late = fakeContext({ ...world, requests: [approved, clientRequest(otherPem)] });
    const report = await decideRequests(late.context);
    expect(written.get(first.name)?.type).toBe('Approved');
    expect(report.decided.map(({ verdict }) => verdict.kind)).toEqual(['conflict']);
  });

  test('decides one request of every name before the second of any', async () => {
    const junk = Array.from({ length: 50 }, () =>
      clientRequest(otherPem, { usages: [], createdAt: now - 60_000 }),
    );
    const real = clientRequest(secondPem);
    const { context } = fakeContext({ requests: [...junk, real], instances: [namedInstance(), second] });
    const { decided } = await decideRequests(context);
    expect(decided.slice(0, 2).map(({ request }) => request.name)).toContain(real.name);
  });

  test('never overwrites what another approver decided meanwhile', async () => {
    const { context, written } = fakeContext({
      requests: [clientRequest(pem)],
      instances: [namedInstance()],
      beforeWrite: () => 'changed-meanwhile',
    });
    const report = await decideRequests(context);
    expect(written.size).toBe(0);
    expect(report.decided).toMatchObject([{ outcome: 'changed-meanwhile' }]);
    expect(report.failures).toEqual([]);
  });

  test('decides the other requests if one Node cannot be read', async () => {
    const requests = [clientRequest(pem), clientRequest(secondPem)];
    const { context, written } = fakeContext({
      requests,
      instances: [namedInstance(), second],
      unreadable: [nodeName],
    });
    const report = await decideRequests(context);
    expect([...written.keys()]).toEqual([requests[1]?.name]);
    expect(report.failures).toMatchObject([
      {
        item: `the requests for ${nodeName}`,
        error: { message: `its Node cannot be read: no answer for ${nodeName}` },
      },
    ]);
  });

  test('approves no other name of an instance if the Node of one of its names cannot be read', async () => {
    const idPem = await createPem({ subject: `O=system:nodes,CN=system:node:${instanceId}` });
    const requests = [clientRequest(pem), clientRequest(idPem)];
    const { context, written } = fakeContext({
      requests,
      instances: [namedInstance()],
      unreadable: [nodeName],
    });
    await decideRequests(context);
    expect(written.size).toBe(0);
  });

  test('recognizes that the instance left Standby if its Node is not Ready and nothing else explains it', async () => {
    const longAgo = { launchedAt: now - 90_000_000, rootVolumeAttachedAt: now - 90_000_000 };
    const world = {
      requests: [clientRequest(pem)],
      instances: [namedInstance(longAgo)],
      nodes: { [nodeName]: node(instanceId, false) },
    };
    const unseen = fakeContext(world);
    expect((await decideRequests(unseen.context)).decided).toMatchObject([{ verdict: { kind: 'later' } }]);
    const seen = fakeContext({ ...world, returns: new Map([[instanceId, now - 60_000]]) });
    await decideRequests(seen.context);
    expect(seen.written.size).toBe(1);
  });

  test('recognizes the Node of a terminated instance as left over', async () => {
    const { context } = fakeContext({
      requests: [clientRequest(pem)],
      instances: [namedInstance()],
      nodes: { [nodeName]: node('i-0dddddddddddddddd', false) },
    });
    const { decided } = await decideRequests(context);
    expect(decided[0]?.verdict.reason).toMatch(
      /left over from instance i-0dddddddddddddddd, which is terminated/,
    );
  });

  test('does not treat the Node of another running instance as left over', async () => {
    const other = namedInstance({ instanceId: 'i-0dddddddddddddddd', nodeNames: ['i-0dddddddddddddddd'] });
    const { context } = fakeContext({
      requests: [clientRequest(pem)],
      instances: [namedInstance(), other],
      nodes: { [nodeName]: node(other.instanceId, false) },
    });
    const { decided } = await decideRequests(context);
    expect(decided[0]?.verdict).toMatchObject({
      kind: 'later',
      reason: expect.stringContaining(`belongs to instance ${other.instanceId}, which is running`),
    });
  });

  test('approves a token for an instance that left Standby and has no Node', async () => {
    const longAgo = { launchedAt: now - 90_000_000, rootVolumeAttachedAt: now - 90_000_000 };
    const { context, written } = fakeContext({
      requests: [clientRequest(pem)],
      instances: [namedInstance(longAgo)],
      returns: new Map([[instanceId, now - 60_000]]),
    });
    await decideRequests(context);
    expect(written.size).toBe(1);
  });

  test('leaves an instance alone if its group has the tag of another cluster', async () => {
    const { context, written } = fakeContext({
      requests: [clientRequest(pem)],
      instances: [namedInstance()],
      groupTags: { 'kubernetes.io/cluster/other': 'owned', 'drover.dev/role': 'worker' },
    });
    const { decided } = await decideRequests(context);
    expect(decided).toMatchObject([{ verdict: { kind: 'not-ours' }, outcome: 'none' }]);
    expect(written.size).toBe(0);
  });

  test('finds an instance of the warm pool, which its group does not list, and waits for it', async () => {
    const member = { availabilityZone: 'eu-west-1a', healthy: true };
    const { context } = fakeContext({
      requests: [clientRequest(pem)],
      instances: [namedInstance()],
      members: [],
      pooled: [{ ...member, instanceId, lifecycleState: 'Warmed:Running' }],
    });
    const { decided } = await decideRequests(context);
    expect(decided).toMatchObject([
      { verdict: { kind: 'later', reason: expect.stringContaining('is in Warmed:Running') } },
    ]);
  });

  test('reads groups that are at most five seconds old', async () => {
    const { context, oldestGroups } = fakeContext({
      requests: [clientRequest(pem)],
      instances: [namedInstance()],
    });
    await decideRequests(context);
    expect(oldestGroups).toEqual([now - 5000]);
  });

  test('does not count a key that was approved but got no certificate as a conflict', async () => {
    const condition = { status: 'True', reason: '', message: '', at: now };
    const failed = clientRequest(otherPem, {
      conditions: [
        { ...condition, type: 'Approved' },
        { ...condition, type: 'Failed' },
      ],
    });
    const request = clientRequest(pem);
    const { context, written } = fakeContext({ requests: [failed, request], instances: [namedInstance()] });
    await decideRequests(context);
    expect([...written.keys()]).toEqual([request.name]);
  });

  test('counts a request whose approval could not be written among those that wait, and reports why', async () => {
    const { context } = fakeContext({
      requests: [clientRequest(pem, { createdAt: now - 30_000 })],
      instances: [namedInstance()],
      beforeWrite: () => {
        throw new Error('the webhook denies it');
      },
    });
    expect(await decideRequests(context)).toMatchObject({
      decided: [{ outcome: 'failed', verdict: { kind: 'approve' } }],
      failures: [{ error: { message: 'the webhook denies it' } }],
      oldestSeconds: 30,
    });
  });

  test('leaves a request without a readable time, and keeps the order and the age of the others', async () => {
    const odd = clientRequest(secondPem, { createdAt: Number.NaN });
    const request = clientRequest(pem, { createdAt: now - 30_000 });
    const { context, written } = fakeContext({
      requests: [odd, request],
      instances: [namedInstance(), second],
      beforeWrite: () => {
        throw new Error('the webhook denies it');
      },
    });
    expect(await decideRequests(context)).toMatchObject({
      decided: expect.arrayContaining([
        expect.objectContaining({ request: odd, verdict: expect.objectContaining({ kind: 'later' }) }),
      ]),
      oldestSeconds: 30,
    });
    expect(written.size).toBe(0);
  });

  test('denies no serving certificate because of a newer request for a client certificate', async () => {
    const servingPem = await createPem({ dnsNames: [nodeName] });
    const serving = servingRequest(servingPem, { createdAt: now - 30_000 });
    const renewal = clientRequest(otherPem, nodeUser());
    const { context, written } = fakeContext({
      requests: [serving, renewal],
      instances: [namedInstance()],
      nodes: { [nodeName]: node(instanceId, true) },
    });
    await decideRequests(context);
    expect([...written.values()].map(({ type }) => type)).toEqual(['Approved', 'Approved']);
  });

  test('waits for the providerID of a Node without status', async () => {
    const bare = {
      metadata: { name: nodeName },
      spec: {},
      status: { addresses: [{ type: 'Hostname', address: 'not-an-address' }] },
    };
    const requests = [clientRequest(pem)];
    const { context, written } = fakeContext({
      requests,
      instances: [namedInstance()],
      nodes: { [nodeName]: bare },
    });
    const { decided } = await decideRequests(context);
    expect(decided).toMatchObject([{ verdict: { kind: 'later' } }]);
    expect(decided[0]?.verdict.reason).toContain('has no providerID');
    expect(written.size).toBe(0);
  });

  test('denies a request that cannot be read, and looks up no instance for it', async () => {
    const request = clientRequest('junk');
    const { context, written, calls } = fakeContext({ requests: [request], instances: [namedInstance()] });
    await decideRequests(context);
    expect(written.get(request.name)?.type).toBe('Denied');
    expect(calls.instances).toBe(0);
  });

  test('approves nothing for a group whose role is unknown', async () => {
    const groupTags = { 'kubernetes.io/cluster/drover': 'owned', 'drover.dev/role': 'gardener' };
    const { context, written } = fakeContext({
      requests: [clientRequest(pem)],
      instances: [namedInstance()],
      groupTags,
    });
    await decideRequests(context);
    expect([...written.values()].filter(({ type }) => type === 'Approved')).toEqual([]);
  });

  test('approves the last of two serving requests, made in the same second, and denies the other', async () => {
    const requests = await Promise.all(
      [1, 2].map(async () => servingRequest(await createPem({ dnsNames: [nodeName] }))),
    );
    const { context, written } = fakeContext({
      requests,
      instances: [namedInstance()],
      nodes: { [nodeName]: node(instanceId, true) },
    });
    await decideRequests(context);
    expect([...written.values()].map(({ type }) => type).toSorted()).toEqual(['Approved', 'Denied']);
  });

  test('decides the oldest request of a name first', async () => {
    const young = clientRequest(pem);
    const old = clientRequest(pem, { createdAt: now - 60_000 });
    const { context } = fakeContext({ requests: [young, old], instances: [namedInstance()] });
    const { decided } = await decideRequests(context);
    expect(decided.map(({ request }) => request.name)).toEqual([old.name, young.name]);
  });

  test('does not count the renewal of a node that comes back from Standby as a second key', async () => {
    const renewal = clientRequest(otherPem, {
      ...nodeUser(),
      conditions: [{ type: 'Approved', status: 'True', reason: '', message: '', at: now - 10_000 }],
    });
    const request = clientRequest(pem);
    const { context, written } = fakeContext({
      requests: [renewal, request],
      instances: [namedInstance({ launchedAt: now - 90_000 })],
      nodes: { [nodeName]: node(instanceId, false) },
    });
    await decideRequests(context);
    expect(written.get(request.name)?.type).toBe('Approved');
  });

  test.each(['shutting-down', 'stopping'] as const)(
    'approves nothing for an instance that is %s',
    async (state) => {
      const { context, written } = fakeContext({
        requests: [clientRequest(pem)],
        instances: [namedInstance({ state })],
      });
      expect((await decideRequests(context)).decided).toMatchObject([{ verdict: { kind: 'later' } }]);
      expect(written.size).toBe(0);
    },
  );

  test('leaves a Node that was created after the launch and is not Ready to an operator', async () => {
    const made = node(instanceId, false);
    const metadata = { ...made.metadata, creationTimestamp: new Date(now - 60_000).toISOString() };
    const { context, written } = fakeContext({
      requests: [clientRequest(pem)],
      instances: [namedInstance()],
      nodes: { [nodeName]: { ...made, metadata } },
    });
    expect((await decideRequests(context)).decided).toMatchObject([
      { verdict: { kind: 'later', reason: expect.stringContaining('AWS shows no cause') } },
    ]);
    expect(written.size).toBe(0);
  });

  test('finds a secondary IPv6 address in the Node’s status in its long form', async () => {
    const made = node(instanceId, true);
    const addresses = [{ type: 'InternalIP', address: '2001:0db8:0:0:0:0:0:7' }];
    const instance = namedInstance();
    const { context, written } = fakeContext({
      requests: [servingRequest(await createPem({ ipAddresses: ['2001:db8::7'] }))],
      instances: [{ ...instance, addresses: { ...instance.addresses, secondary: ['2001:db8::7'] } }],
      nodes: { [nodeName]: { ...made, status: { ...made.status, addresses } } },
    });
    await decideRequests(context);
    expect([...written.values()].map(({ type }) => type)).toEqual(['Approved']);
  });
});

describe('the requests of a joining instance', () => {
  test('are decided at once, together with those of other instances, and no other is touched', async () => {
    const stranger = clientRequest(await createPem({ subject: 'O=system:nodes,CN=system:node:stranger' }), {
      usages: [],
    });
    const requests = [clientRequest(pem), clientRequest(secondPem), stranger];
    const { context, written, calls } = fakeContext({ requests, instances: [namedInstance(), second] });
    const decider = createRequestDecider(context);
    const [own, others] = await Promise.all([
      decider.decideRequestsOf({ instanceId, privateDnsName: nodeName }),
      decider.decideRequestsOf({ instanceId: second.instanceId, privateDnsName: secondName }),
    ]);
    expect(own.decided).toMatchObject([{ nodeName, outcome: 'written', verdict: { kind: 'approve' } }]);
    expect(others.decided).toMatchObject([{ nodeName: secondName, verdict: { kind: 'approve' } }]);
    expect(written.has(stranger.name)).toBe(false);
    expect(own.others.map(({ request }) => request.name)).toEqual([stranger.name]);
    expect(calls).toMatchObject({ instances: 1, groups: 1 });
  });

  test('are none if none is pending, also for an instance without a private DNS name', async () => {
    const { context } = fakeContext({ requests: [], instances: [namedInstance()] });
    const decider = createRequestDecider(context);
    expect(await decider.decideRequestsOf({ instanceId, privateDnsName: undefined })).toEqual({
      decided: [],
      settled: [],
      others: [],
    });
  });

  test('that were decided before are returned too, each with its own instance', async () => {
    const conditions = [{ type: 'Denied', status: 'True', reason: 'No', message: 'no', at: 0 }];
    const requests = [
      clientRequest(pem, { conditions }),
      clientRequest(secondPem, { conditions, createdAt: 0 }),
    ];
    const { context, written } = fakeContext({ requests, instances: [namedInstance(), second] });
    const decider = createRequestDecider(context);
    const own = await decider.decideRequestsOf({ instanceId, privateDnsName: nodeName });
    expect(own).toMatchObject({ decided: [], settled: [{ nodeName, request: { conditions } }] });
    expect(written.size).toBe(0);
  });

  test('are found by its private DNS name in any case, and by its id', async () => {
    const byId = clientRequest(await createPem({ subject: `O=system:nodes,CN=system:node:${instanceId}` }));
    const requests = [clientRequest(pem), byId];
    const { context } = fakeContext({ requests, instances: [namedInstance()] });
    const decider = createRequestDecider(context);
    const { decided } = await decider.decideRequestsOf({
      instanceId,
      privateDnsName: nodeName.toUpperCase(),
    });
    expect(new Set(decided.map((one) => one.nodeName))).toEqual(new Set([nodeName, instanceId]));
  });
});
