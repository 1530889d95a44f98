import { CreateHostedZoneCommand } from '@aws-sdk/client-route-53';
import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { route53Client } from '../../../shared/aws/clients.ts';
import { createHostedZone } from '../../../shared/aws/hosted-zone.ts';
import type { DnsRecord, RecordChange } from '../../../shared/etcd/zone.ts';
import type { AwsWorld } from './world.ts';

const domain = 'etcd.example.internal';

const record = (label: string, type: DnsRecord['type'], values: readonly string[]): DnsRecord => ({
  name: `${label}.${domain}`,
  type,
  ttlSeconds: 60,
  values,
});
const creating = (...records: readonly DnsRecord[]): readonly RecordChange[] =>
  records.map((one) => ({ action: 'create', record: one }));
const deleting = (...records: readonly DnsRecord[]): readonly RecordChange[] =>
  records.map((one) => ({ action: 'delete', record: one }));

const address = record('a', 'A', ['10.0.0.1', '10.0.0.2']);
const servers = record('_etcd-server-ssl._tcp', 'SRV', ['0 0 2380 a.etcd.example.internal']);
const text = record('_mark', 'TXT', ['owner=drover "prod" \\ a;b', 'x'.repeat(300)]);

/** A new private zone, as Drover sees it. */
async function open({ connection }: AwsWorld) {
  const client = route53Client(connection);
  const { HostedZone } = await client.send(
    new CreateHostedZoneCommand({
      Name: 'example.internal',
      CallerReference: crypto.randomUUID(),
      VPC: { VPCId: `vpc-${crypto.randomUUID().slice(0, 8)}`, VPCRegion: 'us-east-1' },
      HostedZoneConfig: { PrivateZone: true },
    }),
  );
  const zoneId = (HostedZone?.Id ?? '').replace('/hostedzone/', '');
  return createHostedZone({ client, zoneId });
}

/** What Drover asks of Route 53. */
export const route53Cases: Cases<AwsWorld> = {
  'records that Drover creates are read back with their TTL': async (world) => {
    const zone = await open(world);
    await zone.change(creating(address, servers, text), 'three');
    const { records } = await zone.read(domain);
    expect(new Set(records)).toEqual(new Set([address, servers, text]));
    await zone.change(deleting(address, servers, text), 'gone');
    expect((await zone.read(domain)).records).toEqual([]);
  },
  'Drover reads a record that another changed meanwhile as a conflict': async (world) => {
    const zone = await open(world);
    await zone.change(creating(address), 'first');
    const other = { ...address, values: ['10.0.0.9'] };
    await expect(zone.change(creating(other), 'again')).rejects.toMatchObject({ code: 'conflict' });
    await expect(zone.change(deleting(other), 'others')).rejects.toMatchObject({ code: 'conflict' });
    expect((await zone.read(domain)).records).toEqual([address]);
  },
  'Drover reports a missing zone as missing': async ({ connection }) => {
    const zone = createHostedZone({ client: route53Client(connection), zoneId: 'Z0AAAAAAAAAAAAAAAAAA' });
    await expect(zone.read(domain)).rejects.toMatchObject({ code: 'no-zone' });
    await expect(zone.change(creating(address), 'x')).rejects.toMatchObject({ code: 'no-zone' });
  },
};
