import { isInService, isRetained, isWarmed } from '../groups/lifecycle-state.ts';
import type { InstanceLaunch, RollMember } from './member.ts';
import type { LaunchTarget, Roll } from './roll.ts';

/** Whether a roll replaces an instance. Each verdict but `new` has a clause for people. */
export type Age =
  | { readonly kind: 'old'; readonly why: string }
  | { readonly kind: 'new' }
  | { readonly kind: 'unknown'; readonly why: string };

type Rules = Pick<Roll, 'criterion' | 'startedAt' | 'groups'>;

/** Whether an instance meets the criterion of a roll and was launched before the roll began. Pure. */
export function judgeAge(roll: Rules, member: RollMember): Age {
  const { launch } = member;
  if (launch === undefined) return { kind: 'unknown', why: 'EC2 does not describe it' };
  if (launch.launchedAt >= roll.startedAt) return { kind: 'new' };
  return meets(roll, member, launch);
}

function meets({ criterion, startedAt, groups }: Rules, member: RollMember, launch: InstanceLaunch): Age {
  switch (criterion.kind) {
    case 'all':
      return { kind: 'old', why: 'it was launched before the roll began' };
    case 'named':
      return criterion.instanceIds.includes(member.instanceId)
        ? { kind: 'old', why: 'it is named' }
        : { kind: 'new' };
    case 'older-than':
      return launch.launchedAt < startedAt - criterion.seconds * 1000
        ? { kind: 'old', why: `it was launched at ${new Date(launch.launchedAt).toISOString()}` }
        : { kind: 'new' };
    case 'below':
      return judgeKubelet(member, criterion.kubeletVersion);
    case 'changed': {
      const name = member.autoScalingGroupName;
      const target = groups.find(({ autoScalingGroupName }) => autoScalingGroupName === name)?.target;
      if (target === undefined)
        return { kind: 'unknown', why: 'the roll does not say what its group launches' };
      const change = changeOf(launch, target);
      return change === undefined ? { kind: 'new' } : { kind: 'old', why: change };
    }
  }
}

/** What differs between the launch of an instance and what its group launches; undefined if nothing does. Pure. */
export function changeOf(
  { template, imageId }: Pick<InstanceLaunch, 'template' | 'imageId'>,
  { main, overrides = [] }: LaunchTarget,
): string | undefined {
  if (template === undefined) return `it was not launched from ${main.templateId}`;
  const ofTemplate = [main, ...overrides].filter(({ templateId }) => templateId === template.templateId);
  const ofVersion = ofTemplate.filter(({ version }) => version === template.version);
  if (ofTemplate.length === 0) return `${template.templateId} -> ${main.templateId}`;
  if (ofVersion.length === 0)
    return `v${template.version} -> ${ofTemplate.map(({ version }) => `v${version}`).join(' or ')}`;
  return ofVersion.some((one) => one.imageId === imageId)
    ? undefined
    : `${imageId} -> ${ofVersion.map((one) => one.imageId).join(' or ')}`;
}

function judgeKubelet({ node }: RollMember, bound: string): Age {
  const text = node?.status?.nodeInfo?.kubeletVersion;
  if (text === undefined) return { kind: 'unknown', why: 'it has no Node, which would show its kubelet' };
  const version = numbersOf(text);
  if (version === undefined) return { kind: 'unknown', why: `its kubelet is of version ${text}` };
  return isBelow(version, numbersOf(bound) ?? [])
    ? { kind: 'old', why: `its kubelet is ${text}` }
    : { kind: 'new' };
}

/** `v1.34.2-eks-0123abc` is 1, 34, 2. */
function numbersOf(text: string): readonly number[] | undefined {
  const found = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return found ? [found[1], found[2], found[3] ?? '0'].map(Number) : undefined;
}

function isBelow(version: readonly number[], bound: readonly number[]): boolean {
  const at = version.findIndex((number, index) => number !== bound[index]);
  return at !== -1 && (version[at] ?? 0) < (bound[at] ?? 0);
}

/** Why a roll does not touch this old instance, with what becomes of it; undefined if it may. Pure. */
export function whyLeftOut(
  member: RollMember,
  role: 'worker' | 'control-plane' | 'etcd',
): string | undefined {
  const { lifecycleState, protectedFromScaleIn } = member;
  if (isRetained(member)) return `it is ${lifecycleState}, which keeps it for its operator`;
  if (lifecycleState.includes('Standby'))
    return `it is ${lifecycleState}: once it is back in service, another roll replaces it`;
  if (isWarmed(member))
    return `it is in the warm pool (${lifecycleState}), and comes into service as it is: terminate it with ${terminateCommand(member)}, and Auto Scaling fills the pool again`;
  if (lifecycleState.startsWith('Detach'))
    return `it is ${lifecycleState}, and its group does not count it any more`;
  if (!isInService(member)) return undefined;
  if (protectedFromScaleIn)
    return 'it is protected from scale-in: remove the protection, and the next roll replaces it';
  // Members of etcd may have no kubelet.
  return member.node === undefined && role !== 'etcd'
    ? 'it has no Node, so nothing shows what it runs'
    : undefined;
}

/** Of an instance of a warm pool, which the desired capacity does not count. */
const terminateCommand = ({ instanceId }: Pick<RollMember, 'instanceId'>): string =>
  `aws autoscaling terminate-instance-in-auto-scaling-group --instance-id ${instanceId} --no-should-decrement-desired-capacity`;
