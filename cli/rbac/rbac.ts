import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { clientSettings } from '../../shared/aws/client-settings.ts';
import { awsConnection } from '../../shared/runtime/aws-connection.ts';
import { bootstrapGroups as readGroups } from '../../shared/runtime/config-values.ts';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import type { CliContext } from '../context.ts';
import { readDeployments, stageServing } from '../deployments/deployments.ts';
import { deployedFeatures } from '../deployments/features.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { environmentOf, hostOf } from '../host.ts';
import { admissionManifests } from './admission-manifests.ts';
import { manifestsOf311 } from './openshift-3.11.ts';
import { type OptionalFeature, optionalFeatures, type Part, partsWithout } from './parts.ts';
import { defaultBootstrapGroups, type PolicyChoice, policiesFor } from './policies.ts';
import { rbacManifests } from './rbac-manifests.ts';
import { selectManifests } from './select.ts';

export interface RbacFlags extends AutoScalingFlags {
  readonly stage?: string;
  readonly features?: readonly (OptionalFeature | 'none')[];
  readonly without?: readonly Part[];
  readonly serviceAccount: boolean;
  readonly admission: PolicyChoice;
  readonly bootstrapGroups?: string;
  readonly 'openshift3.11'?: true;
}

/** Prints the manifests of the features that are on: those of the flags, else those of the deployment. */
export async function printRbac(flags: RbacFlags, context: CliContext): Promise<void> {
  const isOpenShift311 = flags['openshift3.11'] === true;
  const groups = groupsOf(flags);
  const without = await leftOut(flags, context);
  const left = new Set(without);
  if (isOpenShift311 && !left.has('bootstrap')) throw bootstrapOn311();
  const policies = policiesFor(await admissionManifests(), {
    choice: isOpenShift311 ? 'none' : flags.admission,
    makesTokens: !left.has('bootstrap') && !left.has('bootstrap-tokens'),
    bootstrapGroups: groups,
  });
  const selected = selectManifests(await rbacManifests(), {
    without,
    hasServiceAccount: flags.serviceAccount,
  });
  const rights = isOpenShift311 ? manifestsOf311(selected) : selected;
  // The policy comes first: from then on the rights below it are bounded.
  context.stdout.write(policies === '' ? rights : `${policies}---\n${rights}`);
}

const bootstrapOn311 = (): CliError =>
  new CliError(
    '--openshift-3.11: its API server has no selfsubjectreviews, by which Drover proves a bootstrap token: deploy with bootstrap: off, or leave it out with --features or --without bootstrap. docs/openshift-3.11.md says how nodes get a credential',
    exitCodes.usage,
  );

/** @throws CliError for groups that the function would refuse too. */
function groupsOf({ bootstrapGroups = defaultBootstrapGroups }: RbacFlags): string {
  if (readGroups(bootstrapGroups) !== undefined) return bootstrapGroups;
  throw new CliError(
    `--bootstrap-groups ${bootstrapGroups} are not groups of workers' tokens: give the parameter bootstrapGroups of the deployment, such as ${defaultBootstrapGroups}`,
    exitCodes.usage,
  );
}

async function leftOut(flags: RbacFlags, context: CliContext): Promise<readonly Part[]> {
  const { features, without } = flags;
  if (features?.includes('none') && features.length > 1)
    throw new CliError(`--features ${features.join(' ')}: none goes with no other feature`, exitCodes.usage);
  if (features)
    return partsWithout(new Set(optionalFeatures.filter((feature) => features.includes(feature))));
  return without ?? partsWithout(await featuresOfDeployment(flags, context));
}

/**
 * The features of the deployment that serves the cluster.
 *
 * @throws CliError if none is found: its rights must not be guessed.
 */
async function featuresOfDeployment(
  flags: RbacFlags,
  context: CliContext,
): Promise<ReadonlySet<OptionalFeature>> {
  const host = hostOf(context, environmentOf(flags, context));
  const events = new EventBridgeClient(clientSettings(awsConnection(host), 'EventBridge'));
  const clusterName = host.environment.DROVER_CLUSTER;
  if (!clusterName)
    throw new CliError(
      'which features are on depends on the deployment: name its cluster with --cluster, or the features with --features',
      exitCodes.usage,
    );
  const stage = stageServing(await readDeployments(events), { clusterName, stage: flags.stage });
  if (stage === undefined)
    throw new CliError(
      `no deployment in this account and region serves ${clusterName}: deploy it first, or name what it will have with --features ${optionalFeatures.join(' ')}, or none`,
      exitCodes.failed,
    );
  const features = new Set<OptionalFeature>(await deployedFeatures(events, stage));
  context.stderr.write(
    `drover-${stage} has ${features.size === 0 ? 'no optional feature' : [...features].join(' and ')}; rights of others are left out\n`,
  );
  for (const line of notShown(features, flags)) context.stderr.write(`${line}\n`);
  return features;
}

/** What the rules of a deployment do not show, with the flags that say it. Pure. */
const notShown = (
  features: ReadonlySet<OptionalFeature>,
  { bootstrapGroups }: Pick<RbacFlags, 'bootstrapGroups'>,
): readonly string[] => [
  `if its parameter identityConfigMap is not off, give --features ${[...features, 'identity'].join(' ')}`,
  ...(features.has('bootstrap') && bootstrapGroups === undefined
    ? [
        `if its parameter bootstrapGroups is not ${defaultBootstrapGroups}, give it as --bootstrap-groups: else the admission policy refuses its tokens`,
      ]
    : []),
];
