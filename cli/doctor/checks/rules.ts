import {
  type EventBridgeClient,
  ListTargetsByRuleCommand,
  type Rule,
  TestEventPatternCommand,
} from '@aws-sdk/client-eventbridge';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { type AutoScalingGroup, findTerminatingHook } from '../../../shared/groups/group.ts';
import { hookNeeded } from '../../../shared/problems/hook-problems.ts';
import { clusterOfSweep } from '../../deployments/deployments.ts';
import { rulesNamed } from '../../deployments/rules-named.ts';
import { checkOf, type Finding } from '../check.ts';
import type { DoctorContext } from '../doctor-context.ts';
import { restoreStack } from '../restore-stack.ts';

/** Rules without which events or sweeps are missing, by the ends of their names. */
const needed = [
  'lifecycle-action',
  'scaling-activity',
  'spot-interruption',
  'rebalance',
  'state-change',
  'capacity-reservation',
  'health',
  'sweep',
] as const;

/** A deployment may leave these out. */
const optional = ['bootstrap-credential', 'certificate-requests', 'etcd-snapshot', 'roll'] as const;

interface ObservedRule {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly targets: number;
}

interface ObservedRules {
  readonly clusterName: string;
  /** The cluster of the stage; undefined if its template does not say it. */
  readonly servedCluster: string | undefined;
  readonly stage: string;
  readonly rules: readonly ObservedRule[];
  /** Groups whose lifecycle actions the rule does not match. */
  readonly unmatched: readonly { readonly group: string; readonly hook: string }[];
}

/** The rules of the deployment: that they are there and enabled, and that they match the events of every group. */
export const rules = checkOf({ name: 'rules', read, judge: judgeRules });

async function read(context: DoctorContext): Promise<ObservedRules> {
  const { events } = context;
  const stage = await context.stage();
  const ours = new Set([...needed, ...optional].map((name) => `${prefixOf(stage)}${name}`));
  // Another stage may have a name that begins with this one's.
  const found = (await rulesNamed(events, prefixOf(stage))).filter(({ Name = '' }) => ours.has(Name));
  const ofActions = found.find(({ Name }) => Name === `${prefixOf(stage)}lifecycle-action`);
  const sweep = found.find(({ Name }) => Name === `${prefixOf(stage)}sweep`);
  return {
    clusterName: context.clusterName,
    servedCluster: clusterOfSweep(sweep?.Description ?? ''),
    stage,
    rules: await Promise.all(found.map((rule) => observe(events, rule))),
    unmatched: ofActions ? await findUnmatched(context, ofActions) : [],
  };
}

const prefixOf = (stage: string): string => `drover-${stage}-`;

async function observe(events: EventBridgeClient, { Name = '', State }: Rule): Promise<ObservedRule> {
  const { Targets = [] } = await events.send(new ListTargetsByRuleCommand({ Rule: Name }));
  return { name: Name, isEnabled: State !== 'DISABLED', targets: Targets.length };
}

async function findUnmatched(
  context: DoctorContext,
  { EventPattern }: Rule,
): Promise<ObservedRules['unmatched']> {
  const [groups, hooks] = await Promise.all([context.managedGroups(), context.hooks()]);
  const tested = await Promise.all(
    groups.map(async (group) => {
      const hook = hookNeeded(group, context);
      if (!findTerminatingHook(hooks.get(group.autoScalingGroupName), hook)) return [];
      const Event = JSON.stringify(terminateAction(group, hook, context));
      const { Result } = await context.events.send(new TestEventPatternCommand({ EventPattern, Event }));
      return Result ? [] : [{ group: group.autoScalingGroupName, hook }];
    }),
  );
  return tested.flat();
}

/** An event as Auto Scaling sends it, with the members that EventBridge requires. */
const terminateAction = (
  { autoScalingGroupName }: AutoScalingGroup,
  hook: string,
  { at, region }: Pick<DoctorContext, 'at' | 'region'>,
) => ({
  id: '00000000-0000-0000-0000-000000000000',
  account: '123456789012',
  region,
  time: new Date(at).toISOString(),
  source: 'aws.autoscaling',
  resources: [],
  'detail-type': 'EC2 Instance-terminate Lifecycle Action',
  detail: {
    AutoScalingGroupName: autoScalingGroupName,
    LifecycleHookName: hook,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
    EC2InstanceId: 'i-00000000000000000',
  },
});

/** Pure. */
export function judgeRules({
  clusterName,
  servedCluster,
  stage,
  rules: found,
  unmatched,
}: ObservedRules): readonly Finding[] {
  if (servedCluster !== undefined && servedCluster !== clusterName)
    return [
      {
        verdict: 'fix',
        subject: stage,
        message: `this stage belongs to the cluster ${servedCluster}, so its rules, queues and parameters serve no node of ${clusterName}: name the stage of ${clusterName} with --stage, or deploy one`,
      },
    ];
  const restore = restoreStack(stage);
  const names = new Set(found.map(({ name }) => name));
  const missing = needed
    .map((name) => `${prefixOf(stage)}${name}`)
    .filter((name) => !names.has(name))
    .map(
      (subject): Finding => ({
        verdict: 'fix',
        subject,
        message: 'this rule is missing: its events never arrive',
        command: restore,
      }),
    );
  const broken = found.flatMap((rule) => judgeRule(rule, restore));
  const deaf = unmatched.map(
    ({ group, hook }): Finding => ({
      verdict: 'fix',
      subject: group,
      message: `no rule matches its events of ${hook}: correct groupNamePattern or the name of the hook in deploy/stages/${stage}.yml`,
      command: `npx --no -- serverless deploy --stage ${shellWord(stage)}`,
    }),
  );
  const problems = [...missing, ...broken, ...deaf];
  const message = `${found.length} rules are enabled, and match the events of every group`;
  return problems.length > 0 ? problems : [{ verdict: 'ok', subject: stage, message }];
}

function judgeRule({ name, isEnabled, targets }: ObservedRule, restore: string): readonly Finding[] {
  if (!isEnabled)
    return [
      {
        verdict: 'fix',
        subject: name,
        message: 'this rule is disabled',
        command: `aws events enable-rule --name ${shellWord(name)}`,
      },
    ];
  return targets > 0
    ? []
    : [{ verdict: 'fix', subject: name, message: 'this rule has no target', command: restore }];
}
