import { describe, expect, test } from 'vitest';
import { manifestsOf311 } from '../../cli/rbac/openshift-3.11.ts';
import type { OptionalFeature } from '../../cli/rbac/parts.ts';
import { minus, play, printedFor, rightsIn } from '../support/rbac/play.ts';
import { certificates } from '../support/stories/certificates.ts';
import { givingBack } from '../support/stories/giving-back.ts';
import { holds, holdsOverHttp } from '../support/stories/holds.ts';
import { identity, identityInCluster } from '../support/stories/identity.ts';
import { leaving } from '../support/stories/leaving.ts';
import { scaling } from '../support/stories/others.ts';
import { podHolds, podHoldsFromZero } from '../support/stories/pod-holds.ts';
import { repair } from '../support/stories/repair.ts';
import { roll, rollLaunchingFirst, rollsOverHttp } from '../support/stories/roll.ts';
import { schedules } from '../support/stories/schedules.ts';
import type { Story } from '../support/stories/story.ts';
import { volumes } from '../support/stories/volumes.ts';

const features = ['certificates', 'identity', 'pod-holds', 'rolls'] as const satisfies OptionalFeature[];

/** With the APIs of Kubernetes 1.11 and what `drover rbac --openshift-3.11` prints. */
const playOn311 = async (stories: readonly Story[]) =>
  play(
    {
      features,
      manifests: await printedFor(features, { change: manifestsOf311 }),
      kubernetes: { release: '1.11' },
    },
    stories,
  );

describe('with the APIs of Kubernetes 1.11 and the rights of drover rbac --openshift-3.11', () => {
  test.each<readonly [string, readonly Story[]]>([
    ['a certificate is approved by an update', [certificates]],
    ['empty nodes are given back', [givingBack]],
    ['a hold for pods has its nodes', [podHolds]],
    ['holds have their nodes, also over HTTP', [holds, holdsOverHttp]],
    ['users and nodes log in with IAM', [identity, identityInCluster]],
    ['a group is scaled by command', [scaling]],
    ['a group without nodes has one for the pod of a hold', [podHoldsFromZero]],
    ['a failed node is replaced', [repair]],
    ['a roll replaces nodes under a budget of v1beta1', [roll, rollLaunchingFirst, rollsOverHttp]],
    ['schedules have their nodes', [schedules]],
  ])('%s', async (_, stories) => {
    const { wrong, used, granted } = await playOn311(stories);
    expect(wrong).toEqual([]);
    expect(minus(used, granted)).toEqual([]);
  });

  test('each right is used but those of doctor, and those that nothing is bound to', async () => {
    const { wrong, used, granted } = await playOn311([
      leaving,
      volumes,
      podHolds,
      roll,
      certificates,
      identityInCluster,
    ]);
    expect(wrong).toEqual([]);
    expect(minus(used, granted)).toEqual([]);
    expect(minus(granted, used)).toEqual([
      '*: get deployments.apps',
      '*: get replicasets.apps',
      '*: list clusterrolebindings.rbac.authorization.k8s.io',
      '*: list clusterroles.rbac.authorization.k8s.io',
      '*: list deployments.apps',
      '*: patch deployments.apps',
    ]);
  });

  test('nothing is left of signers, and approvals have no PATCH', async () => {
    const rights = rightsIn(await printedFor(features, { change: manifestsOf311 }));
    expect(rights.filter((right) => right.includes('certificates.k8s.io'))).toEqual([
      '*: list certificatesigningrequests.certificates.k8s.io',
      '*: update certificatesigningrequests/approval.certificates.k8s.io',
    ]);
  });
});
