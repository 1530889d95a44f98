import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { durationText } from '../base/duration.ts';
import { shellWord } from '../base/shell-words.ts';
import { signers } from '../certificates/certificate-request.ts';
import type { Approvals } from '../certificates/other-approvers.ts';
import { type AutoScalingGroup, roleOf } from '../groups/group.ts';
import { isInService } from '../groups/lifecycle-state.ts';
import { readLeavingMark } from '../nodes/leaving-mark.ts';
import { isNodeReady, readyConditionOf } from '../nodes/node-condition.ts';
import { certificatesAnnotation, certificatesByHand, isControlPlane } from '../nodes/node-keys.ts';
import { instanceIdOf, nameOfNode } from '../nodes/node-names.ts';
import { ageSeconds, isLate, type JudgedRequest, oldestOf, sinceOf } from './certificate-problems.ts';
import type { FoundProblem } from './problem.ts';

/** A Node whose kubelet needs a certificate. */
export interface CertificateHolder {
  readonly name: string;
  readonly instanceId: string | undefined;
  readonly isControlPlane: boolean;
  /** An operator approves its certificates, as its annotation records. */
  readonly isByHand: boolean;
  /** Epoch milliseconds; undefined if it is Ready, or nothing says since when it is not. */
  readonly notReadySince: number | undefined;
}

/** The Nodes that may need another certificate: those that Drover drains do not. Pure. */
export const holdersIn = (nodes: readonly Node[]): readonly CertificateHolder[] =>
  nodes
    .filter(({ metadata }) => readLeavingMark(metadata?.annotations) === undefined)
    .map((node) => {
      const { labels, annotations = {} } = node.metadata ?? {};
      const since = isNodeReady(node)
        ? Number.NaN
        : Date.parse(readyConditionOf(node)?.lastTransitionTime ?? '');
      return {
        name: nameOfNode(node),
        instanceId: instanceIdOf(node.spec?.providerID),
        isControlPlane: isControlPlane(labels),
        isByHand: annotations[certificatesAnnotation] === certificatesByHand,
        notReadySince: Number.isNaN(since) ? undefined : since,
      };
    });

/** The Node of an instance that was terminated stays for some minutes. A kubelet whose certificate has expired stays silent. */
const silentSeconds = 3600;

/**
 * The Nodes that are of no managed group. The group of a Node without a providerID is unknown. A Node that has just become NotReady
 * is not judged: its instance may be gone. None is judged if the groups and the Nodes seem to be of two clusters, by a mistyped name or
 * another kubeconfig: without a managed group, or if no instance in service is a Node. Pure.
 */
export function outsideGroups(
  holders: readonly CertificateHolder[],
  managed: readonly Pick<AutoScalingGroup, 'instances' | 'tags'>[],
  at: number,
): readonly CertificateHolder[] {
  const nodes = new Set(holders.flatMap(({ instanceId }) => instanceId ?? []));
  // Members of etcd need not be Nodes.
  const inService = managed
    .filter((group) => roleOf(group) !== 'etcd')
    .flatMap(({ instances }) => instances.filter(isInService));
  const isOtherCluster = inService.length > 0 && !inService.some(({ instanceId }) => nodes.has(instanceId));
  if (managed.length === 0 || isOtherCluster) return [];
  const ids = new Set(managed.flatMap(({ instances }) => instances.map(({ instanceId }) => instanceId)));
  return holders.filter(
    ({ instanceId, notReadySince }) =>
      !(instanceId !== undefined && ids.has(instanceId)) &&
      !(notReadySince !== undefined && (at - notReadySince) / 1000 < silentSeconds),
  );
}

/** The Nodes outside managed groups, and what approves their certificates. */
export interface ObservedApprovals {
  readonly outside: readonly CertificateHolder[];
  /** Undefined if no Node is outside: then it was not read. */
  readonly approvals: Approvals | undefined;
}

interface Known {
  readonly requests: readonly JudgedRequest[];
  readonly managed: readonly Pick<AutoScalingGroup, 'autoScalingGroupName'>[];
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Nodes that Drover does not decide for, and that nothing else approves for: they are NotReady once their client certificates have expired.
 * Serving certificates count only if a kubelet asks for one. Pure.
 */
export function approverProblems(
  { outside, approvals }: ObservedApprovals,
  known: Known,
): readonly FoundProblem[] {
  if (!approvals?.drover) return [];
  return outside.flatMap((node) => problemOfNode(node, approvals, known) ?? []);
}

function problemOfNode(
  node: CertificateHolder,
  approvals: Approvals,
  { requests, managed, at }: Known,
): FoundProblem | undefined {
  const lacksClient = !approvals.client && !approvals.clientOf.has(node.name);
  const waiting = requests.filter(
    (request) =>
      request.nodeName === node.name &&
      request.verdict === 'not-ours' &&
      isLate(request, at) &&
      (request.signerName === signers.serving ? !approvals.serving : lacksClient),
  );
  const oldest = oldestOf(waiting);
  const waits = oldest && `certificate request ${oldest.name} has waited for ${waitText(oldest, at)}`;
  const found = { kind: 'no-approver', subject: node.name, since: oldest && sinceOf(oldest) } as const;
  const explain = oldest && `drover csr explain ${shellWord(oldest.name)}`;
  if (node.isByHand)
    return (
      oldest && { ...found, message: `you approve its certificates by hand, and ${waits}`, command: explain }
    );
  const what = node.isControlPlane ? 'this control plane' : 'it';
  if (lacksClient)
    return {
      ...found,
      message: `${what} is in no managed group, and nothing approves its next client certificate: it is NotReady once the present one expires, within a year${waits ? `; ${waits}` : ''}`,
      command: `drover adopt ${managed[0] ? shellWord(managed[0].autoScalingGroupName) : 'GROUP'} --plan`,
    };
  return (
    oldest && {
      ...found,
      message: `${what} is in no managed group, and nothing approves its serving certificate, without which kubectl logs and exec fail: ${waits}`,
      command: explain,
    }
  );
}

const waitText = (request: JudgedRequest, at: number): string =>
  durationText(Math.floor(ageSeconds(request, at)));
