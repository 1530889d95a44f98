import type { EtcdDecision, EtcdStep } from '../../../shared/etcd/decision.ts';
import type { RecordPlan } from '../../../shared/etcd/plan-records.ts';
import { planPublication } from '../../../shared/etcd/plan-records.ts';
import type { RecordChange } from '../../../shared/etcd/zone.ts';
import type { CliContext } from '../../context.ts';
import { jsonText } from '../../json-text.ts';
import { oneLine } from '../../plain-text.ts';
import { etcdContextOf, observeZone } from './access.ts';
import type { ZoneFlags } from './flags.ts';

export interface PlanFlags extends ZoneFlags {
  readonly json?: true;
}

/** `drover etcd plan`: what a pass would do now, and why; nothing is done. */
export async function showEtcdPlan(flags: PlanFlags, context: CliContext): Promise<void> {
  const { observation, decision } = await observeZone(etcdContextOf(flags, context));
  const records = decision.publication ? planPublication(observation, decision.publication).plan : undefined;
  context.stdout.write(flags.json ? jsonText(toJson(decision, records)) : planText(decision, records));
}

const toJson = (
  { step, settled, held, problems, states }: EtcdDecision,
  records: RecordPlan | undefined,
) => ({
  changes: records?.changes ?? [],
  conflicts: records?.conflicts ?? [],
  foreign: records?.foreign ?? [],
  step: step ?? null,
  states,
  continue: settled,
  held,
  problems,
});

function planText(decision: EtcdDecision, records: RecordPlan | undefined): string {
  const { step, settled, held, problems } = decision;
  const changes = [...(records?.changes ?? []).map(changeLine), ...(step ? [stepLine(step)] : [])];
  const lines = [
    ...(changes.length > 0 ? changes : ['no changes']),
    ...settled.map((instanceId) => `settled   ${instanceId}: if its hook waits, it is completed`),
    ...held.map(({ instanceId, why }) => `keep      ${instanceId}: ${why}`),
    ...(records?.foreign ?? []).map(({ type, name }) => `not ours  ${type} ${name}: left alone`),
    ...(records?.conflicts ?? []).map(({ type, name, why }) => `! in the way: ${type} ${name}: ${why}`),
    ...problems.map((problem) => `! ${problem}`),
  ];
  return `${lines.map(oneLine).join('\n')}\n`;
}

const changeLine = ({ action, record: { type, name, ttlSeconds, values } }: RecordChange): string =>
  `${action === 'delete' ? '- record ' : '+ record '} ${type} ${name} ${ttlSeconds} ${values.join(' | ')}`;

function stepLine(step: EtcdStep): string {
  if (step.kind === 'add')
    return `+ member  ${step.instanceId}: ${step.peerUrl}, as a learner where etcd knows them`;
  if (step.kind === 'promote') return `* member  ${step.instanceId}: from learner to voter`;
  return `- member  ${step.instanceId || step.member.name}: ${step.why}`;
}
