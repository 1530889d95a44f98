import { messageOf } from '../../shared/base/message-of.ts';
import { type CertificateRequest, isPending } from '../../shared/certificates/certificate-request.ts';
import { judgeRequests } from '../../shared/certificates/decide-requests.ts';
import type { ConnectionSource } from '../../shared/kubernetes/connection.ts';
import type { JudgedRequest } from '../../shared/problems/certificate-problems.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { composeCertificates } from '../../shared/runtime/certificates.ts';
import type { FunctionHost } from '../../shared/runtime/host.ts';
import { accountIdOf } from '../account-id.ts';

/**
 * The pending requests among these, with the verdicts of Drover. Nothing else is read if none is pending: otherwise the Nodes and instances of
 * their names, the groups, and the account of the credentials.
 */
export async function judgePending(
  requests: readonly CertificateRequest[],
  { host, connections }: { readonly host: FunctionHost; readonly connections: ConnectionSource },
): Promise<readonly JudgedRequest[]> {
  if (!requests.some(isPending)) return [];
  const { environment } = host;
  const DROVER_ACCOUNT_ID = environment.DROVER_ACCOUNT_ID ?? (await accountIdOf(awsConnection(host)));
  const composed = composeCertificates(
    { ...host, environment: { ...environment, DROVER_ACCOUNT_ID } },
    connections,
  );
  const listed = { ...composed.cluster, listRequests: () => Promise.resolve(requests) };
  const judged = await judgeRequests({ ...composed, cluster: listed });
  const unread = judged.requests.flatMap(({ request, nodeName = '' }) => {
    const error = isPending(request) ? judged.unread.get(nodeName) : undefined;
    if (error === undefined) return [];
    const { name, signerName, createdAt } = request;
    return [{ name, signerName, nodeName, createdAt, verdict: 'unread', reason: messageOf(error) } as const];
  });
  return [
    ...judged.decisions.map(({ request: { name, signerName, createdAt }, nodeName, verdict }) => ({
      name,
      signerName,
      nodeName,
      createdAt,
      verdict: verdict.kind,
      reason: verdict.reason,
    })),
    ...unread,
  ];
}
