import { group, instanceFacts, nodeFacts, settings } from '../../../../local/world/certificates/facts.ts';
import { nodeName, nodeUser, now } from '../../../../local/world/certificates/requests.ts';
import { signers } from '../../../../shared/certificates/certificate-request.ts';
import {
  longAgo,
  named,
  oldInstance,
  onNode,
  otherName,
  ownName,
  type PeerCase,
  servingUsages,
  user,
} from './peer-case.ts';

const names = { dnsNames: [nodeName], ipAddresses: ['10.0.0.1'] };
const withSubject = (cn: string, o?: string) =>
  ({ by: 'serving', pem: { ...names, ...onNode(cn, o) } }) as const;
const byUser = (...parts: Parameters<typeof user>) => ({ ...user(...parts), by: 'serving' }) as const;

/** openshift/cluster-machine-approver: serving certificates. */
export const machineApproverServing: readonly PeerCase[] = [
  ['the name and the address of the machine', 'approves', { by: 'serving' }, 'approve approval'],
  ['a text that is cut', 'leaves', { by: 'serving', pem: '-----BEGIN??\n' }, 'deny request'],
  ['no machine of that name', 'leaves', { by: 'serving', world: { instances: [] } }, 'later situation'],
  [
    'no machine of that name, minutes later',
    'leaves',
    { by: 'serving', request: { createdAt: now - 400_000 }, world: { instances: [] } },
    'deny situation',
  ],
  [
    'a node without the group system:authenticated',
    'leaves',
    byUser(ownName, ['system:nodes']),
    'approve approval',
    'the API server adds that group to each user it has authenticated, so its absence proves nothing',
  ],
  ['a node without the group system:nodes', 'leaves', byUser(ownName), 'not-ours scope'],
  [
    'a node with a group more',
    'approves',
    byUser(ownName, ['system:authenticated', 'system:nodes', 'foo-bar']),
    'approve approval',
  ],
  [
    'a node with another group',
    'leaves',
    byUser(ownName, ['system:authenticated', 'system:foo-bar']),
    'not-ours scope',
  ],
  [
    'no key encipherment',
    'leaves',
    servingUsages('digital signature', 'server auth'),
    'approve approval',
    'kubelets of Kubernetes 1.27 and later omit it for keys that do not encipher',
  ],
  [
    'the usages of a client',
    'leaves',
    servingUsages('digital signature', 'key encipherment', 'client auth'),
    'deny form',
  ],
  ['no digital signature', 'leaves', servingUsages('key encipherment', 'server auth'), 'deny form'],
  ['no server authentication', 'leaves', servingUsages('digital signature', 'key encipherment'), 'deny form'],
  [
    'a usage more',
    'leaves',
    servingUsages('digital signature', 'key encipherment', 'server auth', 'signing'),
    'deny form',
  ],
  ['the name of another node', 'leaves', withSubject(`system:node:${otherName}`), 'deny subject'],
  ['a name without its prefix', 'leaves', withSubject(nodeName), 'deny form'],
  ['no organization', 'leaves', withSubject(ownName, ''), 'deny request'],
  ['an address more', 'leaves', named([nodeName], ['10.0.0.1', '99.0.1.1']), 'deny addresses'],
  ['another address', 'leaves', named([nodeName], ['10.0.0.2']), 'deny addresses'],
  ['another DNS name', 'leaves', named([otherName], ['10.0.0.1']), 'deny addresses'],
  ['a DNS name more', 'leaves', named([nodeName, otherName], ['10.0.0.1']), 'deny addresses'],
  ['localhost', 'leaves', named([nodeName], ['127.0.0.1']), 'deny addresses'],
  ['a wildcard', 'leaves', named(['*.eu-west-1.compute.internal']), 'deny addresses'],
  [
    'a renewal a day later',
    'approves',
    { by: 'serving', world: { instances: [oldInstance], node: nodeFacts({ createdAt: longAgo }) } },
    'approve approval',
  ],
  [
    'a renewal for another name',
    'leaves',
    { ...withSubject(`system:node:${otherName}`), world: { instances: [oldInstance] } },
    'deny subject',
  ],
  [
    'a renewal with the names of its certificate, although its machine is gone',
    'approves',
    {
      by: 'serving',
      request: { createdAt: now - 400_000 },
      world: { instances: [], node: nodeFacts({ instanceState: 'terminated' }) },
    },
    'deny situation',
    'an instance that EC2 no longer knows gets no certificate',
  ],
  ['no Node yet', 'leaves', { by: 'serving', world: { node: undefined } }, 'later situation'],
  [
    'a Node of another machine',
    'leaves',
    {
      by: 'serving',
      world: { node: nodeFacts({ instanceId: 'i-0bbbbbbbbbbbbbbb2', instanceState: 'running' }) },
    },
    'deny situation',
  ],
  [
    'an address of the machine for pods, which its Node lists',
    'approves',
    {
      by: 'serving',
      pem: { dnsNames: [nodeName], ipAddresses: ['10.0.0.7'] },
      world: { node: nodeFacts({ addresses: ['10.0.0.1', '10.0.0.7'] }) },
    },
    'approve approval',
  ],
  [
    'an address of the machine for pods, which its Node does not list',
    'approves',
    named([nodeName], ['10.0.0.7']),
    'later addresses',
    'a secondary address may belong to a pod',
  ],
  [
    'a machine that is being deleted',
    'approves',
    {
      by: 'serving',
      world: { instances: [instanceFacts({ group: { ...group, lifecycleState: 'Terminating:Wait' } })] },
    },
    'approve approval',
  ],
];

