import { describe, expect, test } from 'vitest';
import { type OptionalFeature, optionalFeatures } from '../../cli/rbac/parts.ts';
import { minus, play, printedFor, rightsIn } from '../support/rbac/play.ts';
import { certificates } from '../support/stories/certificates.ts';
import { identityInCluster } from '../support/stories/identity.ts';
import { leaving } from '../support/stories/leaving.ts';
import { rotation, scaling } from '../support/stories/others.ts';
import { podHolds } from '../support/stories/pod-holds.ts';
import { repair } from '../support/stories/repair.ts';
import { roll } from '../support/stories/roll.ts';
import type { Story } from '../support/stories/story.ts';
import { volumes } from '../support/stories/volumes.ts';

const playWith = async (features: readonly OptionalFeature[], stories: readonly Story[]) =>
  play({ features, manifests: await printedFor(features) }, stories);

/** What each feature does, beside what every deployment does. */
const storyOf: Readonly<Record<OptionalFeature, Story>> = {
  bootstrap: rotation,
  certificates,
  identity: identityInCluster,
  'pod-holds': podHolds,
  rolls: roll,
};

describe('the rights that drover rbac prints', () => {
  test('for no feature are enough for nodes to leave, to be replaced and to be listed, and only those of doctor, and those that nothing is bound to, are not used', async () => {
    const { wrong, used, granted } = await playWith([], [leaving, repair, scaling, volumes]);
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

  test.each(optionalFeatures)('for %s are enough for it, and it uses each of them', async (feature) => {
    const { wrong, used, granted } = await playWith([feature], [storyOf[feature]]);
    expect(wrong).toEqual([]);
    const own = minus(granted, new Set(rightsIn(await printedFor([]))));
    // The admission of approvals asks for it, and no request names it.
    expect(minus(own, used)).toEqual(
      feature === 'certificates' ? ['*: approve signers.certificates.k8s.io'] : [],
    );
  });

  test.each(optionalFeatures)('without those for %s do not let it work', async (feature) => {
    const others = optionalFeatures.filter((one) => one !== feature);
    const manifests = await printedFor(others);
    expect(await storyOf[feature]({ editRbac: () => manifests })).not.toEqual([]);
  });
});
