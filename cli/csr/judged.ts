import { messageOf } from '../../shared/base/message-of.ts';
import {
  type CertificateRequest,
  decisionOn,
  isPending,
} from '../../shared/certificates/certificate-request.ts';
import type { ListedRequest } from '../../shared/certificates/decide.ts';
import { type CertificateContext, judgeRequests } from '../../shared/certificates/decide-requests.ts';
import type { VerdictKind } from '../../shared/certificates/verdict.ts';
import { isManaged } from '../../shared/groups/group.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { composeCertificates } from '../../shared/runtime/certificates.ts';
import { accountIdOf } from '../account-id.ts';
import { noManagedGroup } from '../auto-scaling/no-managed-group.ts';
import { connectionsTo } from '../cluster.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';
import { oneLine } from '../plain-text.ts';
import type { CsrFlags } from './flags.ts';

/** A request with Drover's verdict, or with the condition that decided it. */
export interface JudgedRequest extends ListedRequest {
  readonly verdict: VerdictKind | 'approved' | 'denied' | 'failed' | 'unknown';
  /** The check that decided; absent for a decided request. */
  readonly check?: string;
  readonly reason: string;
}

/** As the function is composed, with this machine's credentials. The account is that of the credentials, unless the environment names it. */
export async function certificatesOf(flags: CsrFlags, context: CliContext): Promise<CertificateContext> {
  const environment = environmentOf(flags, context);
  const host = hostOf(context, environment);
  const account = environment.DROVER_ACCOUNT_ID ?? (await accountIdOf(awsConnection(host)));
  return composeCertificates(
    hostOf(context, { ...environment, DROVER_ACCOUNT_ID: account }),
    connectionsTo(flags, context),
  );
}

/**
 * Every request of both signers, oldest first.
 *
 * @throws CliError where the cluster has no group: in another region, or under another name, each request would seem to be a stranger's.
 */
export async function judgeAll(certificates: CertificateContext): Promise<readonly JudgedRequest[]> {
  const { autoScaling, clock, clusterName } = certificates;
  const groups = await autoScaling.listGroups(clock.now());
  if (!groups.some((group) => isManaged(group, clusterName)))
    throw new CliError(noManagedGroup(clusterName), exitCodes.failed);
  const { decisions, requests, unread } = await judgeRequests(certificates);
  const verdicts = new Map(decisions.map(({ request, verdict }) => [request.uid, verdict]));
  const judged = requests.map((listed): JudgedRequest => {
    const { request, nodeName = '' } = listed;
    if (!isPending(request)) return { ...listed, ...decidedOf(request) };
    const verdict = verdicts.get(request.uid);
    if (verdict) return { ...listed, verdict: verdict.kind, check: verdict.check, reason: verdict.reason };
    return {
      ...listed,
      verdict: 'unknown',
      reason: messageOf(unread.get(nodeName)),
    };
  });
  return judged.toSorted((one, other) => one.request.createdAt - other.request.createdAt);
}

const decided = { Approved: 'approved', Denied: 'denied', Failed: 'failed' } as const;

function decidedOf(request: CertificateRequest): Pick<JudgedRequest, 'verdict' | 'reason'> {
  const condition = decisionOn(request);
  return {
    verdict: decided[condition?.type as keyof typeof decided],
    reason: condition?.message || condition?.reason || '',
  };
}

/** @throws CliError if there is no such request. */
export function requestNamed(name: string, judged: readonly JudgedRequest[]): JudgedRequest {
  const found = judged.find(({ request }) => request.name === name);
  if (found) return found;
  throw new CliError(
    `there is no certificate request ${oneLine(name)} of a kubelet: drover csr list --all shows them`,
    exitCodes.failed,
  );
}
