import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { rulesNamed } from './rules-named.ts';

/** The functions of features that a deployment may leave out, each of which has a rule with its name. */
export const functionOf = {
  bootstrap: 'bootstrap-credential',
  certificates: 'certificate-requests',
} as const;

/** A feature that a deployment shows by a rule. No rule shows whether the token webhook reads aws-auth. */
export type DeployedFeature = keyof typeof functionOf;

/** The optional features of a stage that are on, by its rules. */
export async function deployedFeatures(
  events: EventBridgeClient,
  stage: string,
): Promise<ReadonlySet<DeployedFeature>> {
  const rules = new Set((await rulesNamed(events, `drover-${stage}-`)).map(({ Name }) => Name));
  return new Set(
    (['bootstrap', 'certificates'] as const).filter((feature) =>
      rules.has(`drover-${stage}-${functionOf[feature]}`),
    ),
  );
}
