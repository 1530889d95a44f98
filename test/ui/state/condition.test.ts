import { expect, it } from 'vitest';
import { inMotion, placed } from '../../../ui/state/condition.ts';
import { group, instance, leavingInstance, node, now } from '../states.ts';

it('shows what fails first, then what leaves by its deadline, then what joins', () => {
  const { leaving } = leavingInstance().node ?? node();
  const leavingBy = (instanceId: string, until: number) =>
    leavingInstance({ instanceId, node: node({ ...(leaving && { leaving: { ...leaving, until } }) }) });
  const instances = [
    instance({ instanceId: 'joins', lifecycleState: 'Pending:Wait' }),
    leavingBy('leaves later', now + 120_000),
    instance({ instanceId: 'serves' }),
    instance({ instanceId: 'fails', node: node({ ready: false }) }),
    leavingBy('leaves soon', now + 60_000),
  ];
  const shown = inMotion(placed([group({ instances })]));
  expect(shown.map((one) => one.instance.instanceId)).toEqual([
    'fails',
    'leaves soon',
    'leaves later',
    'joins',
  ]);
});
