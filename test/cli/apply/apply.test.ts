import { describe, expect, it } from 'vitest';
import { serving } from '../../../local/world/holds.ts';
import { createApplyWorld, shop, stateOf } from './support.ts';

const without = (text: string, list: 'holds' | 'schedules'): string =>
  list === 'holds'
    ? text.replace(/holds:[\s\S]*?(?=schedules:)/, 'holds: []\n')
    : text.replace(/schedules:[\s\S]*$/, 'schedules: []\n');

const made = [
  {
    name: 'sale',
    nodes: 3,
    until: '2026-01-05T19:00:00.000Z',
    set: 'shop',
    expression: undefined,
  },
  { name: 'office-hours', nodes: 5, until: undefined, set: 'shop', expression: 'cron(0 8 ? * MON-FRI *)' },
];

describe('drover apply', () => {
  it('creates what the file declares, and its nodes are launched', async () => {
    const { world, drover } = await createApplyWorld();
    expect(await drover('apply -f drover.yaml')).toEqual({
      code: 0,
      out: 'created hold sale of workers\ncreated schedule office-hours\n2 created\n',
      err: '',
    });
    expect(await stateOf(drover)).toEqual(made);
    await world.timeline.until(() => serving(world) === 3, { withinSeconds: 300, what: 'the nodes' });
  });

  it('applied twice changes nothing, whatever the form of its times and dates', async () => {
    const { drover, declare } = await createApplyWorld();
    await drover('apply -f drover.yaml');
    declare(
      shop
        .replace('2026-01-05T20:00:00+01:00', '"2026-01-05T19:00:00.000Z"')
        .replace('[2026-12-25, 2026-04-06]', '[2026-04-06, 2026-12-25, 2026-12-25]')
        .replace('    lead: 600\n', '    lead: 600\n    raiseMaxSize: false\n'),
    );
    expect(await drover('apply -f drover.yaml --prune')).toEqual({ code: 0, out: '2 unchanged\n', err: '' });
    expect(await drover('diff -f drover.yaml --prune')).toEqual({ code: 0, out: '', err: '' });
  });

  it('replaces a record whose declaration has changed, and reports each field', async () => {
    const { drover, declare } = await createApplyWorld();
    await drover('apply -f drover.yaml');
    declare(shop.replace('nodes: 3', 'nodes: 4').replace('lead: 600', 'lead: measured'));
    expect((await drover('apply -f drover.yaml')).out).toBe(
      'replaced hold sale of workers: nodes 3 -> 4\nreplaced schedule office-hours: lead 600 -> measured\n2 replaced\n',
    );
    expect((await stateOf(drover))[0]).toMatchObject({ nodes: 4, set: 'shop' });
  });

  it('a replaced schedule that was paused by hand stays paused', async () => {
    const { drover, declare } = await createApplyWorld();
    await drover('apply -f drover.yaml');
    await drover('schedule pause office-hours');
    declare(shop.replace('nodes: 5', 'nodes: 6'));
    await drover('apply -f drover.yaml');
    expect(JSON.parse((await drover('schedule list --json')).out)).toMatchObject([
      { nodes: 6, paused: true },
    ]);
  });

  it('changes nothing in a dry run', async () => {
    const { drover } = await createApplyWorld();
    expect((await drover('apply -f drover.yaml --dry-run')).out).toBe(
      'would create hold sale of workers\nwould create schedule office-hours\n2 to create (dry run)\n',
    );
    expect(await stateOf(drover)).toEqual([]);
  });

  it('reads several files and documents, of several sets, and the standard input', async () => {
    const { world, declare } = await createApplyWorld();
    declare(
      'version: 1\nset: team-a\nholds: []\n---\n# only a comment\n---\nversion: 1\nset: team-b\nschedules: []\n',
    );
    const { drover } = await createApplyWorld({ world, typed: shop.split('\n') });
    expect((await drover('apply -f -')).out).toContain('2 created');
    const both = await createApplyWorld({ world });
    both.declare(
      shop.replace('set: shop', 'set: other').replaceAll('sale', 'b').replaceAll('office-hours', 'c'),
      'b.yaml',
    );
    expect((await both.drover('apply -f drover.yaml -f b.yaml')).out).toContain('2 created, 2 unchanged');
  });

  it('prints JSON with the place of each declaration', async () => {
    const { drover } = await createApplyWorld();
    expect(JSON.parse((await drover('apply -f drover.yaml --json')).out)).toMatchObject({
      done: true,
      steps: [
        {
          action: 'create',
          kind: 'hold',
          autoScalingGroupName: 'workers',
          name: 'sale',
          at: 'drover.yaml:4',
        },
        { action: 'create', kind: 'schedule', name: 'office-hours', set: 'shop', at: 'drover.yaml:9' },
      ],
    });
  });

  it('does and prints the same through the scale API', async () => {
    const [direct, api] = [await createApplyWorld(), await createApplyWorld()];
    for (const [line, text] of [
      ['diff -f drover.yaml', shop],
      ['apply -f drover.yaml --dry-run', shop],
      ['apply -f drover.yaml', shop],
      ['apply -f drover.yaml', shop],
      ['apply -f drover.yaml', shop.replace('nodes: 3', 'nodes: 4').replace('nodes: 5', 'nodes: 6')],
      ['apply -f drover.yaml', shop.replace('nodes: 3', 'nodes: 99')],
      ['apply -f drover.yaml --prune', without(shop, 'holds')],
      ['diff -f drover.yaml --prune', without(shop, 'schedules')],
    ] as const) {
      direct.declare(text);
      api.declare(text);
      const [one, other] = [await direct.drover(line), await api.overApi(`${line} --api`)];
      expect([line, other.code, other.out]).toEqual([line, one.code, one.out]);
      expect(other.err === '').toBe(one.err === '');
    }
    expect(await stateOf(api.drover)).toEqual(await stateOf(direct.drover));
  });

  it('refuses a document for another cluster', async () => {
    const { drover, overApi, declare } = await createApplyWorld();
    declare(shop.replace('set: shop', 'set: shop\ncluster: staging'));
    for (const run of [drover('apply -f drover.yaml'), overApi('apply -f drover.yaml --api')])
      expect(await run).toMatchObject({
        code: 2,
        err: 'drover: nothing is applied:\n  drover.yaml:3: is for cluster staging, and this is drover\n',
      });
    declare(shop.replace('set: shop', 'set: shop\ncluster: drover'));
    expect((await overApi('apply -f drover.yaml --api')).code).toBe(0);
  });

  it('checks everything before the first change, and names every refusal', async () => {
    const { drover, declare } = await createApplyWorld();
    declare(
      shop
        .replace('nodes: 5', 'nodes: 50')
        .replace(
          'schedules:',
          '  - { autoScalingGroupName: wrokers, name: x, nodes: 1, until: "2026-01-06T00:00:00Z" }\nschedules:',
        ),
    );
    const { code, err } = await drover('apply -f drover.yaml');
    expect(code).toBe(1);
    expect(err.split('\n')).toEqual([
      'drover: nothing is applied:',
      expect.stringMatching(/^ {2}drover\.yaml:8: hold x of wrokers: .*wrokers/),
      expect.stringMatching(/^ {2}drover\.yaml:10: schedule office-hours: .*50 nodes, and MaxSize is 10/),
      '',
    ]);
    expect(await stateOf(drover)).toEqual([]);
  });
});

