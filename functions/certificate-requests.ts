import { messageOf } from '../shared/base/message-of.ts';
import { decideRequests } from '../shared/certificates/decide-requests.ts';
import { composeCertificates } from '../shared/runtime/compose-certificates.ts';
import { composeNotifications } from '../shared/runtime/compose-notifications.ts';
import { readConfig } from '../shared/runtime/config.ts';
import type { CreateHandler } from '../shared/runtime/lambda.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';
import { createLog } from '../shared/runtime/log.ts';
import { createMetrics } from '../shared/runtime/metrics.ts';
import { type CertificateSummary, reportCertificates } from '../shared/runtime/report-certificates.ts';

/** Decides every pending certificate request of kubelets against what EC2, Auto Scaling and the cluster say. */
export const create: CreateHandler<unknown, CertificateSummary> = (host) => {
  const log = createLog(host, { function: 'certificate-requests' });
  const context = { ...composeCertificates(host), notify: composeNotifications(host, log) };
  const metrics = createMetrics(host, readConfig(host.environment, ['clusterName']).clusterName);
  return async () => {
    const report = await decideRequests(context);
    const summary = reportCertificates(report, log, metrics);
    if (report.failures.length > 0)
      throw new AggregateError(
        report.failures,
        `some requests are not decided, and the next run tries again: ${[...new Set(report.failures.map(messageOf))].slice(0, 5).join('; ')}`,
      );
    return summary;
  };
};

export const handler = onLambda(create);
