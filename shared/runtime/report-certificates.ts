import type { CertificateReport, DecidedRequest } from '../certificates/decide-requests.ts';
import type { VerdictKind } from '../certificates/verdict.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** A line for what was written, and for every name in conflict; one line for the whole. */
export function reportCertificates(
  report: CertificateReport,
  log: Log,
  metrics: Metrics,
): CertificateSummary {
  const { decided, failures, oldestSeconds } = report;
  const written = decided.filter(({ outcome }) => outcome === 'written');
  for (const decision of written)
    log.info(`certificate request ${pastOf[decision.verdict.kind]}`, fieldsOf(decision));
  const conflicts = Map.groupBy(
    decided.filter(({ verdict }) => verdict.kind === 'conflict'),
    ({ nodeName }) => nodeName,
  );
  for (const [, [first]] of conflicts)
    if (first) log.warn('several keys ask for one name: no certificate is approved', fieldsOf(first));
  const count = (kind: VerdictKind): number => written.filter(({ verdict }) => verdict.kind === kind).length;
  const summary = {
    pending: decided.length,
    approved: count('approve'),
    denied: count('deny'),
    conflicts: conflicts.size,
    oldestSeconds: Math.round(oldestSeconds),
  };
  if (decided.length > 0) log.info('certificate requests', { ...summary, waiting: waitingReasons(decided) });
  metrics.put({
    CertificateRuns: failures.length === 0 ? 1 : 0,
    CertificatesApproved: summary.approved,
    CertificatesDenied: summary.denied,
    CertificateConflicts: summary.conflicts,
    OldestCertificateRequestSeconds: summary.oldestSeconds,
  });
  return summary;
}

export interface CertificateSummary {
  readonly pending: number;
  readonly approved: number;
  readonly denied: number;
  readonly conflicts: number;
  readonly oldestSeconds: number;
}

const pastOf: Readonly<Record<VerdictKind, string>> = {
  approve: 'approved',
  deny: 'denied',
  later: 'waits',
  conflict: 'waits',
  'not-ours': 'is left alone',
};

const fieldsOf = ({ request, nodeName, verdict }: DecidedRequest) => ({
  request: request.name,
  signer: request.signerName,
  requester: request.username,
  node: nodeName,
  check: verdict.check,
  reason: verdict.reason,
});

/** `drover csr list` shows them all. */
const mostReasons = 20;

const waitingReasons = (decided: readonly DecidedRequest[]): readonly string[] =>
  decided
    .filter(({ verdict }) => verdict.kind === 'later')
    .slice(0, mostReasons)
    .map(({ request, verdict }) => `${request.name}: ${verdict.reason}`);
