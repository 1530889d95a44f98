import * as fc from 'fast-check';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { signers } from '../../../shared/certificates/certificate-request.ts';
import type { Approvals } from '../../../shared/certificates/other-approvers.ts';
import {
  approverProblems,
  type CertificateHolder,
  holdersIn,
  outsideGroups,
} from '../../../shared/problems/approver-problems.ts';
import type { JudgedRequest } from '../../../shared/problems/certificate-problems.ts';

const at = Date.UTC(2026, 10, 28, 12);
const minutesAgo = (minutes: number): number => at - minutes * 60_000;

const holder = (parts: Partial<CertificateHolder> = {}): CertificateHolder => ({
  name: 'master-1',
  instanceId: undefined,
  isControlPlane: true,
  isByHand: false,
  notReadySince: undefined,
  ...parts,
});

const nobody: Approvals = { drover: true, client: false, clientOf: new Set(), serving: false };

const request = (parts: Partial<JudgedRequest> = {}): JudgedRequest => ({
  name: 'csr-1',
  signerName: signers.client,
  nodeName: 'master-1',
  createdAt: minutesAgo(60),
  verdict: 'not-ours',
  reason: 'it is in no managed group',
  ...parts,
});

interface Seen {
  readonly node?: Partial<CertificateHolder>;
  readonly approvals?: Partial<Approvals>;
  readonly requests?: readonly JudgedRequest[];
  readonly managed?: readonly { readonly autoScalingGroupName: string }[];
}

const found = ({
  node,
  approvals,
  requests = [],
  managed = [{ autoScalingGroupName: 'workers' }],
}: Seen = {}) =>
  approverProblems(
    { outside: [holder(node)], approvals: { ...nobody, ...approvals } },
    { requests, managed, at },
  );

describe('a Node outside managed groups', () => {
  it('is a problem while nothing approves its next client certificate, with the plan that binds an approver', () => {
    expect(found()).toEqual([
      {
        kind: 'no-approver',
        subject: 'master-1',
        since: undefined,
        message:
          'this control plane is in no managed group, and nothing approves its next client certificate: it is NotReady once the present one expires, within a year',
        command: 'drover adopt workers --plan',
      },
    ]);
    expect(found({ managed: [] })[0]?.command).toBe('drover adopt GROUP --plan');
    expect(found({ node: { isControlPlane: false } })[0]?.message).toMatch(/^it is in no managed group/);
  });

  it('is none while something else approves for all Nodes or for this one, or the operator does', () => {
    expect(found({ approvals: { client: true } })).toEqual([]);
    expect(found({ approvals: { clientOf: new Set(['master-1']) } })).toEqual([]);
    expect(found({ approvals: { clientOf: new Set(['master-2']) } })).toHaveLength(1);
    expect(found({ node: { isByHand: true } })).toEqual([]);
  });

  it('is none while the cluster has not allowed Drover to approve: nothing was handed over', () => {
    expect(found({ approvals: { drover: false } })).toEqual([]);
    expect(
      approverProblems({ outside: [], approvals: undefined }, { requests: [request()], managed: [], at }),
    ).toEqual([]);
  });

  // scality/metalk8s#2937: the kubelet asked again and again, and the first sign was its end after 365 days.
  it('names the request that waits, and since when', () => {
    const requests = [request({ name: 'csr-2', createdAt: minutesAgo(30) }), request()];
    expect(found({ requests })).toMatchObject([
      {
        since: '2026-11-28T11:00:00.000Z',
        message: expect.stringContaining('certificate request csr-1 has waited for 1h'),
        command: 'drover adopt workers --plan',
      },
    ]);
  });

  // openshift/hypershift#547: certificates that were approved by hand once were forgotten at their rotation.
  it('that is exempted is a problem while its request waits for its operator', () => {
    expect(found({ node: { isByHand: true }, requests: [request()] })).toMatchObject([
      {
        since: '2026-11-28T11:00:00.000Z',
        message: 'you approve its certificates by hand, and certificate request csr-1 has waited for 1h',
        command: 'drover csr explain csr-1',
      },
    ]);
    const young = [request({ createdAt: minutesAgo(10) })];
    expect(found({ node: { isByHand: true }, requests: young })).toEqual([]);
  });

  // kubernetes/kubernetes#73356, devantler-tech/ksail#4322: with kubeadm’s approval only, kubectl logs fails.
  it('that asks for a serving certificate is a problem, although its client certificate is renewed', () => {
    const requests = [request({ signerName: signers.serving })];
    expect(found({ approvals: { client: true }, requests })).toMatchObject([
      { message: expect.stringContaining('its serving certificate'), command: 'drover csr explain csr-1' },
    ]);
    expect(found({ approvals: { client: true, serving: true }, requests })).toEqual([]);
    expect(found({ approvals: { client: true }, requests: [request()] })).toEqual([]);
  });

  it('is not judged by requests of others, or that are named already', () => {
    const byHand = { node: { isByHand: true } };
    expect(found({ ...byHand, requests: [request({ nodeName: 'master-2' })] })).toEqual([]);
    expect(found({ ...byHand, requests: [request({ nodeName: undefined })] })).toEqual([]);
    expect(found({ ...byHand, requests: [request({ verdict: 'later' })] })).toEqual([]);
    expect(found({ ...byHand, requests: [request({ createdAt: Number.NaN })] })).toEqual([]);
  });
});

