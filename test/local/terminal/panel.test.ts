import { expect, test } from 'vitest';
import { renderPanel } from '../../../local/terminal/panel.ts';
import { calmView, etcdMember, instance, node, noEtcd } from '../story/views.ts';

const plain = { columns: 100, colour: false };

test('each instance has a row with its state, its node and its pods', () => {
  const rows = renderPanel(
    {
      ...calmView,
      instances: [instance('i-1'), instance('i-2', { lifecycleState: 'Terminating:Wait' }), instance('i-3')],
      nodes: [node('ip-1', 'i-1'), node('ip-2', 'i-2', { cordoned: true })],
    },
    plain,
  );
  expect(rows.slice(1, 4)).toEqual([
    '● InService           ip-1           Ready    1 pod   i-1',
    '◐ Terminating:Wait    ip-2           cordoned 2 pods  i-2',
    '● InService           no node                         i-3',
  ]);
});

test('a member of etcd is shown with its role in the cluster', () => {
  const members = [etcdMember('i-3'), etcdMember('i-4', { standing: 'learner' })];
  const view = { ...calmView, instances: [instance('i-3'), instance('i-4')], etcd: { ...noEtcd, members } };
  expect(renderPanel(view, plain).slice(1, 3)).toEqual([
    '● InService           etcd voter                      i-3',
    '● InService           etcd learner                    i-4',
  ]);
});

test('a budget that allows no disruption is shown as such', () => {
  const budgets = [{ namespace: 'default', name: 'web', healthy: 4, desired: 4, disruptionsAllowed: 0 }];
  expect(renderPanel({ ...calmView, budgets }, plain)).toContain(
    '  budget web: 4 healthy, 4 needed, none may be evicted',
  );
});

test('no row is wider than the terminal, and many instances are counted', () => {
  const instances = Array.from({ length: 12 }, (_, index) => instance(`i-${index}`));
  const rows = renderPanel({ ...calmView, instances }, { columns: 30, colour: false });
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(30);
  expect(rows).toContain('  and 4 more instances');
});
