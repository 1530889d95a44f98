import { parseAllDocuments } from 'yaml';
import { type OptionalFeature, optionalFeatures, partsWithout } from '../../../cli/rbac/parts.ts';
import { rbacManifests as readText } from '../../../cli/rbac/rbac-manifests.ts';
import { selectManifests } from '../../../cli/rbac/select.ts';
import type { DroverWorldOptions } from '../../../local/world/drover-world.ts';
import type { RbacManifest } from '../../../local/world/rbac.ts';
import type { Story } from '../stories/story.ts';
import { rightFor, rightsOf } from './rights.ts';

type Wiring = Parameters<NonNullable<DroverWorldOptions['editWiring']>>[0];

/** What `drover rbac --features` prints for these, after a change. */
export const printedFor = async (
  features: readonly OptionalFeature[],
  { change = (text: string) => text } = {},
): Promise<readonly RbacManifest[]> => {
  const without = partsWithout(new Set(features));
  const text = selectManifests(await readText(), { without, hasServiceAccount: false });
  return parseAllDocuments(change(text)).map((document) => document.toJS() as RbacManifest);
};

export const rightsIn = (manifests: readonly RbacManifest[]): readonly string[] =>
  manifests.flatMap((manifest) => ('rules' in manifest ? rightsOf(manifest as never) : []));

const ruleOf = {
  bootstrap: 'bootstrap-credential',
  certificates: 'certificate-requests',
  identity: '',
  'pod-holds': '',
  rolls: 'roll',
};

/** `system:discovery` lets every authenticated user read it. */
const isDiscovery = (path: string): boolean => /^\/api(?:\/v1|s\/[^/]+\/[^/]+)$/.test(path);

/** As with the parameters that leave out the other features. */
export const deployedWith =
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

export interface Stage extends Pick<DroverWorldOptions, 'kubernetes'> {
  readonly features: readonly OptionalFeature[];
  readonly manifests: readonly RbacManifest[];
}

/** Plays stories with these rights and no others, where these features are on. */
export async function play({ features, manifests, kubernetes }: Stage, stories: readonly Story[]) {
  const used = new Set<string>();
  const wrong: string[] = [];
  for (const story of stories)
    wrong.push(
      ...(await story({
        ...(kubernetes && { kubernetes }),
        editRbac: () => manifests,
        editWiring: deployedWith(features),
        weather: {
          onCall: ({ to, what }) => {
            const [method = '', path = ''] = what.split(/[ ?]/);
            if (to === 'kubernetes' && !isDiscovery(path)) used.add(rightFor({ method, path }));
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

export const minus = (one: Iterable<string>, other: ReadonlySet<string>): readonly string[] =>
  [...new Set(one)].filter((right) => !other.has(right)).toSorted();