const node = (parts: Partial<Node> = {}): Node => ({ metadata: { name: 'n' }, ...parts });
const silentSince = (minutes: number): Node['status'] => ({
  conditions: [
    { type: 'Ready', status: 'Unknown', lastTransitionTime: new Date(minutesAgo(minutes)).toISOString() },
  ],
});
const ofGroup = (ids: readonly string[], role = 'worker') => ({
  tags: { 'drover.dev/role': role },
  instances: ids.map((instanceId) => ({
    instanceId,
    lifecycleState: 'InService',
    availabilityZone: 'eu-central-1a',
    healthy: true,
  })),
});
const otherId = 'i-0fffffffffffffff0';
const other = (id = otherId): Node => ({
  metadata: { name: 'other' },
  spec: { providerID: `aws:///eu-central-1a/${id}` },
});

/** Beside a Node of a managed group. */
const outside = (one: Node, ids: readonly string[] = []): readonly string[] =>
  outsideGroups(holdersIn([one, other()]), [ofGroup([...ids, otherId])], at).map(({ name }) => name);

describe('the Nodes outside managed groups', () => {
  it('are those whose instance no managed group lists, and those without a providerID', () => {
    const ours = node({ spec: { providerID: 'aws:///eu-central-1a/i-0123456789abcdef0' } });
    expect(outside(ours, ['i-0123456789abcdef0'])).toEqual([]);
    expect(outside(ours, ['i-00000000000000001'])).toEqual(['n']);
    expect(outside(node(), ['i-0123456789abcdef0'])).toEqual(['n']);
    expect(outside(node({ spec: { providerID: 'kind://docker/kind/n' } }))).toEqual(['n']);
  });

  it('are none if the groups and the Nodes are of two clusters: a mistyped name, or another kubeconfig', () => {
    const holders = holdersIn([node(), other()]);
    expect(outsideGroups(holders, [], at)).toEqual([]);
    expect(outsideGroups(holders, [ofGroup(['i-00000000000000001'])], at)).toEqual([]);
    expect(outsideGroups(holders, [ofGroup([])], at)).toHaveLength(2);
    expect(outsideGroups(holders, [ofGroup(['i-00000000000000001'], 'etcd')], at)).toHaveLength(2);
  });

  // kubernetes/kubernetes#102556: a control plane whose kubelet fell silent because its certificate had expired.
  it('include one that is silent for an hour, and not one that has just fallen silent: its instance may be gone', () => {
    expect(outside(node({ status: silentSince(5) }))).toEqual([]);
    expect(outside(node({ status: silentSince(61) }))).toEqual(['n']);
    const broken = { conditions: [{ type: 'Ready', status: 'Unknown', lastTransitionTime: 'soon' }] };
    expect(outside(node({ status: broken }))).toEqual(['n']);
  });

  it('are exempted only by the exact annotation', () => {
    const spelling = fc.oneof(
      fc.mixedCase(fc.constant('by-hand')),
      fc.constantFrom('by-hand ', 'by_hand', 'true', '', 'x'.repeat(70_000)),
      fc.string(),
    );
    fc.assert(
      fc.property(spelling, (value) => {
        const [one] = holdersIn([
          node({ metadata: { name: 'n', annotations: { 'drover.dev/certificates': value } } }),
        ]);
        expect(one?.isByHand).toBe(value === 'by-hand');
      }),
    );
    const misspelt = { name: 'n', annotations: { 'drover.dev/Certificates': 'by-hand' } };
    expect(holdersIn([node({ metadata: misspelt })])[0]?.isByHand).toBe(false);
  });
});

it('each Node outside is a problem exactly if neither an approver nor its operator is there, whatever else is known', () => {
  const requests = fc.array(
    fc.record({
      nodeName: fc.constantFrom('a', 'b', undefined),
      age: fc.constantFrom(0, 14, 16, 500_000),
      signerName: fc.constantFrom(...Object.values(signers)),
    }),
  );
  fc.assert(
    fc.property(
      fc.record({ client: fc.boolean(), serving: fc.boolean(), drover: fc.boolean() }),
      fc.boolean(),
      requests,
      (approvals, isByHand, asked) => {
        const judged = asked.map(({ nodeName, age, signerName }) =>
          request({ nodeName, signerName, createdAt: minutesAgo(age) }),
        );
        const waits = asked.some(
          ({ nodeName, age, signerName }) =>
            nodeName === 'a' &&
            age > 15 &&
            !(signerName === signers.serving ? approvals.serving : approvals.client),
        );
        const problems = found({ node: { name: 'a', isByHand }, approvals, requests: judged });
        const wanted = approvals.drover && (waits || (!isByHand && !approvals.client));
        expect(problems.map(({ subject }) => subject)).toEqual(wanted ? ['a'] : []);
      },
    ),
  );
});
