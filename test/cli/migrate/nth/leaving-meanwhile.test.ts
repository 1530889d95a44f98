import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DroverWorld, membersOf, stateOf, terminate } from '../../../../local/world/drover-world.ts';
import { operatorOf } from '../../operator.ts';
import { handedOver, instanceIds, managedTag, nthHook, nthWorld } from './world.ts';

/** The hooks that each instance waits for: those that the group had when it began to leave. */
type Leaving = Map<string, readonly string[]>;

const drovers = 'drover-node-leaving';

const hookNames = (world: DroverWorld): readonly string[] =>
  handedOver(world).hooks.map(({ LifecycleHookName = '' }) => LifecycleHookName);

const tagsOf = ({ account }: DroverWorld, id: string): readonly string[] =>
  (account.ec2.operations.DescribeTags({ Filters: [{ Name: 'resource-id', Values: [id] }] }).Tags ?? []).map(
    ({ Key = '' }) => Key,
  );

/** Begins to terminate an instance in service, but for the one whose Node shows the cluster of the group. */
function leaveOne(world: DroverWorld, kept: string | undefined, leaving: Leaving): void {
  const id = membersOf(world).find(
    ({ LifecycleState, InstanceId }) => LifecycleState === 'InService' && InstanceId !== kept,
  )?.InstanceId;
  if (id === undefined) return;
  leaving.set(id, hookNames(world));
  terminate(world, id);
}

/** The instances that wait, and that no hook holds whose program knows them as its own. */
function undrained(world: DroverWorld, leaving: Leaving, deleted?: string): readonly object[] {
  const now = hookNames(world).filter((name) => name !== deleted);
  const ours = handedOver(world).tags.includes('drover.dev/role=worker false');
  return [...leaving]
    .filter(([id]) => stateOf(world, id) === 'Terminating:Wait')
    .filter(([id, hooks]) => {
      const holds = (name: string): boolean => hooks.includes(name) && now.includes(name);
      const isHandlers = holds(nthHook) && tagsOf(world, id).includes(managedTag);
      return !isHandlers && !(holds(drovers) && ours);
    })
    .map(([id, hooks]) => ({ id, hooks, now, deleted }));
}

/** A deletion ends the waits on the hook at once: afterwards nothing shows that the instance was not drained. */
function watchDeletions(world: DroverWorld, leaving: Leaving): object[] {
  const lost: object[] = [];
  const { operations } = world.account.autoScaling;
  const original = operations.DeleteLifecycleHook;
  operations.DeleteLifecycleHook = (input) => {
    lost.push(...undrained(world, leaving, input.LifecycleHookName));
    return original(input);
  };
  return lost;
}

const calls = fc.uniqueArray(fc.nat(60), { minLength: 1, maxLength: 4 });

describe('an instance that begins to leave during a hand-over', () => {
  it('is always held by a hook whose program drains it, whenever it begins and wherever the run is killed', async () => {
    let waits = 0;
    await fc.assert(
      fc.asyncProperty(
        calls,
        fc.option(fc.nat(60)),
        fc.constantFrom('', '--back '),
        async (begins, kill, way) => {
          const world = await nthWorld();
          if (way !== '') await operatorOf(world)('migrate nth --apply --yes');
          const [kept] = instanceIds(world);
          const leaving: Leaving = new Map();
          const lost = watchDeletions(world, leaving);
          let made = 0;
          const onAwsCall = (): void => {
            // The command would take an error here for one of AWS.
            lost.push(...undrained(world, leaving));
            waits += [...leaving.keys()].filter((id) => stateOf(world, id) === 'Terminating:Wait').length;
            if (begins.includes(made)) leaveOne(world, kept, leaving);
            made += 1;
            if (made - 1 === kill) throw new Error('killed');
          };
          const line = `migrate nth ${way}--apply --yes --wait 20m`;
          await operatorOf(world, { onAwsCall })(line);
          expect(undrained(world, leaving)).toEqual([]);
          // What was refused because an instance waited goes on with the next run.
          for (let run = 0; run < 6; run += 1) {
            await world.timeline.pass(60);
            expect(undrained(world, leaving)).toEqual([]);
            const { code } = await operatorOf(world, { onAwsCall })(line);
            expect(undrained(world, leaving)).toEqual([]);
            if (code === 0) break;
          }
          expect(lost).toEqual([]);
          expect(hookNames(world)).toEqual([way === '' ? drovers : nthHook]);
        },
      ),
      { numRuns: 6 },
    );
    expect(waits).toBeGreaterThan(0);
  }, 120_000);
});

describe('an instance that EC2 no longer runs', () => {
  it('is not waited for: the handler ignores it, and its hook would hold it for its whole timeout', async () => {
    const world = await nthWorld({ heartbeatTimeoutSeconds: 3600 });
    const [, id = ''] = instanceIds(world);
    world.account.ec2.operations.TerminateInstances({ InstanceIds: [id] });
    for (let waited = 0; waited < 300 && stateOf(world, id) !== 'Terminating:Wait'; waited += 5)
      await world.timeline.pass(5);
    expect(stateOf(world, id)).toBe('Terminating:Wait');
    const drover = operatorOf(world);
    expect(await drover('migrate nth --apply --yes --wait 0')).toMatchObject({ code: 0, err: '' });
    expect(hookNames(world)).toEqual([drovers]);
    await world.timeline.pass(30);
    expect(stateOf(world, id)).not.toBe('Terminating:Wait');
  });
});
