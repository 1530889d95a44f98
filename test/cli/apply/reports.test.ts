import { describe, expect, it } from 'vitest';
import { createApplyWorld, shop, stateOf } from './support.ts';

/** What other tools that declare, prune and adopt have been reported for; each report is a case here. */
describe('what was reported of other tools', () => {
  it('prunes the last record of a set too (kubernetes/kubectl#555, kubernetes/kubernetes#40635)', async () => {
    const { drover, declare } = await createApplyWorld();
    await drover('apply -f drover.yaml');
    declare('version: 1\nset: shop\nholds: []\n');
    expect((await drover('apply -f drover.yaml --prune')).out).toMatch(/2 pruned\n$/);
    expect(await stateOf(drover)).toEqual([]);
  });

  it('prunes nothing for an empty file, as of a template that failed (argoproj/argo-cd#4464)', async () => {
    const { drover, declare } = await createApplyWorld();
    await drover('apply -f drover.yaml');
    for (const text of ['', '\n---\n# nothing\n', 'version: 1\nset: shop\nholds:\n']) {
      declare(text);
      expect(await drover('apply -f drover.yaml --prune')).toMatchObject({ code: 2, out: '' });
    }
    expect(await stateOf(drover)).toHaveLength(2);
  });

  it('prunes only what it declared (argoproj/argo-cd#14951), and nothing without --prune (kubernetes/kubernetes#33075)', async () => {
    const { drover, declare } = await createApplyWorld();
    await drover('hold create workers 2 --for 8h --name by-hand');
    await drover('apply -f drover.yaml');
    declare('version: 1\nset: shop\nschedules: []\n');
    await drover('apply -f drover.yaml');
    expect(await stateOf(drover)).toHaveLength(3);
    await drover('apply -f drover.yaml --prune');
    expect((await stateOf(drover)).map(({ name }) => name)).toEqual(['by-hand']);
  });

  it('names the record that stopped it, and the rest is made by the next run (kubernetes/kubernetes#66430)', async () => {
    const { drover, declare } = await createApplyWorld();
    await drover('apply -f drover.yaml');
    declare('version: 1\nset: shop\nholds: []\nschedules: []\n');
    const mayNot = await createApplyWorld({ world: (await createApplyWorld()).world });
    expect((await mayNot.drover('apply -f drover.yaml')).code).toBe(0);
    mayNot.declare('version: 1\nset: shop\nholds: []\n');
    const { drover: reader } = await createApplyWorld({
      world: mayNot.world,
      files: { 'drover.yaml': 'version: 1\nset: shop\nholds: []\n' },
      actions: [
        'autoscaling:Describe*',
        'scheduler:Get*',
        'scheduler:List*',
        'ssm:Get*',
        'ssm:DeleteParameter',
        'sts:*',
      ],
    });
    const { code, out, err } = await reader('apply -f drover.yaml --prune');
    expect([code, out]).toEqual([1, 'ended hold sale of workers: set shop does not declare it any more\n']);
    expect(err).toMatch(
      /^drover: schedule office-hours: 1 of 2 changes were made, and applying again makes the rest: .*DeleteSchedule/,
    );
    expect((await mayNot.drover('apply -f drover.yaml --prune')).out).toMatch(/1 pruned\n$/);
  });

  it('shows what it would adopt instead of a failure (kubernetes/kubernetes#94275), and says what it has adopted', async () => {
    const { drover, declare } = await createApplyWorld();
    await drover('hold create workers 2 --until 2026-01-05T19:00Z --name sale');
    declare(shop.replace(/schedules:[\s\S]*/, 'schedules: []\n'));
    const words = 'nodes 2 -> 3\n    set shop adopts what was made by hand by user/ana\n';
    expect(await drover('diff -f drover.yaml')).toMatchObject({
      code: 1,
      out: `~ hold sale of workers (drover.yaml:4)\n    ${words}`,
    });
    expect((await drover('apply -f drover.yaml')).out).toBe(
      'replaced hold sale of workers: nodes 2 -> 3, set shop adopts what was made by hand by user/ana\n1 replaced\n',
    );
  });

  it('after an apply no difference is left (kubernetes/kubernetes#119747), and the exit code agrees with the output (hashicorp/terraform#35117)', async () => {
    const { drover } = await createApplyWorld();
    expect(await drover('diff -f drover.yaml')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^\+ hold/),
    });
    await drover('apply -f drover.yaml');
    expect(await drover('diff -f drover.yaml')).toEqual({ code: 0, out: '', err: '' });
  });

  it('two sets in two pipelines leave the records of each other alone (kubernetes-sigs/external-dns#5846)', async () => {
    const { drover, declare } = await createApplyWorld();
    declare(shop.replace('set: shop', 'set: other').replace('name: sale', 'name: other'), 'other.yaml');
    declare(shop.replace('office-hours', 'nights'));
    for (let round = 0; round < 3; round += 1)
      for (const file of ['drover.yaml', 'other.yaml'])
        expect((await drover(`apply -f ${file} --prune`)).out).toMatch(
          round === 0 ? /2 created\n$/ : /^2 unchanged\n$/,
        );
  });

  it('does not adopt what another set owns, without --force-conflicts (helm/helm#8160)', async () => {
    const { drover, declare } = await createApplyWorld();
    await drover('apply -f drover.yaml');
    declare(shop.replace('set: shop', 'set: other').replace('nodes: 3', 'nodes: 9'));
    expect(await drover('apply -f drover.yaml')).toEqual({
      code: 1,
      out: '',
      err:
        'drover: nothing is applied:\n' +
        '  drover.yaml:4: hold sale of workers: it belongs to set shop: remove it there, or take it over with --force-conflicts\n' +
        '  drover.yaml:9: schedule office-hours: it belongs to set shop: remove it there, or take it over with --force-conflicts\n',
    });
    expect((await drover('apply -f drover.yaml --force-conflicts')).out).toBe(
      'replaced hold sale of workers: nodes 3 -> 9, set other takes it over from set shop\n' +
        'adopted schedule office-hours: set other takes it over from set shop\n1 replaced, 1 adopted\n',
    );
    declare('version: 1\nset: shop\nholds: []\n');
    expect((await drover('apply -f drover.yaml --prune')).out).toBe('nothing to do\n');
  });

  it('refuses a record that the files have twice (fluxcd/helm-controller#390)', async () => {
    const { drover, declare } = await createApplyWorld();
    declare(shop, 'copy.yaml');
    expect(await drover('apply -f drover.yaml -f copy.yaml')).toMatchObject({
      code: 2,
      err: expect.stringContaining('copy.yaml:4: hold sale of workers is declared at drover.yaml:4 already'),
    });
  });

  it('a time that has passed does not stop later runs (pulumi/pulumi-aws#2473, hashicorp/terraform-provider-aws#38983)', async () => {
    const { world, drover, declare } = await createApplyWorld();
    declare(
      shop
        .replace('cron(0 8 ? * MON-FRI *)', 'at(2026-01-05T08:00:00)')
        .replace('2026-01-05T20:00:00+01:00', '2026-01-05T08:30:00Z')
        .replace('36000', '3600'),
    );
    expect((await drover('apply -f drover.yaml')).out).toBe(
      'created hold sale of workers\n' +
        'schedule office-hours: its end has passed, so nothing is made of it; delete it from drover.yaml:9\n1 created\n',
    );
    await world.timeline.pass(31 * 60);
    expect(await drover('apply -f drover.yaml --prune')).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^hold sale of workers: its end has passed.*\nschedule .*\nnothing to do\n$/,
      ),
    });
    expect((await drover('diff -f drover.yaml')).code).toBe(0);
  });

  it('creates again what was deleted by hand (hashicorp/terraform#9654), and takes back what was changed', async () => {
    const { drover } = await createApplyWorld();
    await drover('apply -f drover.yaml');
    await drover('schedule delete office-hours');
    await drover('hold extend workers sale --until 2026-01-05T23:00Z');
    expect((await drover('diff -f drover.yaml')).out).toBe(
      '~ hold sale of workers (drover.yaml:4)\n    until 2026-01-05T23:00:00.000Z -> 2026-01-05T19:00:00.000Z\n' +
        '+ schedule office-hours: at least 5 nodes in workers, cron(0 8 ? * MON-FRI *) in Europe/Berlin (drover.yaml:9)\n',
    );
    expect((await drover('apply -f drover.yaml')).out).toMatch(/1 created, 1 replaced\n$/);
  });

  it('a schedule that was replaced by hand belongs to its maker again, and is not pruned', async () => {
    const { drover, declare } = await createApplyWorld();
    await drover('apply -f drover.yaml');
    await drover([
      'schedule',
      'create',
      'workers',
      '2',
      '--name',
      'office-hours',
      '--cron',
      '0 9 ? * * *',
      '--for',
      '1h',
      '--replace',
    ]);
    declare('version: 1\nset: shop\nschedules: []\n');
    await drover('apply -f drover.yaml --prune');
    expect(await stateOf(drover)).toMatchObject([{ name: 'office-hours', nodes: 2, set: undefined }]);
  });
});
