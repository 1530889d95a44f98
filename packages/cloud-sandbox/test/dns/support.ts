import type { ResourceRecordSet } from '@aws-sdk/client-route-53';
import * as dns from 'dns-packet';
import { createRoute53 } from '../../src/aws/route53/route53.ts';
import { answerMessage, type Transport } from '../../src/dns/answer.ts';
import { createRandom } from '../../src/simulation/random.ts';
import { createManualClock } from '../aws/support/manual-clock.ts';
import { accountId, region } from '../aws/support/test-front.ts';

/** A simulated Route 53 whose zones are in sync, and its name servers as a function. */
export function createNameServers(zones: Readonly<Record<string, readonly ResourceRecordSet[]>>) {
  const clock = createManualClock();
  const timings = { requestsPerSecond: 1000 };
  const route53 = createRoute53({ clock, random: createRandom(3), accountId, region, timings });
  for (const [name, sets] of Object.entries(zones)) {
    const { HostedZone } = route53.operations.CreateHostedZone({ Name: name, CallerReference: name });
    const Changes = sets.map((set) => ({ Action: 'CREATE' as const, ResourceRecordSet: set }));
    const HostedZoneId = HostedZone.Id ?? '';
    if (Changes.length > 0)
      route53.operations.ChangeResourceRecordSets({ HostedZoneId, ChangeBatch: { Changes } });
  }
  clock.advance(60);
  const answer = (message: Buffer, transport: Transport = 'udp'): Buffer | undefined =>
    answerMessage(message, { zones: route53.controls.served, transport });
  const ask = (name: string, type: string, more: Partial<dns.Packet> & { transport?: Transport } = {}) => {
    const { transport, ...packet } = more;
    const question = { name, type: type as dns.RecordType };
    const reply = answer(dns.encode({ id: 7, type: 'query', questions: [question], ...packet }), transport);
    if (!reply) throw new Error('there was no answer');
    const decoded = dns.decode(reply) as dns.DecodedPacket & { readonly rcode: string };
    return { ...decoded, bytes: reply.length };
  };
  return { route53, clock, answer, ask };
}

/** What an answer holds, without what says nothing here. */
export const data = (answers: readonly dns.Answer[] = []): readonly unknown[] =>
  answers.map((one) => ('data' in one ? one.data : undefined));
