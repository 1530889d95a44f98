import { describe, expect, test } from 'vitest';
import { fakeContext, namedInstance } from '../../../local/world/certificates/context.ts';
import { group, instanceFacts, nodeFacts } from '../../../local/world/certificates/facts.ts';
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
import { verdictOn } from '../../support/certificates/verdict-on.ts';

const pem = await createPem();
const idPem = await createPem({ subject: `O=system:nodes,CN=system:node:${instanceId}` });
const approvedRequest = { type: 'Approved', status: 'True', reason: '', message: '', at: now - 60_000 };

describe('an instance has two names, and one Node', () => {
  const verdictsOn = async (...requests: ReturnType<typeof clientRequest>[]) => {
    const { context, written } = fakeContext({ requests, instances: [namedInstance()] });
    const { decided } = await decideRequests(context);
    return { kinds: decided.map(({ verdict }) => verdict.kind), written: written.size };
  };

  test('a thief does not get its id once its private DNS name has a certificate', async () => {
    const victim = clientRequest(pem, { conditions: [approvedRequest] });
    expect(await verdictsOn(victim, clientRequest(idPem))).toEqual({ kinds: ['conflict'], written: 0 });
  });

  test('two pending requests for its two names are a conflict', async () => {
    expect(await verdictsOn(clientRequest(pem), clientRequest(idPem))).toEqual({
      kinds: ['conflict', 'conflict'],
      written: 0,
    });
  });

  test('a joining pass sees both names of each of its instances, however many it asks for', async () => {
    const others = Array.from({ length: 401 }, (_, place) => `i-${String(place).padStart(17, '0')}`);
    const victim = clientRequest(pem, { conditions: [approvedRequest] });
    const { context, written } = fakeContext({
      requests: [victim, clientRequest(idPem)],
      instances: [namedInstance()],
    });
    const decider = createRequestDecider(context);
    const ask = (id: string, privateDnsName?: string) =>
      decider.decideRequestsOf({ instanceId: id, privateDnsName });
    await Promise.all([...others.slice(0, 399).map((id) => ask(id)), ask(instanceId, nodeName)]);
    expect(written.size).toBe(0);
  });

  test('serving requests of two Nodes of one instance wait for an operator', async () => {
    const requests = [
      servingRequest(await createPem({ dnsNames: [nodeName] })),
      servingRequest(
        await createPem({ subject: `O=system:nodes,CN=system:node:${instanceId}`, dnsNames: [nodeName] }),
        nodeUser(instanceId),
      ),
    ];
    const made = {
      spec: { providerID: `aws:///eu-west-1a/${instanceId}` },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    };
    const { context } = fakeContext({
      requests,
      instances: [namedInstance()],
      nodes: { [nodeName]: made, [instanceId]: made },
    });
    const { decided } = await decideRequests(context);
    expect(decided.map(({ verdict }) => verdict.kind)).toEqual(['conflict', 'conflict']);
  });

  const readyNode = {
    metadata: { name: instanceId, creationTimestamp: new Date(now - 86_400_000).toISOString() },
    spec: { providerID: `aws:///eu-west-1a/${instanceId}` },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
  const back = namedInstance({ launchedAt: now - 86_500_000, rootVolumeAttachedAt: now - 86_500_000 });

  test('a thief does not get the other name of an instance that is back from Standby and has a Ready Node', async () => {
    const { context, written } = fakeContext({
      requests: [clientRequest(pem)],
      instances: [back],
      nodes: { [instanceId]: readyNode },
      returns: new Map([[instanceId, now - 60_000]]),
    });
    const { decided } = await decideRequests(context);
    expect(decided).toMatchObject([{ verdict: { kind: 'conflict', check: 'situation' } }]);
    expect(decided[0]?.verdict.reason).toContain(`already has the Node ${instanceId}`);
    expect(written.size).toBe(0);
  });

  test('a request waits while the Node under the other name cannot be read', async () => {
    const { context, written } = fakeContext({
      requests: [clientRequest(pem)],
      instances: [namedInstance()],
      unreadable: [instanceId],
    });
    const { failures } = await decideRequests(context);
    expect(failures).toMatchObject([{ item: `the requests for ${nodeName}` }]);
    expect(written.size).toBe(0);
  });

  test('a Node without a creation time is not taken for one that returns', async () => {
    const notReady = {
      ...readyNode,
      metadata: { name: nodeName },
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    };
    const { context } = fakeContext({
      requests: [clientRequest(pem)],
      instances: [back],
      nodes: { [nodeName]: notReady },
      returns: new Map([[instanceId, now - 60_000]]),
    });
    const { decided } = await decideRequests(context);
    expect(decided).toMatchObject([{ verdict: { kind: 'later' } }]);
  });

  test('a return within the first half hour after the launch is read if the Node is not Ready', async () => {
    const launchedAt = now - 1_200_000;
    const notReady = {
      ...readyNode,
      metadata: { name: nodeName, creationTimestamp: new Date(launchedAt + 60_000).toISOString() },
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    };
    const { context, calls } = fakeContext({
      requests: [clientRequest(pem)],
      instances: [namedInstance({ launchedAt, rootVolumeAttachedAt: launchedAt })],
      nodes: { [nodeName]: notReady },
      returns: new Map([[instanceId, now - 60_000]]),
    });
    const { decided } = await decideRequests(context);
    expect(calls.returns).toBe(1);
    expect(decided).toMatchObject([{ verdict: { kind: 'approve' } }]);
  });
});

describe('a conflict is not decided by waiting', () => {
  const decidedAfter = (seconds: number) => {
    const launchedAt = now - seconds * 1000;
    return verdictOn(clientRequest(pem, { createdAt: launchedAt + 60_000 }), {
      instances: [instanceFacts({ launchedAt, rootVolumeAttachedAt: launchedAt })],
    });
  };
  test.each([
    [3600, 'approve'],
    [3601, 'later'],
    [86_400, 'later'],
  ])('the only request that is left, %i seconds after the launch: %s', (seconds, kind) => {
    expect(decidedAfter(seconds)).toMatchObject({ kind });
  });

  test('an operator must decide, and sees why', () => {
    expect(decidedAfter(4000).reason).toContain(
      'may have removed another key’s request: an operator decides',
    );
  });
});

describe('a certificate that outlived its instance is not renewed under a reused name', () => {
  const states = ['Terminating:Wait', 'ReplacingRootVolume:Wait', 'Standby', 'Warmed:Running'];
  const verdictsIn = async (lifecycleState: string, node: ReturnType<typeof nodeFacts> | undefined) => {
    const instances = [instanceFacts({ group: { ...group, lifecycleState } })];
    const requests = [
      clientRequest(pem, nodeUser()),
      servingRequest(await createPem({ dnsNames: [nodeName] })),
    ];
    return requests.map((request) => verdictOn(request, { instances, node }).kind);
  };
  const leftOver = nodeFacts({ instanceId: 'i-0bbbbbbbbbbbbbbb2', instanceState: 'terminated' });

  test.each(states)('in %s', async (state) => {
    expect(await verdictsIn(state, leftOver)).toEqual(['deny', 'deny']);
    expect(await verdictsIn(state, undefined)).toEqual(['later', 'later']);
    expect(await verdictsIn(state, nodeFacts({ instanceId: undefined }))).toEqual(['later', 'later']);
    expect(await verdictsIn(state, nodeFacts())).toEqual(['approve', 'approve']);
  });
});
