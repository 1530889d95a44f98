import { expect, it } from 'vitest';
import { keysRow, pressOf } from '../../../../local/terminal/keys/press.ts';
import { renderPanel } from '../../../../local/terminal/panel.ts';
import { calmView, instance, node } from '../../story/views.ts';

const view = {
  ...calmView,
  instances: [
    instance('i-etcd'),
    instance('i-gone', { lifecycleState: 'Terminating:Wait' }),
    instance('i-cordoned'),
    instance('i-spot'),
    instance('i-1'),
    instance('i-2'),
  ],
  nodes: [
    node('ip-gone', 'i-gone'),
    node('ip-cordoned', 'i-cordoned', { cordoned: true }),
    node('ip-new', 'i-new', { ready: false }),
    node('ip-spot', 'i-spot'),
    node('ip-1', 'i-1'),
    node('ip-2', 'i-2'),
  ],
};
const spot = new Set(['i-spot']);

it.each([
  ['o', { kind: 'open' }],
  ['q', { kind: 'quit' }],
  ['Q', { kind: 'quit' }],
  ['\u0003', { kind: 'quit' }],
  ['\u0004', { kind: 'quit' }],
  ['x\u0003', { kind: 'quit' }],
  ['t', { kind: 'act', action: { action: 'terminate', instanceId: 'i-1' } }],
  ['i', { kind: 'act', action: { action: 'interrupt', instanceId: 'i-spot' } }],
])('the key %j does what the row of keys says', (key, press) => {
  expect(pressOf(key, view, spot)).toEqual(press);
});

it.each(['x', '\r', '\u001b[A', 'quit', 'tt', ''])('%j does nothing', (chunk) => {
  expect(pressOf(chunk, view, spot)).toBeUndefined();
});

it('the keys say so if no instance can be taken', () => {
  const empty = { ...view, nodes: [] };
  expect(pressOf('t', empty, spot)).toEqual({
    kind: 'refused',
    why: 'no worker serves that could be terminated',
  });
  expect(pressOf('i', view, new Set())).toMatchObject({ kind: 'refused' });
});

it('the panel names the keys, if there are any, in a row of 80 columns, and otherwise Ctrl-C', () => {
  const look = { columns: 80, colour: false };
  expect(renderPanel(view, look, true).at(-1)).toBe(keysRow);
  expect(renderPanel(view, look).at(-1)).toBe('  Ctrl-C ends the sandbox');
});
