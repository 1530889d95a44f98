import { memberHost, peerUrl } from '../../../shared/etcd/names.ts';
import { peerCommonName } from '../../pki/layout.ts';
import { type AdoptionObservation, hexadecimal, type PortCertificate, wordsOf } from './observation.ts';
import type { AdoptionStep, PlacedMember } from './plan.ts';

const health = 'etcdctl endpoint health --cluster   # go on only if every member is healthy';

/** An update of its URL makes etcd forget that a member is a learner, which then can never be promoted (etcd-io/etcd#21694). */
export const learnerSteps = (members: readonly PlacedMember[]): readonly AdoptionStep[] =>
  members
    .filter(({ member }) => member.isLearner)
    .map(({ member }) => ({
      id: `promote/${hexadecimal(member.id)}`,
      member: hexadecimal(member.id),
      subject: wordsOf(member),
      is: 'a learner',
      shall: 'a voter',
      risk: 'etcd refuses it until the learner is in sync. One that never is must be removed: no other can be added meanwhile',
      commands: [`etcdctl member promote ${hexadecimal(member.id)}`],
    }));

/** New names and a common name, in certificates that keep what they have: other members still connect by the old URL. */
export function certificateSteps(
  { member, instance }: PlacedMember,
  { naming }: AdoptionObservation,
): readonly AdoptionStep[] {
  const names = [memberHost(instance.instanceId, naming), naming.domain];
  const faults = [
    ...faultsOf('server', instance.server, { names }),
    ...faultsOf('peer', instance.peer, { names, commonName: peerCommonName }),
  ];
  if (faults.length === 0) return [];
  const kept = [instance.server, instance.peer].flatMap((one) => (one?.kind === 'read' ? one.names : []));
  const all = [...new Set([...kept, ...names])];
  return [
    {
      id: `certificates/${hexadecimal(member.id)}`,
      member: hexadecimal(member.id),
      subject: `certificates of ${wordsOf(member)} on ${instance.instanceId}`,
      is: faults.join('; '),
      shall: `server and peer certificates of the same authority, with the usages serverAuth and clientAuth, the names ${all.join(', ')}, and the common name ${peerCommonName} for peers`,
      risk: 'a name that is taken away cuts the member off from peers and clients that use it. etcd reads the files again for each connection, without a restart',
      commands: ['# replace the files under their present names, on this member only', health],
    },
  ];
}

function faultsOf(
  which: string,
  certificate: PortCertificate | undefined,
  wanted: { readonly names: readonly string[]; readonly commonName?: string },
): readonly string[] {
  if (certificate === undefined) return [];
  if (certificate.kind === 'unread') return [`the ${which} certificate cannot be read: ${certificate.why}`];
  const lacking = wanted.names.filter((name) => !certificate.names.some((one) => covers(one, name)));
  return [
    ...(lacking.length > 0 ? [`the ${which} certificate lacks ${lacking.join(', ')}`] : []),
    ...(wanted.commonName !== undefined && certificate.commonName !== wanted.commonName
      ? [
          `the ${which} certificate has the common name ${certificate.commonName || '(none)'}, and new members accept ${wanted.commonName}`,
        ]
      : []),
    ...(certificate.isForClients
      ? []
      : [`the ${which} certificate is not for clients, as which its own etcd uses it`]),
  ];
}

/** A wildcard stands for one whole label (RFC 6125, 6.4.3). Names of DNS have no case. */
export function covers(name: string, asked: string): boolean {
  const [one, other] = [name.toLowerCase(), asked.toLowerCase()];
  return one === other || (one.startsWith('*.') && one.slice(1) === other.slice(other.indexOf('.')));
}

/** No SRV set could equal a list with another URL, so no member could join. */
export function urlSteps(
  { member, instance }: PlacedMember,
  { naming }: AdoptionObservation,
): readonly AdoptionStep[] {
  const wanted = peerUrl(memberHost(instance.instanceId, naming), naming);
  if (member.peerUrls.length === 1 && member.peerUrls[0] === wanted) return [];
  return [
    {
      id: `peer-url/${hexadecimal(member.id)}`,
      member: hexadecimal(member.id),
      subject: `peer URL of ${wordsOf(member)} on ${instance.instanceId}`,
      is: member.peerUrls.join(', ') || 'none',
      shall: wanted,
      risk: 'the other members connect again, by the new name. etcd ignores --initial-advertise-peer-urls of a member that has data, so its flags may stay',
      commands: [`etcdctl member update ${hexadecimal(member.id)} --peer-urls=${wanted}`, health],
    },
  ];
}
