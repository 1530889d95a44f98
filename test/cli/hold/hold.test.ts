import { beforeEach, describe, expect, it } from 'vitest';
import { createDroverWorld, type DroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { boundsOf, holdParameters, paths, serving } from '../../../local/world/holds.ts';
import { operatorOf } from '../operator.ts';
import { apiOperatorOf } from '../through-scale-api.ts';

let world: DroverWorld;

beforeEach(async () => {
  world = createDroverWorld();
  await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 5 } });
});

const inHours = (hours: number): string =>
  new Date(Math.ceil((world.clock.now() + hours * 3_600_000) / 1000) * 1000).toISOString();

const ana = 'arn:aws:iam::123456789012:user/ana';

describe('drover hold create', () => {
  it('records the AWS identity as the maker, as the scale API does, and not the user of the machine', async () => {
    const drover = operatorOf(world, { environment: { USER: 'root' } });
    await drover('hold create workers 2 --for 2h --name small');
    expect(JSON.parse((await drover('hold list --json')).out)).toMatchObject([{ by: ana }]);
    expect((await apiOperatorOf(world).drover('hold list --json --api')).out).toContain(`"by": "${ana}"`);
  });

  it('records the user of the machine if STS does not respond, with a warning', async () => {
    world = createDroverWorld({
      weather: {
        strike: ({ what }) => (what === 'sts GetCallerIdentity' ? { kind: 'fail-before' } : undefined),
      },
    });
    await withWorkers(world, { size: 1, settings: { MinSize: 1, MaxSize: 5 } });
    const drover = operatorOf(world);
    const { code, err } = await drover('hold create workers 2 --for 2h');
    expect(code).toBe(0);
    expect(err).toMatch(
      /^warning: the hold names the user of this machine, ana, and not your AWS identity: STS does not answer/,
    );
    expect(JSON.parse((await drover('hold list --json')).out)).toMatchObject([{ by: 'ana' }]);
  });

  it('does not call STS for a group that does not exist', async () => {
    const { code, err } = await operatorOf(world, {
      actions: ['autoscaling:*'],
    })('hold create wrokers 2 --for 2h');
    expect(code).toBe(1);
    expect(err).not.toContain('warning');
  });

  it('creates a hold under the name of the user, and its nodes are launched', async () => {
    const until = inHours(2).replace('.000Z', 'Z');
    expect(await operatorOf(world)('hold create workers 3 --for 2h')).toEqual({
      code: 0,
      out: `hold ana of workers: at least 3 nodes until ${until} (2h)\n`,
      err: '',
    });
    await world.timeline.until(() => serving(world) === 3, { withinSeconds: 300, what: 'the nodes' });
    expect(boundsOf(world).minSize).toBe(3);
  });

  it('waits for Ready nodes, and prints each step', async () => {
    const { code, out } = await operatorOf(world)('hold create workers 3 --for 2h --wait');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^hold ana of workers.*\nwaiting: 1 of 3 nodes are Ready\n(?:.*\n)*met: 3 nodes are Ready\n$/,
    );
    expect(serving(world)).toBe(3);
  });

  it('above maxSizeLimit waits, and the list shows MaxSize', async () => {
    const drover = operatorOf(world);
    await drover('hold create workers 101 --for 2h --raise-max-size');
    expect((await drover('hold list')).out).toContain('1 of 101 nodes are Ready; MaxSize is 5');
  });

  it('gives up at its timeout with the reason of EC2, and the hold remains', async () => {
    for (const availabilityZone of ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'])
      world.account.ec2.accidents.setCapacity({
        instanceType: 'm5.large',
        availabilityZone,
        available: false,
      });
    const { code, err } = await operatorOf(world)('hold create workers 5 --for 2h --wait --timeout 3m');
    expect(code).toBe(4);
    expect(err).toMatch(
      /^drover: the timeout has passed: 1 of 5 nodes are Ready; the last launch failed: .*m5\.large.*eu-west-1a.*; hold ana remains\n$/,
    );
    expect(holdParameters(world)).toContain(`${paths.holds}/workers/ana`);
  });

  it('stops waiting when something else has ended the hold', async () => {
    const { clock, account } = world;
    clock.after(8000, () => account.ssm.operations.DeleteParameter({ Name: `${paths.holds}/workers/ana` }));
    expect(await operatorOf(world)('hold create workers 5 --for 2h --wait')).toMatchObject({
      code: 1,
      err: 'drover: hold ana has ended before its nodes were Ready\n',
    });
  });

  it('changes nothing in a dry run', async () => {
    const { code, out } = await operatorOf(world)('hold create workers 3 --for 2h --dry-run');
    expect([code, out]).toEqual([0, expect.stringMatching(/ \(dry run\)\n$/)]);
    expect(holdParameters(world)).toEqual([]);
  });

  it('requested twice is one hold; a different request finds the name taken', async () => {
    const drover = operatorOf(world);
    const line = `hold create workers 3 --until ${inHours(2)}`;
    expect((await drover(line)).code).toBe(0);
    expect((await drover(line)).code).toBe(0);
    expect(await drover(`hold create workers 4 --until ${inHours(2)}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('that name is taken: hold ana of workers: at least 3 nodes'),
    });
  });

  it('if repeated with --for, shows the end of the existing hold and does not change it', async () => {
    const drover = operatorOf(world);
    const first = await drover('hold create workers 3 --for 2h');
    await world.timeline.pass(600);
    const again = await drover('hold create workers 3 --for 2h');
    expect(again).toEqual({
      code: 0,
      out: first.out.replace('(2h)', '(1h50m): it already exists'),
      err: '',
    });
    expect((await drover('hold create workers 3 --for 2h --dry-run')).out).toContain(
      'it already exists (dry run)',
    );
    expect(JSON.parse((await drover('hold create workers 3 --for 2h --json')).out)).toMatchObject({
      done: false,
    });
    for (const line of ['hold create workers 3 --for 3h', 'hold create workers 3 --for 3h --dry-run'])
      expect(await drover(line)).toMatchObject({
        code: 1,
        err: expect.stringContaining('that name is taken'),
      });
    expect((await drover('hold create workers 3 --for 2h --wait')).out).toMatch(/met: 3 nodes are Ready\n$/);
  });

  it.each([
    [
      'hold create workers 6 --for 2h',
      1,
      'the group may have at most 5 nodes (MaxSize), unless the hold raises it (raiseMaxSize, --raise-max-size)',
    ],
    ['hold create workers 3 --for 0s', 2, 'write a duration such as 90m or 2h: 1m or longer'],
    ['hold create workers 3 --for 2', 2, 'write the unit too, such as 2m or 2h'],
    ['hold create workers 3 --until 2020-01-01T00:00:00Z', 1, 'the end of the hold is in the past'],
    ['hold create workers 3 --for 400d', 1, 'a hold ends within a year'],
    ['hold create workers 3 --for 2h --name a/b', 1, 'the name of a hold has letters'],
    ['hold create nothing 3 --for 2h', 1, 'there is no Auto Scaling group nothing'],
    ['hold create workers 3', 2, 'give either --for DURATION or --until TIME'],
    ['hold create workers 3 --for 2h --until 2027-01-01T00:00Z', 2, 'give either'],
    ['hold create workers 0 --for 2h', 2, 'write a whole number'],
    ['hold create workers 3 --until tomorrow', 2, 'write a time with its offset'],
    ['hold create workers 3 --until 2027-01-01T00:00', 2, 'write a time with its offset'],
    ['hold create workers 3 --until 2026-02-30T00:00Z', 2, 'the calendar has no 2026-02-30'],
  ])('%s is refused', async (line, code, words) => {
    expect(await operatorOf(world)(line)).toMatchObject({ code, err: expect.stringContaining(words) });
    expect(holdParameters(world)).toEqual([]);
  });

  it('raises MaxSize if asked', async () => {
    expect((await operatorOf(world)('hold create workers 6 --for 2h --raise-max-size --wait')).code).toBe(0);
    expect(boundsOf(world)).toEqual({ minSize: 6, maxSize: 6, desiredCapacity: 6 });
  });
});

describe('drover hold list', () => {
  it('shows each hold and its state', async () => {
    const drover = operatorOf(world);
    await drover('hold create workers 2 --for 2h --name small --wait');
    await drover('hold create workers 4 --for 1h --name large');
    const { out } = await drover('hold list');
    const rows = out
      .trimEnd()
      .split('\n')
      .map((row) => row.split(/ {2,}/));
    expect(rows[0]).toEqual(['GROUP', 'HOLD', 'NODES', 'ENDS IN', 'BY', 'STATE', 'WHY']);
    expect(rows[1]).toEqual(['workers', 'large', '4', '1h', ana, 'waiting', '2 of 4 nodes are Ready']);
    expect(rows[2]?.slice(0, 3)).toEqual(['workers', 'small', '2']);
    expect(rows[2]?.slice(4)).toEqual([ana, 'met', '2 nodes are Ready']);
  });

  it('shows the maker without the account on a terminal that is too narrow for the ARN', async () => {
    const drover = operatorOf(world, { isTerminal: true, columns: 90 });
    await drover('hold create workers 2 --for 2h --name small');
    expect((await drover('hold list')).out).toMatch(/^workers +small +2 +2h +user\/ana +waiting +/m);
  });

  it('shows only instances in service without a kubeconfig', async () => {
    await operatorOf(world)('hold create workers 2 --for 2h --wait');
    const { out } = await operatorOf(world, { hasKubeconfig: false })('hold list --json');
    expect(JSON.parse(out)).toEqual([
      expect.objectContaining({ group: 'workers', name: 'ana', state: 'unknown', nodes: 2 }),
    ]);
  });

  it('reports that there are no holds', async () => {
    for (const line of ['hold list', 'hold list workers'])
      expect(await operatorOf(world)(line)).toEqual({ code: 0, out: 'no holds\n', err: '' });
  });

  it.each([
    [
      'hold list wrokers',
      'there is no Auto Scaling group wrokers in this account and region: drover hooks lists the managed groups',
    ],
    [
      'hold list wrokers --json',
      'there is no Auto Scaling group wrokers in this account and region: drover hooks lists the managed groups',
    ],
    [
      'hold list --cluster prdo',
      'no Auto Scaling group in this account and region carries the tags of cluster prdo',
    ],
  ])('%s names what does not exist, and does not report an empty list', async (line, words) => {
    expect(await operatorOf(world)(line)).toEqual({ code: 1, out: '', err: `drover: ${words}\n` });
  });

  it('shows a hold that cannot be read', async () => {
    world.account.ssm.operations.PutParameter(
      { Name: `${paths.holds}/workers/odd`, Value: 'six', Type: 'String' },
      { principal: world.account.operator, requestId: 'test' },
    );
    expect((await operatorOf(world)('hold list')).out).toMatch(/workers +odd .* unreadable/);
    expect((await operatorOf(world)('hold end workers odd')).code).toBe(0);
    expect(holdParameters(world)).toEqual([]);
  });
});

describe('drover hold extend and end', () => {
  it('move the end, and end immediately', async () => {
    const drover = operatorOf(world);
    await drover('hold create workers 3 --for 1h');
    expect((await drover('hold extend workers ana --for 30m')).out).toContain(
      'it does not end earlier already',
    );
    expect((await drover('hold extend workers ana --for 3h --dry-run')).out).toContain('(3h) (dry run)');
    expect((await drover('hold list')).out).toContain(' 1h ');
    expect((await drover('hold extend workers ana --for 3h')).out).toContain('(3h)');
    await world.timeline.until(() => serving(world) === 3, { withinSeconds: 300, what: 'the nodes' });
    expect((await drover('hold end workers ana --dry-run')).out).toContain('would end hold ana of workers');
    expect(await drover('hold end workers ana')).toEqual({
      code: 0,
      out: 'ended hold ana of workers; MinSize follows within minutes\n',
      err: '',
    });
    await world.timeline.until(() => boundsOf(world).minSize === 1, { withinSeconds: 400, what: 'the base' });
  });

  it.each(['hold extend workers ana --for 1h', 'hold end workers ana', 'hold end workers ana --dry-run'])(
    '%s says that there is no such hold',
    async (line) => {
      expect(await operatorOf(world)(line)).toEqual({
        code: 1,
        out: '',
        err: 'drover: workers has no hold ana: drover hold list shows them\n',
      });
    },
  );

  it('do not change a hold that has ended', async () => {
    const drover = operatorOf(world);
    await drover('hold create workers 3 --for 1m');
    await world.timeline.pass(70);
    expect(await drover('hold extend workers ana --for 1h')).toMatchObject({
      code: 1,
      err: expect.stringContaining('has ended and will be deleted within minutes'),
    });
  });
});
