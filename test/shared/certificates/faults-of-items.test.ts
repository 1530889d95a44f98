import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeContext, namedInstance } from '../../../local/world/certificates/context.ts';
import { clientRequest, createPem, now } from '../../../local/world/certificates/requests.ts';
import { decideRequests } from '../../../shared/certificates/decide-requests.ts';
import { createRequestDecider } from '../../../shared/certificates/decider.ts';
import { type Behaviour, behave, behaviours, finished } from '../../support/item-faults.ts';

const most = 12;
const nameOf = (index: number): string => `ip-10-0-1-${index}.eu-west-1.compute.internal`;
const idOf = (index: number): string => `i-${index.toString(16).padStart(17, '0')}`;
const pems = await Promise.all(
  Array.from({ length: most }, (_, index) =>
    createPem({ subject: `O=system:nodes,CN=system:node:${nameOf(index)}` }),
  ),
);

/** A launching instance for each behaviour, with its request. What is not listed by its group is in a warm pool. */
function createWorld(count: number, { areListed = true } = {}) {
  const clock = createVirtualClock(now);
  const instances = Array.from({ length: count }, (_, index) =>
    namedInstance({ instanceId: idOf(index), nodeNames: [nameOf(index), idOf(index)] }),
  );
  const requests = pems.slice(0, count).map((pem, index) => clientRequest(pem, { name: `csr-${index}` }));
  const { context, written } = fakeContext({ requests, instances, ...(!areListed && { members: [] }) });
  return { context: { ...context, clock }, written, clock };
}

const answering = (given: readonly Behaviour[]): readonly number[] =>
  [...given.keys()].filter((index) => given[index] === 'answers');
const indexOfName = (name: string): number => Number(/^ip-10-0-1-(\d+)\./.exec(name)?.[1]);

describe('a run of which single calls fail or hang', () => {
  it('decides every request whose Node can be read, and names the others', async () => {
    await fc.assert(
      fc.asyncProperty(behaviours(most), async (ofNodes) => {
        const { context, written, clock } = createWorld(ofNodes.length);
        const getNode = (name: string) => behave(ofNodes[indexOfName(name)], () => undefined);
        const report = await finished(
          clock,
          decideRequests({ ...context, cluster: { ...context.cluster, getNode } }),
        );
        expect([...written.keys()].toSorted()).toEqual(
          answering(ofNodes)
            .map((index) => `csr-${index}`)
            .toSorted(),
        );
        expect(report.failures.map(({ item }) => item).toSorted()).toEqual(
          [...ofNodes.keys()]
            .filter((index) => ofNodes[index] !== 'answers')
            .map((index) => `the requests for ${nameOf(index)}`)
            .toSorted(),
        );
      }),
      { numRuns: 20 },
    );
  });

  it('writes every other verdict, and names the requests whose write failed', async () => {
    await fc.assert(
      fc.asyncProperty(behaviours(most), async (ofWrites) => {
        const { context, written, clock } = createWorld(ofWrites.length);
        const approveOrDeny: typeof context.cluster.approveOrDeny = (request, approval) =>
          behave(ofWrites[Number(request.name.slice('csr-'.length))], () =>
            context.cluster.approveOrDeny(request, approval),
          );
        const report = await finished(
          clock,
          decideRequests({ ...context, cluster: { ...context.cluster, approveOrDeny } }),
        );
        expect(written.size).toBe(answering(ofWrites).length);
        expect(report.decided.filter(({ outcome }) => outcome === 'failed')).toHaveLength(
          ofWrites.length - written.size,
        );
        expect(report.failures).toHaveLength(ofWrites.length - written.size);
      }),
      { numRuns: 20 },
    );
  });

  it('decides the requests of every instance whose group can be read', async () => {
    await fc.assert(
      fc.asyncProperty(behaviours(most), async (ofGroups) => {
        const { context, written, clock } = createWorld(ofGroups.length, { areListed: false });
        const describeInstance: typeof context.autoScaling.describeInstance = (instanceId) =>
          behave(ofGroups[Number.parseInt(instanceId.slice(2), 16)], () => ({
            instanceId,
            autoScalingGroupName: 'workers',
            lifecycleState: 'Pending:Wait',
            availabilityZone: 'eu-west-1a',
            healthy: true,
          }));
        const report = await finished(
          clock,
          decideRequests({ ...context, autoScaling: { ...context.autoScaling, describeInstance } }),
        );
        expect(written.size).toBe(answering(ofGroups).length);
        expect(report.failures).toHaveLength(ofGroups.length - written.size);
      }),
      { numRuns: 20 },
    );
  });

  it('delays a request whose group cannot tell when instances returned', async () => {
    const { context, written } = createWorld(1);
    const old = { launchedAt: now - 90_000_000, rootVolumeAttachedAt: now - 90_000_000 };
    const find = async (names: readonly string[]) =>
      (await context.instances.find(names)).map((instance) => ({ ...instance, ...old }));
    const report = await decideRequests({
      ...context,
      instances: { ...context.instances, find },
      returnsOf: () => Promise.reject(new Error('Throttling')),
    });
    expect(written.size).toBe(0);
    expect(report.failures).toMatchObject([
      { error: { message: 'the activities of group workers cannot be read: Throttling' } },
    ]);
  });

  it('delays a request if EC2 cannot tell the state of the instance that its Node names', async () => {
    const { context, written } = createWorld(2);
    const report = await decideRequests({
      ...context,
      cluster: {
        ...context.cluster,
        getNode: async (name) =>
          name === nameOf(0)
            ? { metadata: { name }, spec: { providerID: 'aws:///eu-west-1a/i-0fffffffffffffff1' } }
            : undefined,
      },
      instances: { ...context.instances, findByIds: () => Promise.reject(new Error('RequestLimitExceeded')) },
    });
    expect([...written.keys()]).toEqual(['csr-1']);
    expect(report.failures).toMatchObject([
      {
        item: `the requests for ${nameOf(0)}`,
        error: { message: expect.stringContaining('i-0fffffffffffffff1') },
      },
    ]);
  });
});

it('the decider of a joining pass rejects only for the instance that cannot be judged', async () => {
  const { context, written } = createWorld(2);
  const getNode = async (name: string) => {
    if (name === nameOf(0)) throw new Error('Forbidden');
    return undefined;
  };
  const decider = createRequestDecider({ ...context, cluster: { ...context.cluster, getNode } });
  const [first, second] = await Promise.allSettled(
    [0, 1].map((index) =>
      decider.decideRequestsOf({ instanceId: idOf(index), privateDnsName: nameOf(index) }),
    ),
  );
  expect(first).toMatchObject({
    status: 'rejected',
    reason: { message: 'its Node cannot be read: Forbidden' },
  });
  expect(second).toMatchObject({ status: 'fulfilled', value: { decided: [{ outcome: 'written' }] } });
  expect([...written.keys()]).toEqual(['csr-1']);
});