describe('drover apply --prune', () => {
  it('ends holds and deletes schedules that the set declared before', async () => {
    const { drover, declare } = await createApplyWorld();
    await drover('apply -f drover.yaml');
    declare(without(without(shop, 'schedules'), 'holds'));
    expect((await drover('apply -f drover.yaml')).out).toBe(
      'hold sale of workers: set shop does not declare it any more; --prune ends it\n' +
        'schedule office-hours: set shop does not declare it any more; --prune deletes it\nnothing to do\n',
    );
    expect(await stateOf(drover)).toEqual(made);
    expect((await drover('apply -f drover.yaml --prune')).out).toBe(
      'ended hold sale of workers: set shop does not declare it any more\n' +
        'deleted schedule office-hours: set shop does not declare it any more\n2 pruned\n',
    );
    expect(await stateOf(drover)).toEqual([]);
  });

  it('never prunes what was made by hand, by another set, or by a schedule', async () => {
    const { world, drover, declare } = await createApplyWorld();
    await drover('hold create workers 2 --for 8h --name by-hand');
    declare(shop.replace('set: shop', 'set: other'));
    await drover('apply -f drover.yaml');
    await world.timeline.pass(120);
    const before = await stateOf(drover);
    declare('version: 1\nset: shop\nholds: []\nschedules: []\n');
    expect((await drover('apply -f drover.yaml --prune')).out).toBe('nothing to do\n');
    expect(await stateOf(drover)).toEqual(before);
    expect(before.some(({ name }) => name.startsWith('office-hours.2026'))).toBe(true);
  });
});

describe('drover diff', () => {
  it('shows what apply would do, and ends with 1 if anything differs', async () => {
    const { drover, declare } = await createApplyWorld();
    await drover('hold create workers 2 --until 2026-01-05T16:00Z --name by-hand');
    await drover('apply -f drover.yaml');
    declare(
      without(shop, 'schedules')
        .replace('nodes: 3', 'nodes: 4')
        .replace(
          'schedules:',
          '  - { autoScalingGroupName: workers, name: by-hand, nodes: 2, until: "2026-01-05T16:00:00Z" }\n' +
            '  - { autoScalingGroupName: workers, name: new, nodes: 1, until: "2026-01-06T00:00:00Z", raiseMaxSize: true }\nschedules:',
        ),
    );
    const { code, out, err } = await drover('diff -f drover.yaml --prune');
    expect([code, err]).toEqual([1, 'drover: 4 records differ\n']);
    expect(out).toBe(
      `~ hold sale of workers (drover.yaml:4)
    nodes 3 -> 4
~ hold by-hand of workers (drover.yaml:8)
    set shop adopts what was made by hand by user/ana
+ hold new of workers: at least 1 node until 2026-01-06T00:00:00.000Z (drover.yaml:9)
- schedule office-hours: set shop does not declare it any more
`,
    );
    expect((await stateOf(drover)).map(({ name }) => name)).toEqual(['by-hand', 'sale', 'office-hours']);
  });

  it('ends with 5 if the account cannot be read', async () => {
    const { drover } = await createApplyWorld({ actions: ['autoscaling:*'] });
    expect(await drover('diff -f drover.yaml')).toMatchObject({
      code: 5,
      err: expect.stringMatching(/^drover: whether something differs is unknown: the parameters of holds/),
    });
  });
});
