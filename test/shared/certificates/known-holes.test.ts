import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
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
import type { CertificateRequest } from '../../../shared/certificates/certificate-request.ts';
import { decideAll, listedRequest } from '../../../shared/certificates/decide.ts';
import type { InstanceFacts, NodeFacts } from '../../../shared/certificates/facts.ts';
import { requestText } from '../../../shared/certificates/read-request.ts';

interface Hole {
  readonly approver: string;
  readonly hole: string;
  /** The verdict that closes it, and the check that gives it. */
  readonly closedBy: { readonly check: string; readonly kind: string };
  readonly request: () => Promise<CertificateRequest>;
  readonly instances?: readonly InstanceFacts[];
  readonly node?: NodeFacts;
  /** Other pending requests. */
  readonly beside?: () => Promise<readonly CertificateRequest[]>;
}

const serving = async (names: object, changes: Partial<CertificateRequest> = {}) =>
  servingRequest(await createPem(names), changes);
const client = async (changes: Partial<CertificateRequest> = {}, subject?: string) =>
  clientRequest(await createPem(subject === undefined ? {} : { subject }), changes);

const junkRequests = async (): Promise<readonly CertificateRequest[]> => {
  const junk = await client({}, 'O=system:nodes,CN=system:node:no-such-instance');
  return Array.from({ length: 200 }, (_, place) => ({
    ...junk,
    name: `junk-${place}`,
    uid: `junk-${place}`,
    createdAt: now - 60_000,
  }));
};

const holes: readonly Hole[] = [
  {
    approver: 'kube-aws-approver',
    hole: 'approves every request that it can parse',
    closedBy: { check: 'form', kind: 'deny' },
    request: () => client({}, 'O=system:masters,CN=admin'),
  },
  {
    approver: 'kubelet-rubber-stamp',
    hole: 'leaves the values of alternative names unchecked',
    closedBy: { check: 'addresses', kind: 'deny' },
    request: () => serving({ dnsNames: ['kubernetes.default.svc'] }),
    node: nodeFacts(),
  },
  {
    approver: 'kubelet-csr-approver',
    hole: "takes a DNS name that begins with the node's name",
    closedBy: { check: 'addresses', kind: 'deny' },
    request: () => serving({ dnsNames: [`${nodeName}-evil.example.org`] }),
    node: nodeFacts(),
  },
  {
    approver: 'kubelet-csr-approver',
    hole: 'takes any address of the network where only addresses are asked for',
    closedBy: { check: 'addresses', kind: 'deny' },
    request: () => serving({ ipAddresses: ['10.0.0.200'] }),
    node: nodeFacts({ addresses: ['10.0.0.200'] }),
  },
  {
    approver: 'cluster-machine-approver',
    hole: 'takes client auth as a third usage of a serving certificate',
    closedBy: { check: 'form', kind: 'deny' },
    request: () =>
      serving({ dnsNames: [nodeName] }, { usages: ['digital signature', 'server auth', 'client auth'] }),
    node: nodeFacts(),
  },
  {
    approver: 'cluster-machine-approver',
    hole: 'drops a request that cannot be decided yet (#40)',
    closedBy: { check: 'situation', kind: 'later' },
    request: () => client(),
    instances: [],
  },
  {
    approver: 'cluster-machine-approver',
    hole: 'stops all approvals when many requests are pending (#310)',
    closedBy: { check: 'approval', kind: 'approve' },
    request: () => client(),
    beside: junkRequests,
  },
  {
    approver: 'OpenShift 3.11',
    hole: 'looks at the name of the user only',
    closedBy: { check: 'scope', kind: 'not-ours' },
    request: () => client({ ...nodeUser(), groups: ['system:authenticated'] }),
    node: nodeFacts(),
  },
  {
    approver: 'kube-controller-manager',
    hole: 'asks only whether the requester may have a certificate, not which instance it is',
    closedBy: { check: 'credential', kind: 'deny' },
    request: () => client(instanceUser('i-0bbbbbbbbbbbbbbb2')),
  },
];

test.each(holes)(
  '$approver $hole: closed by the check $closedBy.check',
  async ({ request, closedBy, instances = [instanceFacts()], node, beside }) => {
    const asked = await request();
    const decisions = decideAll({
      requests: [...((await beside?.()) ?? []), asked].map((one) => listedRequest(one, requestText(one.pem))),
      instancesOf: (name) => (name === nodeName ? instances : []),
      nodeOf: (name) => (name === nodeName ? node : undefined),
      settings,
      now,
    });
    const own = decisions.find((decision) => decision.request === asked);
    expect(own?.verdict, own?.verdict.reason).toMatchObject(closedBy);
  },
);

test('docs/certificates.md lists exactly these holes', async () => {
  const docs = await readFile('docs/certificates.md', 'utf8');
  const [, section = ''] = docs.split('## Known holes of other approvers\n');
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  expect(rows.slice(1)).toEqual(
    holes.map(
      ({ approver, hole, closedBy: { check, kind } }) =>
        `| ${approver} | ${hole} | ${check} | ${kind.replace('-', ' ')} |`,
    ),
  );
});
