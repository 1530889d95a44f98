import { durationText } from '../../shared/base/duration.ts';
import type { AutoScalingGroup } from '../../shared/groups/group.ts';
import { counted } from '../counted.ts';
import { jsonText } from '../json-text.ts';
import { painted, type Text } from '../output.ts';
import { oneLine } from '../plain-text.ts';
import { podCount } from './objects.ts';
import { trialNamespace } from './record.ts';
import { trialTaint } from './taint.ts';

const stepNames = ['hold', 'join', 'pods', 'drain'] as const;

export type StepName = (typeof stepNames)[number];

export interface StepResult {
  readonly step: StepName;
  readonly passed: boolean;
  readonly seconds: number;
  readonly reason: string;
}

export interface TrialResult {
  readonly cluster: string;
  readonly group: string;
  readonly instanceId: string | null;
  readonly steps: readonly StepResult[];
  /** What the trial could not remove, each with what to do about it. */
  readonly left: readonly string[];
  /** What something else has changed meanwhile. */
  readonly notes: readonly string[];
}

export const planJson = (
  { autoScalingGroupName: group, desiredCapacity, minSize }: AutoScalingGroup,
  cluster: string,
): string => jsonText({ cluster, group, desiredCapacity, minSize, nodes: desiredCapacity + 1 });

/** What a trial would do, for the operator who decides. */
export function planText(
  { autoScalingGroupName, desiredCapacity, minSize }: AutoScalingGroup,
  clusterName: string,
): string {
  return [
    `A trial of ${autoScalingGroupName} in cluster ${clusterName}, which has ${counted(desiredCapacity, 'node')} (MinSize ${minSize}):`,
    `  hold   a hold for ${counted(desiredCapacity + 1, 'node')} raises MinSize, Auto Scaling launches an instance, and the hold ends`,
    '  join   the instance becomes a Ready node in service',
    `  pods   ${podCount} pods that do nothing start on it, in namespace ${trialNamespace}, with a budget that lets one go at a time`,
    '  drain  the instance is terminated with a lower desired capacity, and Drover drains its node',
    `It takes 5 to 15 minutes, and costs one instance meanwhile. The new node has the taint ${trialTaint.key}, so that other pods do not come to it.`,
    '',
  ].join('\n');
}

export const stepText = ({ step, passed, seconds, reason }: StepResult): Text => [
  step.padEnd(7),
  passed ? painted('green', 'passed') : painted('red', 'failed'),
  ` in ${durationText(seconds)}: ${oneLine(reason)}\n`,
];

/** What comes after the lines of the steps. */
export const endText = ({ group, steps, left, notes }: TrialResult): Text => [
  notes.map((note) => `note: ${oneLine(note)}\n`),
  leftText(left),
  hasPassed({ steps })
    ? `The trial of ${group} has passed${left.length === 0 ? ', and nothing of it is left' : ''}\n`
    : '',
];

/** What is left of a trial, a line each. */
export const leftText = (left: readonly string[]): Text =>
  left.map((one): Text => [painted('yellow', 'left'), `   ${oneLine(one)}\n`]);

/** All steps, and each has passed. Pure. */
export const hasPassed = ({ steps }: Pick<TrialResult, 'steps'>): boolean =>
  steps.length === stepNames.length && steps.every(({ passed }) => passed);
