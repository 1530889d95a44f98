import type * as Route53 from '@aws-sdk/client-route-53';
import { presentChange, submit } from './change-operations.ts';
import { constraint, route53Errors } from './errors.ts';
import { listRecordSets } from './list-records.ts';
import { findZone, type Route53World, type Zone } from './model.ts';
import { compareText, normalizeName, reversed } from './names.ts';
import { createZone } from './new-zone.ts';

const maximumItems = 100;

/** Hosted zones, private and public, and the list of their record sets. */
export const zoneOperations = (world: Route53World) => ({
  CreateHostedZone: (input: Route53.CreateHostedZoneRequest) => {
    const zone = createZone(world, input);
    return {
      HostedZone: presentZone(zone),
      ChangeInfo: presentChange(submit(world, zone, undefined)),
      ...delegation(zone),
      ...(zone.vpcs[0] && { VPC: zone.vpcs[0] }),
      Location: `https://route53.amazonaws.com/2013-04-01/hostedzone/${zone.id}`,
    };
  },
  GetHostedZone: ({ Id }: Route53.GetHostedZoneRequest) => {
    const zone = findZone(world, Id);
    return {
      HostedZone: presentZone(zone),
      ...delegation(zone),
      ...(zone.isPrivate && { VPCs: [...zone.vpcs] }),
    };
  },
  DeleteHostedZone: ({ Id }: Route53.DeleteHostedZoneRequest) => {
    const zone = findZone(world, Id);
    const isRequired = ({ name, type }: { readonly name: string; readonly type: string }): boolean =>
      name === zone.name && (type === 'SOA' || type === 'NS');
    if (![...zone.sets.values()].every(isRequired)) throw route53Errors.zoneNotEmpty();
    world.zones.delete(zone.id);
    return { ChangeInfo: presentChange(submit(world, zone, undefined)) };
  },
  ListHostedZones: ({ Marker, MaxItems }: Route53.ListHostedZonesRequest) => {
    const size = sizeOf(MaxItems);
    const all = [...world.zones.values()].sort((one, other) => compareText(one.id, other.id));
    const rest = all.filter(({ id }) => Marker === undefined || id >= Marker);
    const next = rest[size];
    return {
      HostedZones: rest.slice(0, size).map(presentZone),
      IsTruncated: next !== undefined,
      MaxItems: size,
      ...(Marker !== undefined && { Marker }),
      ...(next && { NextMarker: next.id }),
    };
  },
  ListHostedZonesByName: (input: Route53.ListHostedZonesByNameRequest) => listByName(world, input),
  ListResourceRecordSets: (input: Route53.ListResourceRecordSetsRequest) =>
    listRecordSets(findZone(world, input.HostedZoneId), input),
});

/** "Route 53 returns hosted zones in ASCII order by domain name, with the labels reversed", then by their ids. */
function listByName(world: Route53World, input: Route53.ListHostedZonesByNameRequest) {
  const { DNSName, HostedZoneId } = input;
  const size = sizeOf(input.MaxItems);
  const start = DNSName === undefined ? '' : reversed(normalizeName(DNSName));
  const rest = [...world.zones.values()]
    .map((zone) => ({ zone, place: reversed(zone.name) }))
    .sort((one, other) => compareText(one.place, other.place) || compareText(one.zone.id, other.zone.id))
    .filter(
      ({ zone, place }) => place > start || (place === start && (!HostedZoneId || zone.id >= HostedZoneId)),
    );
  const next = rest[size]?.zone;
  return {
    HostedZones: rest.slice(0, size).map(({ zone }) => presentZone(zone)),
    IsTruncated: next !== undefined,
    MaxItems: size,
    ...(DNSName !== undefined && { DNSName }),
    ...(HostedZoneId !== undefined && { HostedZoneId }),
    ...(next && { NextDNSName: next.name, NextHostedZoneId: next.id }),
  };
}

function sizeOf(asked: number | undefined): number {
  if (asked !== undefined && !(asked >= 1))
    throw constraint(asked, 'maxItems', 'have value greater than or equal to 1');
  return Math.min(asked ?? maximumItems, maximumItems);
}

const presentZone = (zone: Zone): Route53.HostedZone => ({
  Id: `/hostedzone/${zone.id}`,
  Name: zone.name,
  CallerReference: zone.callerReference,
  Config: { PrivateZone: zone.isPrivate, ...(zone.comment !== undefined && { Comment: zone.comment }) },
  ResourceRecordSetCount: zone.sets.size,
});

/** A private zone has no delegation. */
const delegation = (zone: Zone): { readonly DelegationSet?: Route53.DelegationSet } =>
  zone.isPrivate
    ? {}
    : { DelegationSet: { NameServers: zone.nameServers.map((one) => one.replace(/\.$/, '')) } };