/** GKE's approver: serving certificates. */
export const gkeServing: readonly PeerCase[] = [
  ['the node itself', 'approves', { by: 'serving' }, 'approve approval'],
  ['no signer', 'leaves', { by: 'serving', request: { signerName: '' } }, 'not-ours scope'],
  ['the client signer', 'leaves', { by: 'serving', request: { signerName: signers.client } }, 'deny form'],
  ['the name mike', 'leaves', withSubject('mike'), 'deny form'],
  ['no organization', 'leaves', withSubject(ownName, ''), 'deny request'],
  ['the organization system:master', 'leaves', withSubject(ownName, 'O=system:master,'), 'deny form'],
  ['a user joe', 'leaves', byUser('joe'), 'not-ours scope'],
  ['a user without a name', 'denies', byUser(''), 'not-ours scope'],
  ['a user with the bare name of the instance', 'denies', byUser(nodeName), 'not-ours scope'],
  ['the name of another node', 'leaves', withSubject('system:node:bar'), 'deny subject'],
  [
    'both addresses of a dual-stack node',
    'approves',
    named([nodeName], ['10.0.0.1', '2001:db8::1']),
    'approve approval',
  ],
  [
    'an IPv6 address in long form',
    'approves',
    named([nodeName], ['2001:0db8:0:0:0:0:0:1']),
    'approve approval',
  ],
  [
    'no address',
    'denies',
    named([nodeName]),
    'approve approval',
    'each name that is asked for is checked, and none has to be asked for',
  ],
  [
    'an instance of another project',
    'denies',
    { by: 'serving', world: { instances: [instanceFacts({ accountId: '210987654321' })] } },
    'deny pins',
  ],
  [
    'an instance of another zone than ours',
    'denies',
    { by: 'serving', world: { settings: { ...settings, vpcId: 'vpc-0bbbbbbbbbbbbbbbb' } } },
    'later situation',
  ],
  ['another address', 'denies', named([nodeName], ['10.0.0.5']), 'deny addresses'],
  ['another name in the zone', 'denies', named([otherName, nodeName], ['10.0.0.1']), 'deny addresses'],
  [
    'the name in another domain',
    'denies',
    named(['ip-10-0-0-1.eu-west-1.c.internal'], ['10.0.0.1']),
    'deny addresses',
  ],
  ['another short name', 'denies', named([nodeName, 'ip-10-0-0-2'], ['10.0.0.1']), 'deny addresses'],
  [
    'its own short name',
    'approves',
    named([nodeName, 'ip-10-0-0-1'], ['10.0.0.1']),
    'deny addresses',
    'EC2 does not list a name without its domain, and a resolver with several search domains may find another host',
  ],
  [
    'its public address',
    'approves',
    named([nodeName], ['203.0.113.1']),
    'deny addresses',
    'public addresses need servingPublicAddresses',
  ],
  [
    'its public address, where that is allowed',
    'approves',
    { ...named([nodeName], ['203.0.113.1']), world: { settings: { ...settings, publicAddresses: true } } },
    'approve approval',
  ],
];

/** postfinance/kubelet-csr-approver, which knows only serving certificates. */
export const kubeletCsrApprover: readonly PeerCase[] = [
  ['the name and the address of the node', 'approves', { by: 'serving' }, 'approve approval'],
  [
    'another signer',
    'leaves',
    { by: 'serving', request: { signerName: 'example.com/not-kubelet-serving' } },
    'not-ours scope',
  ],
  ['a service account', 'leaves', byUser('system:serviceaccount:default:operator-init'), 'not-ours scope'],
  ['a common name that is not the user', 'denies', withSubject('funny-common-name'), 'deny form'],
  ['a user that is another node', 'denies', { by: 'serving', request: nodeUser(otherName) }, 'deny subject'],
  ['a DNS name of another company', 'denies', named(['fishing.example.com']), 'deny addresses'],
  ['the own name in another domain', 'denies', named(['ip-10-0-0-1.phishing.example.com']), 'deny addresses'],
  ['the own name as a prefix', 'denies', named([`${nodeName}.example.com`]), 'deny addresses'],
  [
    'a name that does not resolve',
    'denies',
    { ...named([nodeName]), world: { instances: [] } },
    'later situation',
  ],
  [
    'an address that the name does not resolve to',
    'denies',
    named([nodeName], ['9.9.9.9']),
    'deny addresses',
  ],
  ['368 days', 'denies', { by: 'serving', request: { expirationSeconds: 368 * 86_400 } }, 'deny lifetime'],
  [
    '367 days',
    'approves',
    { by: 'serving', request: { expirationSeconds: 367 * 86_400 } },
    'deny lifetime',
    'the bound is a year and a day',
  ],
  [
    'an IPv4 address outside the allowed ones',
    'denies',
    named([nodeName], ['10.0.0.1', '9.9.9.9']),
    'deny addresses',
  ],
  [
    'an IPv6 address outside the allowed ones',
    'denies',
    named([nodeName], ['2001:c0fe:beef::14']),
    'deny addresses',
  ],
  [
    'an IPv6 address outside the allowed ones, no DNS name',
    'denies',
    named([], ['2001:c0fe:beef::14']),
    'deny addresses',
  ],
  ['an IPv4 address inside an IPv6 one', 'denies', named([nodeName], ['::ffff:10.0.0.1']), 'deny addresses'],
  ['neither name nor address', 'denies', named([]), 'deny form'],
  [
    'two DNS names',
    'denies',
    named([nodeName, 'i-0aaaaaaaaaaaaaaa1']),
    'approve approval',
    'both are names of the instance, and each is checked',
  ],
  [
    'an e-mail address',
    'denies',
    { by: 'serving', pem: { ...names, emails: ['a@example.com'] } },
    'deny form',
  ],
  ['a URI', 'denies', { by: 'serving', pem: { ...names, uris: ['https://example.com'] } }, 'deny form'],
];
