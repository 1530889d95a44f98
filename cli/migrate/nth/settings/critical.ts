import { clusterTag } from '../../../../shared/groups/group.ts';
import type { Refusal } from '../../../adopt/plan/step.ts';
import { definitionOf, type SettingName } from './definitions.ts';
import { flagIn, type NthSettings, textIn } from './settings.ts';

/** How AWS Node Termination Handler finds out that an instance is its own. */
export type Ownership =
  /** In queue mode, it drains instances that have the tag. */
  | { readonly kind: 'tag'; readonly key: string }
  /** In queue mode without a check of the tag: every instance that its queue names. */
  | { readonly kind: 'all' }
  /** In IMDS mode, each of its pods drains its own node. */
  | { readonly kind: 'nodes' };

/** Why the settings do not say how instances are found, or how they are. Pure. */
export function ownershipOf(settings: NthSettings, subject: string): Ownership | Refusal {
  const unknown = (names: readonly SettingName[]): Refusal | undefined => {
    const name = names.find((one) => settings[one].kind !== 'known');
    return name === undefined ? undefined : unknownSetting(settings, name, subject);
  };
  const withoutMode = unknown(['enableSqsTerminationDraining']);
  if (withoutMode) return withoutMode;
  if (flagIn(settings, 'enableSqsTerminationDraining') === false) return { kind: 'nodes' };
  const withoutCheck = unknown(['checkTagBeforeDraining']);
  if (withoutCheck) return withoutCheck;
  if (flagIn(settings, 'checkTagBeforeDraining') === false) return { kind: 'all' };
  const withoutTag = unknown(['managedTag']);
  if (withoutTag) return withoutTag;
  const key = textIn(settings, 'managedTag') ?? '';
  return isTagOfOthers(key) ? tagOfOthers(key, subject) : { kind: 'tag', key };
}

function unknownSetting(settings: NthSettings, name: SettingName, subject: string): Refusal {
  const value = settings[name];
  const { env, key = env } = definitionOf(name);
  return {
    subject,
    reason:
      value.kind === 'invalid'
        ? `${env} is ${JSON.stringify(value.text)}, and must be ${value.allowed}: AWS Node Termination Handler does not start with it`
        : `${env} cannot be read: it comes from ${value.kind === 'hidden' ? value.from : 'elsewhere'}`,
    remedy: `give --values FILE with ${key}`,
  };
}

/** Other programs read these tags: without them the group is not theirs any more. */
const prefixesOfOthers =
  /^(?:aws:|eks:|drover\.dev\/|Name$|(?:[\w-]+\.)*k8s\.io\/|(?:[\w-]+\.)*kubernetes\.io\/)/i;

/** `karpenter.sh/`, tags of teams and of the handler itself may be taken: nothing but the handler is known to need them. */
const isTagOfOthers = (key: string): boolean => prefixesOfOthers.test(key);

const tagOfOthers = (key: string, subject: string): Refusal => ({
  subject,
  reason: `it finds its instances by the tag ${key}, which other programs read too${key.startsWith(clusterTag('')) ? ', Drover among them' : ''}: without it the groups would not be theirs any more`,
  remedy:
    'give the groups and their instances a tag of its own, such as aws-node-termination-handler/managed, set managedTag to that, and run this again',
});
