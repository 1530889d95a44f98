import type { ResourceRecordSet, RRType } from '@aws-sdk/client-route-53';
import { createRoute53, type Fault } from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { recordSet } from '@drover/cloud-sandbox/test/aws/support/route53-fixture.ts';
import { accountId, createTestFront, region } from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { route53Client } from '../../../../shared/aws/clients.ts';
import { createHostedZone } from '../../../../shared/aws/hosted-zone.ts';

/** The zone example.internal of a simulated Route 53, as Drover reads it, with functions that change it by hand. */
export async function createHostedZoneFixture() {
  const clock = createManualClock();
  const calls: string[] = [];
  let fault: Fault;
  const timings = { requestsPerSecond: 10_000 };
  const route53 = createRoute53({ clock, random: createRandom(5), accountId, region, timings });
  const { connection } = createTestFront({
    services: [route53],
    clock,
    onCall: ({ operation }) => {
      calls.push(operation);
      return fault;
    },
  });
  const { HostedZone } = route53.operations.CreateHostedZone({
    Name: 'example.internal',
    CallerReference: 'fixture',
    VPC: { VPCId: 'vpc-1', VPCRegion: 'eu-west-1' },
  });
  const zoneId = HostedZone.Id?.replace('/hostedzone/', '') ?? '';
  const change = async (...sets: ResourceRecordSet[]): Promise<void> => {
    const Changes = sets.map((set) => ({ Action: 'CREATE' as const, ResourceRecordSet: set }));
    route53.operations.ChangeResourceRecordSets({ HostedZoneId: zoneId, ChangeBatch: { Changes } });
  };
  return {
    clock,
    connection,
    zoneId,
    /** Every call through the front, by operation. */
    calls,
    zone: createHostedZone({ client: route53Client(connection), zoneId }),
    /** From now on this happens to every call. */
    strike: (one: Fault) => {
      fault = one;
    },
    byHand: {
      change,
      add: (name: string, type: RRType, values: readonly string[]) => change(recordSet(name, type, values)),
      addAll: (names: readonly string[]) =>
        change(...names.map((name) => recordSet(name, 'A', ['10.0.0.1']))),
    },
  };
}
