import { createLog, type Log } from '../shared/base/log.ts';
import { createMetrics, type Metrics } from '../shared/base/metrics.ts';
import { createRepeatedLines, type RepeatedLines } from '../shared/base/repeated-lines.ts';
import { describeFailures, logFailures } from '../shared/base/side-by-side.ts';
import {
  type CertificateReport,
  type DecidedRequest,
  decideRequests,
} from '../shared/certificates/decide-requests.ts';
import type { VerdictKind } from '../shared/certificates/verdict.ts';
import { composeCertificates } from '../shared/runtime/certificates.ts';
import { readConfig } from '../shared/runtime/config.ts';
import type { CreateHandler } from '../shared/runtime/host.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';
import { composeNotifications } from '../shared/runtime/notifier.ts';

/** Decides every pending certificate request of kubelets against EC2, Auto Scaling and the cluster. */
export const create: CreateHandler<unknown, CertificateSummary> = (host) => {
  const log = createLog(host, { function: 'certificate-requests' });
  const context = { ...composeCertificates(host), notify: composeNotifications(host, log) };
  const metrics = createMetrics(host, readConfig(host.environment, ['clusterName']).clusterName);
  const lines = createRepeatedLines(host.clock);
  return async () => {
    const report = await decideRequests(context);
    const summary = reportCertificates(report, { log, metrics, lines });
    logFailures(log, 'requests are not decided, and the next run tries again', report.failures);
    if (report.failures.length > 0)
      throw new AggregateError(
        report.failures.map(({ error }) => error),
        `some requests are not decided, and the next run tries again: ${describeFailures(report.failures)}`,
      );
    return summary;
  };
};

export const handler = onLambda(create);

interface Reporting {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly lines: RepeatedLines;
}

/**
 * Logs a line for each written verdict and each name in conflict, and one for the whole run; puts the metrics. What waits as it did in the
 * run before is logged once an hour.
 */
export function reportCertificates(
  report: CertificateReport,
  { log, metrics, lines }: Reporting,
): CertificateSummary {
  const { decided, oldestSeconds } = report;
  const written = decided.filter(({ outcome }) => outcome === 'written');
  for (const decision of written)
    log.info(`certificate request ${pastOf[decision.verdict.kind]}`, fieldsOf(decision));
  const conflicts = Map.groupBy(
    decided.filter(({ verdict }) => verdict.kind === 'conflict'),
    ({ nodeName }) => nodeName,
  );
  const due = lines.due([...[...conflicts.keys()].map(conflictOf), waitingOf(decided)]);
  for (const [nodeName, [first]] of conflicts)
    if (first && due.has(conflictOf(nodeName)))
      log.warn('several keys ask for one name: no certificate is approved', fieldsOf(first));
  const count = (kind: VerdictKind): number => written.filter(({ verdict }) => verdict.kind === kind).length;
  const summary = {
    pending: decided.length,
    approved: count('approve'),
    denied: count('deny'),
    conflicts: conflicts.size,
    oldestSeconds: Math.round(oldestSeconds),
  };
  if (written.length > 0 || (decided.length > 0 && due.has(waitingOf(decided))))
    log.info('certificate requests', { ...summary, waiting: waitingReasons(decided) });
  metrics.put({
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

const conflictOf = (nodeName: string | undefined): string => `conflict ${nodeName}`;

/** Which requests wait for what. Not the words of the reasons: some have times in them. */
const waitingOf = (decided: readonly DecidedRequest[]): string =>
  decided
    .filter(({ outcome }) => outcome !== 'written')
    .map(({ request, verdict }) => `${request.name} ${verdict.kind} ${verdict.check}`)
    .toSorted()
    .join('\n');

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
