import type { Cloud } from '@drover/cloud-sandbox';
import { AwsError } from '@drover/cloud-sandbox/aws';
import { planChange } from '../../shared/roll/change-roll.ts';
import { askParameterOf, formatRoll, rollPathsOf } from '../../shared/roll/roll.ts';
import { clusterName } from '../names.ts';
import type { Action } from './action-schema.ts';
import { storedRolls } from './state/rolls.ts';

/**
 * Pauses, resumes or aborts a roll, as its command does, and describes it in a sentence.
 *
 * @throws AwsError if there is no such roll, or it cannot become that.
 */
export function changeRoll(
  account: Cloud['account'],
  { name, deed }: Extract<Action, { readonly action: 'roll' }>,
): string {
  const rolls = storedRolls(account.ssm, clusterName);
  const stored = rolls.find((roll) => roll.name === name);
  if (stored === undefined)
    throw new AwsError({ code: 'ParameterNotFound', message: `There is no roll ${name}.` });
  const change = planChange(stored, { kind: deed }, { now: account.clock.now(), rolls });
  if (change.kind === 'refused')
    throw new AwsError({ code: 'ValidationException', message: `Roll ${name}: ${change.why}.` });
  if (change.kind === 'unchanged') return `Roll ${name}: ${change.why}.`;
  account.ssm.operations.PutParameter(
    {
      Name: askParameterOf(rollPathsOf(clusterName), name),
      Value: formatRoll(change.roll),
      Type: 'String',
      Overwrite: true,
    },
    { principal: account.operator, requestId: 'dashboard' },
  );
  return done[deed](name);
}

const done = {
  pause: (name: string) => `Roll ${name} pauses: no further node is replaced, and one that leaves goes on.`,
  resume: (name: string) => `Roll ${name} goes on within a minute.`,
  abort: (name: string) => `Roll ${name} ends: its taints and marks go within minutes.`,
} as const;
