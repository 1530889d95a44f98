import type { Cases } from '@drover/cloud-sandbox/truth/contract.ts';
import { expect } from 'vitest';
import { type RbacManifest, rbacManifests } from '../../../local/world/rbac.ts';
import type { RightsWorld } from '../worlds/rights-world.ts';
import { leave, rotate } from './story.ts';

/** Opens a cluster in which Drover has the rights of these manifests. */
export type OpenWithRights = (manifests: readonly RbacManifest[]) => Promise<RightsWorld>;

type Story = (world: RightsWorld) => Promise<readonly string[]>;

interface Right {
  readonly role: string;
  readonly resource: string;
  readonly verb: string;
}

/** What is not played here: the reader's rights are a part of the others, doctor's are tested in test/cli/doctor, those of the token webhook in its scenarios, those of the planner in test/scenarios/least-rbac, and those of the restarter in test/scenarios/rollouts. */
const elsewhere = [
  'drover-reader',
  'drover-planner',
  'drover-roller',
  'drover-restarter',
  'drover-doctor',
  'drover-identity-mapping',
];

/** The manifests of the identity that the functions share. Only the role `drover` gives it rights to Nodes, so that a right which is left out is really gone. */
const manifests = rbacManifests()
  .filter(({ metadata }) => !elsewhere.includes(metadata?.name ?? ''))
  .map((manifest) =>
    manifest.kind === 'ClusterRole' && manifest.metadata?.name === 'drover-certificates'
      ? {
          ...manifest,
          rules: (manifest.rules ?? []).filter(({ resources }) => !resources?.includes('nodes')),
        }
      : manifest,
  );

/** Without the rights to certificates, which test/contract/certificates leaves out one by one while kubelets ask. */
const rights: readonly Right[] = manifests.flatMap((manifest) =>
  manifest.metadata?.name !== 'drover-certificates' &&
  (manifest.kind === 'ClusterRole' || manifest.kind === 'Role')
    ? (manifest.rules ?? []).flatMap(({ resources = [], verbs }) =>
        resources.flatMap((resource) =>
          verbs.map((verb) => ({ role: manifest.metadata?.name ?? '', resource, verb })),
        ),
      )
    : [],
);

const without = ({ role, resource, verb }: Right): readonly RbacManifest[] =>
  manifests.map((manifest) => {
    const isIt =
      (manifest.kind === 'ClusterRole' || manifest.kind === 'Role') && manifest.metadata?.name === role;
    if (!isIt) return manifest;
    const rules = (manifest.rules ?? []).map((rule) =>
      rule.resources?.includes(resource)
        ? { ...rule, verbs: rule.verbs.filter((one) => one !== verb) }
        : rule,
    );
    return { ...manifest, rules: rules.filter(({ verbs }) => verbs.length > 0) };
  });

const play =
  (manifests: readonly RbacManifest[], story: Story, check: (wrong: readonly string[]) => void) =>
  async (open: OpenWithRights): Promise<void> => {
    const world = await open(manifests);
    try {
      check(await story(world));
    } finally {
      await world.close();
    }
  };

const isEnough = (wrong: readonly string[]): void => expect(wrong).toEqual([]);
const isMissed = (wrong: readonly string[]): void =>
  expect(wrong.join()).toMatch(/forbidden|Check that Drover may/i);

/** What deploy/rbac.yaml gives is enough, and nothing of it is too much. */
export const rightsCases: Cases<OpenWithRights> = {
  'the manifest is enough for nodes to leave': play(manifests, leave, isEnough),
  'the manifest is enough for credentials to be made, replaced and retired': play(
    manifests,
    rotate,
    isEnough,
  ),
  ...Object.fromEntries(
    rights.map((right) => [
      `the right to ${right.verb} ${right.resource} is needed`,
      play(without(right), right.resource === 'secrets' ? rotate : leave, isMissed),
    ]),
  ),
};
