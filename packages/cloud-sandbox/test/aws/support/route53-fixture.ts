import {
  type Change,
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  GetChangeCommand,
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandInput,
  type ResourceRecordSet,
  Route53Client,
  type RRType,
} from '@aws-sdk/client-route-53';
import { createRoute53, type Route53Options } from '../../../src/aws/route53/route53.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createManualClock } from './manual-clock.ts';
import { accountId, createTestFront, region } from './test-front.ts';

/** A plain record set. */
export const recordSet = (
  Name: string,
  Type: RRType,
  values: readonly string[],
  TTL = 60,
): ResourceRecordSet => ({ Name, Type, TTL, ResourceRecords: values.map((Value) => ({ Value })) });

export const create = (set: ResourceRecordSet): Change => ({ Action: 'CREATE', ResourceRecordSet: set });
export const remove = (set: ResourceRecordSet): Change => ({ Action: 'DELETE', ResourceRecordSet: set });
export const upsert = (set: ResourceRecordSet): Change => ({ Action: 'UPSERT', ResourceRecordSet: set });

/** What a test does with a zone, over a client of the SDK. It works with any Route 53, simulated or not. */
export const zoneHandle = (client: Route53Client, zoneId: string) => ({
  zoneId,
  change: async (...Changes: Change[]) =>
    (
      await client.send(
        new ChangeResourceRecordSetsCommand({ HostedZoneId: zoneId, ChangeBatch: { Changes } }),
      )
    ).ChangeInfo,
  list: (input: Partial<ListResourceRecordSetsCommandInput> = {}) =>
    client.send(new ListResourceRecordSetsCommand({ HostedZoneId: zoneId, ...input })),
  status: async (Id = '') => (await client.send(new GetChangeCommand({ Id }))).ChangeInfo?.Status,
});

/** The simulated Route 53 in this process, with a client of the SDK and a plain connection. */
export function createRoute53Fixture(timings: Route53Options['timings'] = { requestsPerSecond: 1000 }) {
  const clock = createManualClock();
  const route53 = createRoute53({ clock, random: createRandom(11), accountId, region, timings });
  const { clientOptions, connection } = createTestFront({ services: [route53], clock });
  const client = new Route53Client(clientOptions);
  let zones = 0;
  const createZone = async (name: string, options: { readonly vpcId?: string } = {}) => {
    zones += 1;
    const { HostedZone } = await client.send(
      new CreateHostedZoneCommand({
        Name: name,
        CallerReference: `zone-${zones}`,
        ...(options.vpcId && { VPC: { VPCId: options.vpcId, VPCRegion: 'eu-west-1' } }),
      }),
    );
    return zoneHandle(client, (HostedZone?.Id ?? '').replace('/hostedzone/', ''));
  };
  return { clock, route53, client, connection, createZone };
}
