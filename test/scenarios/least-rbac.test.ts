import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type OptionalFeature, optionalFeatures, partsWithout } from '../../cli/rbac/parts.ts';
import { rbacManifests as readText } from '../../cli/rbac/rbac-manifests.ts';
import { selectManifests } from '../../cli/rbac/select.ts';
import type { DroverWorldOptions } from '../../local/world/drover-world.ts';
import type { RbacManifest } from '../../local/world/rbac.ts';
import { rightFor, rightsOf } from '../support/rbac/rights.ts';
import { certificates } from '../support/stories/certificates.ts';
import { identityInCluster } from '../support/stories/identity.ts';
import { leaving } from '../support/stories/leaving.ts';
import { rotation, scaling } from '../support/stories/others.ts';
import { podHolds } from '../support/stories/pod-holds.ts';
import { repair } from '../support/stories/repair.ts';
import { roll } from '../support/stories/roll.ts';
import type { Story } from '../support/stories/story.ts';
import { volumes } from '../support/stories/volumes.ts';

type Wiring = Parameters<NonNullable<DroverWorldOptions['editWiring']>>[0];

/** What `drover rbac --features` prints for these. */
const printedFor = async (features: readonly OptionalFeature[]): Promise<readonly RbacManifest[]> => {
  const without = partsWithout(new Set(features));
  const text = selectManifests(await readText(), { without, hasServiceAccount: false });
  return parseAllDocuments(text).map((document) => document.toJS() as RbacManifest);
};

const rightsIn = (manifests: readonly RbacManifest[]): readonly string[] =>
  manifests.flatMap((manifest) => ('rules' in manifest ? rightsOf(manifest as never) : []));

const ruleOf = {
  bootstrap: 'bootstrap-credential',
  certificates: 'certificate-requests',
  identity: '',
  'pod-holds': '',
  rolls: 'roll',
};

/** As with the parameters that leave out the other features. */
const deployedWith =
  (features: readonly OptionalFeature[]) =>
  (wiring: Wiring): Wiring => {
    const off = optionalFeatures.filter((one) => ruleOf[one] && !features.includes(one));
    return {
      ...wiring,
      rules: wiring.rules.filter(({ rule }) => !off.some((one) => rule.Name?.endsWith(ruleOf[one]))),
      functions: wiring.functions.map((one) => ({
        ...one,
        environment: {
          ...one.environment,
          DROVER_CERTIFICATES: features.includes('certificates') ? 'on' : 'off',
          DROVER_POD_HOLDS: features.includes('pod-holds') ? 'on' : 'off',
        },
      })),
    };
  };

/** Plays stories with the rights of these features and no others. */
async function play(features: readonly OptionalFeature[], stories: readonly Story[]) {
  const manifests = await printedFor(features);
  const used = new Set<string>();
  const wrong: string[] = [];
  for (const story of stories)
    wrong.push(
      ...(await story({
        editRbac: () => manifests,
        editWiring: deployedWith(features),
        weather: {
          onCall: ({ to, what }) => {
            const [method = '', path = ''] = what.split(/[ ?]/);
            if (to === 'kubernetes') used.add(rightFor({ method, path }));
          },
        },
      })),
    );
  const granted = new Set(rightsIn(manifests));
  // A right of every namespace covers that of one.
  const covered = [...used].map((right) => right.replace(/^[^*:]+(?=: )/, '*'));
  return {
    wrong,
    granted,
    used: new Set(
      [...used].map((right, at) => (granted.has(covered[at] ?? '') ? (covered[at] ?? '') : right)),
    ),
  };
}

const minus = (one: Iterable<string>, other: ReadonlySet<string>): readonly string[] =>
  [...new Set(one)].filter((right) => !other.has(right)).toSorted();

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
    const { wrong, used, granted } = await play([], [leaving, repair, scaling, volumes]);
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
    const { wrong, used, granted } = await play([feature], [storyOf[feature]]);
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
