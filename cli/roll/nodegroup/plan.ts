import type { UpdateNodegroupVersionCommandInput } from '@aws-sdk/client-eks';
import type { BeginFlags } from '../flags.ts';
import type { ChosenNodegroup } from './choose.ts';
import type { BlockedNodes, NodegroupFacts } from './read.ts';

type Wanted = Pick<BeginFlags, 'releaseVersion' | 'templateVersion' | 'force'>;

/** The update that EKS shall make, what changes in words, and why it is not asked for; undefined if it is. */
export interface NodegroupPlan {
  readonly input: UpdateNodegroupVersionCommandInput;
  readonly change: string;
  readonly refusal?: string;
}

/** https://docs.aws.amazon.com/eks/latest/APIReference/API_UpdateNodegroupVersion.html. Pure. */
export function planNodegroup(
  { eksClusterName, nodegroupName }: Pick<ChosenNodegroup, 'eksClusterName' | 'nodegroupName'>,
  facts: NodegroupFacts,
  { blocked }: Pick<BlockedNodes, 'blocked'>,
  wanted: Wanted,
): NodegroupPlan {
  const { releaseVersion, templateVersion, force } = wanted;
  const { id, name } = facts.launchTemplate ?? {};
  const refusal = whyRefused(facts, wanted) ?? whyHeld(blocked.length, force);
  return {
    input: {
      clusterName: eksClusterName,
      nodegroupName,
      ...(releaseVersion !== undefined && { releaseVersion }),
      // EKS takes either the id or the name.
      ...(templateVersion !== undefined && {
        launchTemplate: { ...(id !== undefined ? { id } : { name }), version: templateVersion },
      }),
      ...(force && { force }),
    },
    change: changeOf(facts, wanted),
    ...(refusal !== undefined && { refusal }),
  };
}

function changeOf(
  { releaseVersion: release, launchTemplate, hasOwnImage }: NodegroupFacts,
  { releaseVersion, templateVersion }: Wanted,
): string {
  const newest = releaseVersion === undefined && !hasOwnImage;
  return [
    ...(templateVersion === undefined
      ? []
      : [`launch template version ${launchTemplate?.version ?? 'unknown'} -> ${templateVersion}`]),
    ...(newest ? [`release ${release ?? 'unknown'} -> the newest of the cluster's Kubernetes version`] : []),
    ...(releaseVersion === undefined ? [] : [`release ${release ?? 'unknown'} -> ${releaseVersion}`]),
  ].join(', ');
}

/** EKS refuses these too, later and in fewer words. */
function whyRefused(
  { status, launchTemplate, hasOwnImage }: NodegroupFacts,
  { releaseVersion, templateVersion }: Wanted,
): string | undefined {
  if (status === 'UPDATING') return 'EKS updates it already: wait for the end of that update';
  if (status !== 'ACTIVE' && status !== 'DEGRADED') return `it is ${status}`;
  if (hasOwnImage && releaseVersion !== undefined)
    return '--release-version does not apply: its launch template names the image';
  if (hasOwnImage && templateVersion === undefined)
    return 'its launch template names the image: give the version to launch with --template-version';
  return launchTemplate === undefined && templateVersion !== undefined
    ? '--template-version does not apply: it was not made from a launch template'
    : undefined;
}

const whyHeld = (nodes: number, force: true | undefined): string | undefined =>
  nodes === 0 || force
    ? undefined
    : `${nodes === 1 ? 'one node has' : `${nodes} nodes have`} pods that a budget holds, and EKS's update fails after 15 minutes of such a drain: change that, or let EKS terminate the nodes all the same with --force`;
