import { describe, expect, it } from 'vitest';
import { readRepair } from '../../../../shared/sweep/repair/settings.ts';

const worker = { 'drover.dev/role': 'worker' };
const read = (value: string, tags = {}) => readRepair({ ...worker, ...tags, 'drover.dev/repair': value });

describe('the tag drover.dev/repair', () => {
  it.each([
    ['NotReady=10m', [{ condition: 'NotReady', seconds: 600 }]],
    ['NotReady=600', [{ condition: 'NotReady', seconds: 600 }]],
    ['NotReady=1m', [{ condition: 'NotReady', seconds: 60 }]],
    ['NotReady=2d', [{ condition: 'NotReady', seconds: 172_800 }]],
    [
      ' NotReady=10m,  KernelReadonlyFilesystem=5m ',
      [
        { condition: 'NotReady', seconds: 600 },
        { condition: 'KernelReadonlyFilesystem', seconds: 300 },
      ],
    ],
    ['example.com/disk-broken=1h30m', [{ condition: 'example.com/disk-broken', seconds: 5400 }]],
  ])('reads %s', (value, rules) => {
    expect(read(value)).toEqual({ rules, problems: [] });
  });

  it.each([
    '',
    ' , ',
    'true',
    'NotReady',
    'NotReady=',
    '=10m',
    'NotReady=59s',
    'NotReady=61000ms1ms',
    'NotReady=2d1s',
    'NotReady=soon',
    'NotReady=10m=5m',
    'Ready=10m',
    'NotReady=10m NotReady=20m',
    'NotReady=10m nonsense',
    '9Ready=10m',
  ])('reports %j, and repairs nothing', (value) => {
    expect(read(value)).toEqual({
      rules: [],
      problems: [expect.stringMatching(/^tag drover.dev\/repair is not CONDITION=DURATION/)],
    });
  });

  it('may be missing', () => {
    expect(readRepair(worker)).toEqual({ rules: [], problems: [] });
  });

  it.each(['control-plane', 'etcd'])('has no effect on a group of role %s, and reports it', (role) => {
    expect(read('NotReady=10m', { 'drover.dev/role': role })).toEqual({
      rules: [],
      problems: [
        `tag drover.dev/repair does nothing: Drover does not repair nodes with the role ${role}, because a replacement could cost the quorum`,
      ],
    });
  });

  it('has no effect on a managed node group of EKS, and reports it', () => {
    expect(read('NotReady=10m', { 'eks:nodegroup-name': 'workers' })).toEqual({
      rules: [],
      problems: ['tag drover.dev/repair does nothing: EKS repairs the nodes of its managed node groups'],
    });
  });
});

describe('the tag drover.dev/repair-window', () => {
  const withWindow = (window: string) => read('NotReady=10m', { 'drover.dev/repair-window': window });

  it('is read beside that of repair', () => {
    expect(withWindow('Mon 09:00-16:00')).toEqual({
      rules: [{ condition: 'NotReady', seconds: 600 }],
      window: [{ days: [1], startMinutes: 540, endMinutes: 960, timeZone: 'UTC' }],
      problems: [],
    });
  });

  it('that cannot be read is a problem, and does not turn off the repair', () => {
    expect(withWindow('Mon 9-16')).toEqual({
      rules: [{ condition: 'NotReady', seconds: 600 }],
      window: 'unreadable',
      problems: [
        'tag drover.dev/repair-window is not times of the week, several separated by semicolons, such as Mon-Fri 09:00-16:00 Europe/Berlin (it must be such as Mon-Fri 09:00-16:00 Europe/Berlin); nodes that are still Ready are not repaired',
      ],
    });
  });

  it('does nothing without that of repair, and is a problem then', () => {
    expect(readRepair({ ...worker, 'drover.dev/repair-window': 'Mon 09:00-16:00' })).toEqual({
      rules: [],
      problems: ['tag drover.dev/repair-window does nothing: the group has no tag drover.dev/repair'],
    });
  });
});
