import { group, instanceFacts, nodeFacts } from '../../../../local/world/certificates/facts.ts';
import { now, tokenUser } from '../../../../local/world/certificates/requests.ts';
import { kubeletUsages, oldInstance, onNode, ownName, type PeerCase, ready, user } from './peer-case.ts';

const all = ['key encipherment', 'digital signature', 'client auth'];

/** openshift/cluster-machine-approver: client certificates. Its Machine is our instance. */
export const machineApproverClient: readonly PeerCase[] = [
  ['a new machine', 'approves', { by: 'token' }, 'approve approval'],
  [
    'a new machine beside another',
    'approves',
    { by: 'token', world: { instances: [instanceFacts()] } },
    'approve approval',
  ],
  [
    'a second organization',
    'leaves',
    { by: 'token', pem: onNode(ownName, 'O=system:nodes,O=bamboo,') },
    'deny request',
  ],
  ['a DNS name', 'leaves', { by: 'token', pem: { dnsNames: ['banana'] } }, 'deny form'],
  ['a usage more', 'leaves', kubeletUsages(...all, 'server auth'), 'deny form'],
  [
    'another usage',
    'leaves',
    kubeletUsages('key encipherment', 'digital signature', 'server auth'),
    'deny form',
  ],
  ['a usage less', 'leaves', kubeletUsages('key encipherment', 'client auth'), 'deny form'],
  ['a name without its prefix', 'leaves', { by: 'token', pem: onNode('zebra') }, 'deny form'],
  ['a name that is empty', 'leaves', { by: 'token', pem: onNode('system:node:') }, 'deny form'],
  ['a name with a slash', 'leaves', { by: 'token', pem: onNode('system:node:a/b') }, 'deny form'],
  ['a name in capitals', 'leaves', { by: 'token', pem: onNode('system:node:PANDA') }, 'deny form'],
  [
    'another service account',
    'leaves',
    user('system:serviceaccount:machines:node-bootstrapper-not'),
    'not-ours scope',
  ],
  [
    'a user that is nearly a token',
    'leaves',
    user('system:bootstrap:abcdefg', tokenUser.groups),
    'not-ours scope',
  ],
  [
    'a token without its role',
    'leaves',
    user(tokenUser.username, ['system:bootstrappers', 'system:authenticated']),
    'not-ours scope',
  ],
  [
    'a group more',
    'leaves',
    user(tokenUser.username, [...tokenUser.groups, 'extra-group']),
    'approve approval',
    'the Secret of a token may give more groups, as kubeadm needs; the verdict depends on those of Drover',
  ],
  ['a Node exists', 'leaves', { by: 'token', world: ready }, 'conflict situation'],
  [
    'a Node exists that is not Ready',
    'leaves',
    { by: 'token', world: { node: nodeFacts({ isReady: false }) } },
    'later situation',
  ],
  [
    'a machine whose Node has another name',
    'leaves',
    { by: 'token', world: { otherNode: { name: 'other', isReady: true } } },
    'conflict situation',
  ],
  [
    'a name that only a public address has',
    'leaves',
    { by: 'token', world: { instances: [] } },
    'later situation',
  ],
  [
    'a name that two machines have',
    'leaves',
    {
      by: 'token',
      world: { instances: [instanceFacts(), instanceFacts({ instanceId: 'i-0bbbbbbbbbbbbbbb2' })] },
    },
    'later situation',
  ],
  [
    'a machine that is older than the window',
    'leaves',
    { by: 'token', world: { instances: [oldInstance] } },
    'later situation',
  ],
  [
    'a request before its machine',
    'leaves',
    { by: 'token', request: { createdAt: now - 600_000 } },
    'deny situation',
  ],
  [
    'a request seconds before its machine',
    'approves',
    { by: 'token', request: { createdAt: now - 122_000 } },
    'later situation',
    'ten minutes of tolerance let a thief ask for every address in advance: up to 5 s wait for an operator',
  ],
  [
    'a machine that is being deleted',
    'leaves',
    {
      by: 'token',
      world: { instances: [instanceFacts({ group: { ...group, lifecycleState: 'Terminating:Wait' } })] },
    },
    'deny situation',
  ],
  [
    'a machine that is stopped',
    'leaves',
    { by: 'token', world: { instances: [instanceFacts({ state: 'stopped' })] } },
    'later situation',
  ],
  [
    'a machine of a control plane, with the token of workers',
    'approves',
    { by: 'token', world: { instances: [instanceFacts({ group: { ...group, role: 'control-plane' } })] } },
    'deny credential',
    'a credential is for the roles that it names',
  ],
  [
    'a lifetime of a year',
    'approves',
    { by: 'token', request: { expirationSeconds: 366 * 86_400 } },
    'approve approval',
  ],
];
