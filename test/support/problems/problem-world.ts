import type { CallInFlight, Strike } from '@drover/cloud-sandbox';
import {
  createDroverWorld,
  type DroverWorld,
  type DroverWorldOptions,
  terminate,
  withWorkers,
} from '../../../local/world/drover-world.ts';
import { heldDeployment, run } from '../../../local/world/workloads.ts';
import { untilSaid } from '../observed-instance.ts';

/** A world whose calls can be made to fail from now on. */
export interface ProblemWorld extends DroverWorld {
  readonly fail: (isHit: (call: CallInFlight) => boolean) => void;
}

export function createProblemWorld(options: DroverWorldOptions = {}): ProblemWorld {
  let isHit: (call: CallInFlight) => boolean = () => false;
  const strike = (call: CallInFlight): Strike | undefined =>
    isHit(call) ? { kind: 'fail-before' } : undefined;
  return {
    ...createDroverWorld({ ...options, weather: { strike } }),
    fail: (calls) => {
      isHit = calls;
    },
  };
}

export const minutes = 60;

type Plan = Parameters<typeof withWorkers>[1];

/** A node of two whose budget holds its pods. */
export async function heldNode(world: DroverWorld, plan: Partial<Plan> = {}): Promise<string> {
  const [leaving = ''] = await withWorkers(world, {
    size: 2,
    tags: { 'drover.dev/drain-timeout': '2h' },
    ...plan,
  });
  await run(world, ...heldDeployment({ name: 'held', replicas: 2 }));
  terminate(world, leaving, { replace: false });
  await untilSaid(world, leaving, /held/);
  return leaving;
}

const prefix = 'drover-dev-';

/** Puts what the alarm measures until it is raised. */
export async function raise(world: DroverWorld, name: string): Promise<void> {
  const alarmName = `${prefix}${name}`;
  const metric = world.wiring.alarms.find((alarm) => alarm.alarmName === alarmName)?.metrics[0];
  if (metric === undefined) throw new Error(`there is no alarm ${name}`);
  world.alarms.start();
  for (let minute = 0; world.alarms.stateOf(alarmName) !== 'ALARM'; minute += 1) {
    if (minute > 60) throw new Error(`${name} is not raised`);
    world.alarms.putMetric({ ...metric, value: 1_000_000, at: world.clock.now() });
    await world.timeline.pass(minutes);
  }
}

/** Disables the rule that invokes a function on a schedule. */
export function disableScheduleOf({ account }: DroverWorld, functionName: string): void {
  for (const { Name } of account.events.operations.ListRules({}).Rules) {
    const { Targets } = account.events.operations.ListTargetsByRule({ Rule: Name });
    if (Targets.some(({ Arn }) => Arn?.endsWith(`:${prefix}${functionName}`)))
      account.events.operations.DisableRule({ Name });
  }
}

/** Puts a message into the dead-letter queue of the inbox. */
export function deadLetterIn({ account: { sqs } }: DroverWorld): void {
  const queue = sqs.controls.queueNames().find((name) => name.endsWith('-InboxDeadLetterQueue'));
  sqs.controls.send(queue ?? '', { MessageBody: '{}' });
}
