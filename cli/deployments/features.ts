import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { rulesNamed } from './rules-named.ts';

/** The functions of features that a deployment may leave out. */
export const functionOf = {
  bootstrap: 'bootstrap-credential',
  certificates: 'certificate-requests',
  'pod-holds': 'prewarm',
  rolls: 'roll',
} as const;

/** A feature that a deployment shows by the rule of its function. No rule shows whether the token webhook reads aws-auth. */
export type DeployedFeature = keyof typeof functionOf;

/** The optional features of a stage that are on, by its rules. */
export async function deployedFeatures(
  events: EventBridgeClient,
  stage: string,
): Promise<ReadonlySet<DeployedFeature>> {
  const rules = await rulesNamed(events, `drover-${stage}-`);
  return new Set(
    (['bootstrap', 'certificates', 'pod-holds', 'rolls'] as const).filter((feature) => {
      const rule = rules.find(({ Name }) => Name === `drover-${stage}-${functionOf[feature]}`);
      return rule !== undefined && (feature !== 'pod-holds' || readsPods(rule.Description));
    }),
  );
}

/** Every deployment has prewarm: the description of its rule shows whether its holds may ask for pods. An earlier version had no such holds. Pure. */
const readsPods = (description = ''): boolean => description.endsWith('Holds for pods are on');
