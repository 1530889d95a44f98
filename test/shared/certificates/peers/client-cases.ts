import { instanceFacts, settings } from '../../../../local/world/certificates/facts.ts';
import { instanceUser, now } from '../../../../local/world/certificates/requests.ts';
import { signers } from '../../../../shared/certificates/certificate-request.ts';
import { kubeletUsages, onNode, otherName, ownName, type PeerCase, user } from './peer-case.ts';

const decided = (type: string) => ({
  conditions: [{ type, status: 'True', reason: 'ByHand', message: '', at: now }],
});
const all = ['key encipherment', 'digital signature', 'client auth'];
const rsa = (modulusLength: number) => ({
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength,
});

/** kubernetes/kubernetes: the approver of kube-controller-manager, and what its signers require. */
export const kubernetesClient: readonly PeerCase[] = [
  ['no usages', 'leaves', kubeletUsages(), 'deny form'],
  ['no usage of an authentication', 'leaves', kubeletUsages(all[0] ?? '', all[1] ?? ''), 'deny form'],
  [
    'the usages of a server',
    'leaves',
    kubeletUsages('key encipherment', 'digital signature', 'server auth'),
    'deny form',
  ],
  ['the usages of a client', 'approves', kubeletUsages(...all), 'approve approval'],
  [
    'without key encipherment',
    'approves',
    kubeletUsages('digital signature', 'client auth'),
    'approve approval',
  ],
  ['the usages of client and server', 'leaves', kubeletUsages(...all, 'server auth'), 'deny form'],
  ['any usage', 'leaves', kubeletUsages('any'), 'deny form'],
  ['a usage twice', 'leaves', kubeletUsages(...all, 'client auth'), 'deny form'],
  ['a usage in capitals', 'leaves', kubeletUsages('Digital Signature', 'Client Auth'), 'deny form'],
  [
    'a common name that is not the name of a node',
    'leaves',
    { by: 'token', pem: onNode('mike') },
    'deny form',
  ],
  ['no common name', 'leaves', { by: 'token', pem: { subject: 'O=system:nodes' } }, 'deny request'],
  ['no organization', 'leaves', { by: 'token', pem: onNode(ownName, '') }, 'deny request'],
  [
    'the organization system:master',
    'leaves',
    { by: 'token', pem: onNode(ownName, 'O=system:master,') },
    'deny form',
  ],
  [
    'the organization system:masters',
    'leaves',
    { by: 'token', pem: onNode(ownName, 'O=system:masters,') },
    'deny form',
  ],
  [
    'a second organization',
    'leaves',
    { by: 'token', pem: onNode(ownName, 'O=system:nodes,O=system:masters,') },
    'deny request',
  ],
  [
    'a user joe, who may create node certificates',
    'approves',
    user('joe'),
    'not-ours scope',
    'who has no credential of Drover is left to other approvers',
  ],
  ['a node, for itself', 'approves', { by: 'node' }, 'approve approval'],
  [
    'a node, for another node',
    'leaves',
    { by: 'node', pem: onNode(`system:node:${otherName}`) },
    'deny subject',
  ],
  ['a DNS name', 'leaves', { by: 'token', pem: { dnsNames: [otherName] } }, 'deny form'],
  ['an address', 'leaves', { by: 'token', pem: { ipAddresses: ['10.0.0.1'] } }, 'deny form'],
  ['an e-mail address', 'leaves', { by: 'token', pem: { emails: ['a@example.com'] } }, 'deny form'],
  ['a URI', 'leaves', { by: 'token', pem: { uris: ['spiffe://example.com/a'] } }, 'deny form'],
  [
    'the signer of API clients',
    'leaves',
    { by: 'token', request: { signerName: 'kubernetes.io/kube-apiserver-client' } },
    'not-ours scope',
  ],
  [
    'the legacy signer',
    'leaves',
    { by: 'token', request: { signerName: 'kubernetes.io/legacy-unknown' } },
    'not-ours scope',
  ],
  [
    'the signer of kubelets in capitals',
    'leaves',
    { by: 'token', request: { signerName: signers.client.toUpperCase() } },
    'not-ours scope',
  ],
  ['one that is approved', 'leaves', { by: 'token', request: decided('Approved') }, 'not-ours scope'],
  ['one that is denied', 'leaves', { by: 'token', request: decided('Denied') }, 'not-ours scope'],
  ['one whose signer failed', 'leaves', { by: 'token', request: decided('Failed') }, 'not-ours scope'],
  [
    'one with a certificate and no condition',
    'leaves',
    { by: 'token', request: { over: 'its certificate is issued' } },
    'not-ours scope',
  ],
  [
    'one that is being deleted',
    'leaves',
    { by: 'token', request: { over: 'it is being deleted' } },
    'not-ours scope',
  ],
  ['a text that is not PEM', 'leaves', { by: 'token', pem: 'certificate' }, 'deny request'],
  ['an RSA key of 2048 bits', 'approves', { by: 'token', pem: { algorithm: rsa(2048) } }, 'approve approval'],
  [
    'an RSA key of 1024 bits',
    'approves',
    { by: 'token', pem: { algorithm: rsa(1024) } },
    'deny key',
    'such a key can be factored within the life of the certificate',
  ],
  [
    'an Ed25519 key',
    'approves',
    { by: 'token', pem: { algorithm: { name: 'Ed25519' } } },
    'approve approval',
  ],
];

