import type { CreateHostedZoneRequest } from '@aws-sdk/client-route-53';
import { route53Errors } from './errors.ts';
import { keyOf, type Route53World, type StoredSet, type Zone } from './model.ts';
import { nameProblem, normalizeName } from './names.ts';

/** CreateHostedZone: private where a VPC is named. Throws what Route 53 says no with. */
export function createZone(
  world: Route53World,
  input: CreateHostedZoneRequest,
  id = `Z${world.random.hex(20).toUpperCase()}`,
): Zone {
  const { CallerReference: callerReference = '', VPC: vpc, HostedZoneConfig: config } = input;
  const name = normalizeName(input.Name ?? '');
  if (nameProblem(name) !== undefined || name === '.')
    throw route53Errors.invalidDomainName(`${input.Name ?? ''} is not a valid domain name.`);
  const zones = [...world.zones.values()];
  if (zones.some((zone) => zone.callerReference === callerReference))
    throw route53Errors.zoneExists(callerReference);
  if (config?.PrivateZone === true && !vpc)
    throw route53Errors.invalidInput(
      'When you are creating a private hosted zone (when you specify a VPCId), you must specify a VPC',
    );
  if (vpc && zones.some((zone) => zone.name === name && zone.vpcs.some(({ VPCId }) => VPCId === vpc.VPCId)))
    throw route53Errors.conflictingDomain(name);
  const nameServers = vpc ? privateNameServers : publicNameServers(world);
  const sets = new Map(firstSets(name, nameServers).map((set) => [keyOf(set), set]));
  const zone: Zone = {
    id,
    name,
    callerReference,
    comment: config?.Comment,
    isPrivate: vpc !== undefined,
    vpcs: vpc ? [vpc] : [],
    nameServers,
    sets,
    served: sets,
    busyUntil: 0,
  };
  world.zones.set(zone.id, zone);
  return zone;
}

const privateNameServers = [
  'ns-1536.awsdns-00.co.uk.',
  'ns-0.awsdns-00.com.',
  'ns-1024.awsdns-00.org.',
  'ns-512.awsdns-00.net.',
];

const publicNameServers = ({ random }: Route53World): readonly string[] =>
  ['com', 'net', 'org', 'co.uk'].map((suffix, index) => {
    const number = random.integer(1, 511) + index * 512;
    return `ns-${number}.awsdns-${String(random.integer(0, 63)).padStart(2, '0')}.${suffix}.`;
  });

/** Developer guide, "NS and SOA records that Route 53 creates for a public hosted zone". */
const firstSets = (name: string, nameServers: readonly string[]): readonly StoredSet[] => [
  { name, type: 'NS', ttlSeconds: 172_800, values: nameServers, routing: {} },
  {
    name,
    type: 'SOA',
    ttlSeconds: 900,
    values: [`${nameServers[0]} awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400`],
    routing: {},
  },
];
