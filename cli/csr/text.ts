import { durationText } from '../../shared/base/duration.ts';
import { signers } from '../../shared/certificates/certificate-request.ts';
import { oneLine } from '../plain-text.ts';
import { named, sentence, type TableView } from '../table/column.ts';
import { shortNamesOf } from '../table/short-names.ts';
import { tableText } from '../table/table.ts';
import type { JudgedRequest } from './judged.ts';

const signerText = (signerName: string): string => (signerName === signers.client ? 'client' : 'serving');

const ageOf = ({ request }: JudgedRequest, now: number): string =>
  durationText(Math.max(0, Math.round((now - request.createdAt) / 1000)));

const headOf = (nodes: readonly string[]) => [
  named('NAME'),
  { head: 'AGE', leftOut: 1 },
  { head: 'SIGNER', leftOut: 2 },
  named('REQUESTER', { leftOut: 3 }),
  named('NODE', { brief: shortNamesOf(nodes) }),
  'VERDICT',
  sentence('REASON'),
];

export function requestsText(judged: readonly JudgedRequest[], now: number, view: TableView): string {
  if (judged.length === 0) return 'no certificate request of a kubelet is pending\n';
  return tableText(
    headOf(judged.flatMap(({ nodeName }) => nodeName ?? [])),
    judged.map((one) => [
      one.request.name,
      ageOf(one, now),
      signerText(one.request.signerName),
      one.request.username,
      one.nodeName ?? '-',
      one.verdict,
      one.reason,
    ]),
    view,
  );
}

/** One line a fact. */
export function explanation(judged: JudgedRequest, now: number): string {
  const { request, nodeName, verdict, check, reason } = judged;
  const reading = judged.read();
  const read = reading.kind === 'read' ? reading.request : undefined;
  const facts: readonly (readonly [string, string])[] = [
    ['request', request.name],
    ['signer', request.signerName],
    ['age', ageOf(judged, now)],
    ['requester', `${request.username} (${request.groups.join(', ')})`],
    [
      'extra',
      Object.entries(request.extra)
        .map(([key, values]) => `${key}=${values.join(',')}`)
        .join(' '),
    ],
    ['node', nodeName ?? ''],
    ['key', read ? `SHA-256 ${read.keyFingerprint}` : ''],
    ['DNS names', read?.names.dnsNames.join(', ') ?? ''],
    ['addresses', read?.names.ipAddresses.join(', ') ?? ''],
    ['usages', request.usages.join(', ')],
    ['lifetime', request.expirationSeconds === undefined ? '' : durationText(request.expirationSeconds)],
    ['verdict', check ? `${verdict}, by the check "${check}"` : verdict],
    ['reason', reason],
  ];
  return facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${`${name}:`.padEnd(12)}${oneLine(value)}\n`)
    .join('');
}

export function requestJson({ request, read, nodeName, verdict, check, reason }: JudgedRequest) {
  const reading = read();
  const content = reading.kind === 'read' ? reading.request : undefined;
  return {
    name: request.name,
    uid: request.uid,
    signerName: request.signerName,
    username: request.username,
    createdAt: new Date(request.createdAt).toISOString(),
    node: nodeName ?? null,
    keyFingerprint: content?.keyFingerprint ?? null,
    dnsNames: content?.names.dnsNames ?? [],
    ipAddresses: content?.names.ipAddresses ?? [],
    verdict,
    check: check ?? null,
    reason,
  };
}