/** GKE's approver (kubernetes/cloud-provider-gcp). Its proof by a TPM is compared with a credential that names the instance. */
export const gkeClient: readonly PeerCase[] = [
  ['the bootstrap user', 'approves', { by: 'token' }, 'approve approval'],
  ['the bootstrap user, no signer', 'leaves', { by: 'token', request: { signerName: '' } }, 'not-ours scope'],
  [
    'the bootstrap user, the serving signer',
    'leaves',
    { by: 'token', request: { signerName: signers.serving } },
    'deny form',
  ],
  [
    'the bootstrap user, server usages',
    'leaves',
    kubeletUsages('digital signature', 'server auth'),
    'deny form',
  ],
  ['the bootstrap user, the name mike', 'leaves', { by: 'token', pem: onNode('mike') }, 'deny form'],
  ['proof of the instance', 'approves', { by: 'instance' }, 'approve approval'],
  [
    'proof of the instance, no signer',
    'leaves',
    { by: 'instance', request: { signerName: '' } },
    'not-ours scope',
  ],
  [
    'proof of the instance, serving signer',
    'leaves',
    { by: 'instance', request: { signerName: signers.serving } },
    'deny form',
  ],
  ['proof by a user awly', 'leaves', { by: 'instance', request: { username: 'awly' } }, 'not-ours scope'],
  ['proof with a part missing', 'leaves', { by: 'instance', request: { extra: {} } }, 'not-ours scope'],
  [
    'proof that cannot be read',
    'leaves',
    { by: 'instance', request: { extra: { 'drover.dev/instance-id': ['invalid'] } } },
    'not-ours scope',
  ],
  [
    'proof twice',
    'leaves',
    {
      by: 'instance',
      request: { extra: { 'drover.dev/instance-id': ['i-0aaaaaaaaaaaaaaa1', 'i-0bbbbbbbbbbbbbbb2'] } },
    },
    'not-ours scope',
  ],
  [
    'proof of another instance than the name has',
    'denies',
    { by: 'instance', request: instanceUser('i-0bbbbbbbbbbbbbbb2') },
    'deny credential',
  ],
  ['proof, the name awly', 'denies', { by: 'instance', pem: onNode('awly') }, 'deny form'],
  ['proof, no organization', 'leaves', { by: 'instance', pem: onNode(ownName, '') }, 'deny request'],
  [
    'proof, the organization system:master',
    'leaves',
    { by: 'instance', pem: onNode(ownName, 'O=system:master,') },
    'deny form',
  ],
  [
    'an instance of another project',
    'denies',
    { by: 'instance', world: { instances: [instanceFacts({ accountId: '210987654321' })] } },
    'deny pins',
  ],
  [
    'an instance outside the node pools',
    'denies',
    { by: 'instance', world: { instances: [instanceFacts({ group: undefined })] } },
    'not-ours situation',
  ],
  [
    'an instance that claims a group by its tag',
    'denies',
    { by: 'instance', world: { instances: [instanceFacts({ groupTag: 'others' })] } },
    'deny pins',
  ],
  [
    'an instance that does not exist',
    'leaves',
    { by: 'instance', world: { instances: [] } },
    'later situation',
  ],
  [
    'the same, minutes later',
    'leaves',
    { by: 'instance', request: { createdAt: now - 400_000 }, world: { instances: [] } },
    'deny situation',
  ],
  [
    'an instance in another location',
    'leaves',
    { by: 'instance', world: { settings: { ...settings, vpcId: 'vpc-0bbbbbbbbbbbbbbbb' } } },
    'later situation',
  ],
];
